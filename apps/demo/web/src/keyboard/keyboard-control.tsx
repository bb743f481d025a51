// The buttons that open the palette and the help. The keys press them.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { CommandPalette } from './command-palette.tsx';
import { HelpSheet } from './help-sheet.tsx';
import { useShortcuts } from './shortcuts.ts';

export function KeyboardControl(): ReactNode {
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  useShortcuts();
  const close = (): void => setShown(null);
  return (
    <>
      <button
        type="button"
        className="button palette-button"
        aria-label="Find or do, Ctrl K"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setShown('palette')}
      >
        <LineIcon name="search" /> <kbd className="wide-only">Ctrl K</kbd>
      </button>
      <button
        type="button"
        className="icon-button wide-only"
        aria-label="Keys"
        title="Keys"
        aria-keyshortcuts="?"
        onClick={() => setShown('help')}
      >
        ?
      </button>
      {shown === 'palette' && <CommandPalette onClose={close} />}
      {shown === 'help' && <HelpSheet onClose={close} />}
    </>
  );
}
