// The buttons that open the palette and the help. The keys press them.
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { CommandPalette } from './command-palette.tsx';
import { useShortcuts } from './shortcuts.ts';

// The palette comes with the page: letters that are typed right after its key would go to a page that still loads it.
const HelpSheet = lazy(async () => ({ default: (await import('./help-sheet.tsx')).HelpSheet }));

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
      <Suspense>
        {shown === 'palette' && <CommandPalette onClose={close} />}
        {shown === 'help' && <HelpSheet onClose={close} />}
      </Suspense>
    </>
  );
}
