// All keys at a glance.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { LineIcon } from '../ui/icons.tsx';
import { areKeysOn, SHORTCUTS, turnKeys } from './shortcuts.ts';

const ON_THE_BOARD = [
  { text: '← ↑ → ↓', does: 'Go from card to card' },
  { text: 'Shift ← →', does: 'Move a card to the next column' },
  { text: 'Delete', does: 'Delete the card' },
] as const;

export function HelpSheet({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOn = useExternalValue(areKeysOn);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog help-sheet" aria-labelledby="help-title" onClose={onClose}>
      <div className="help-head">
        <h2 id="help-title">Keys</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the help"
          onClick={() => dialog.current?.close()}
        >
          <LineIcon name="close" />
        </button>
      </div>
      <Keys of={SHORTCUTS} />
      <h3>On the board</h3>
      <Keys of={ON_THE_BOARD} />
      <label className="switch">
        <input type="checkbox" checked={isOn} onChange={(event) => turnKeys(event.target.checked)} />
        Single keys are on
      </label>
    </dialog>
  );
}

function Keys({ of }: { of: readonly { readonly text: string; readonly does: string }[] }): ReactNode {
  return (
    <dl>
      {of.map(({ text, does }) => (
        <div key={text}>
          <dt>
            <kbd>{text}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
