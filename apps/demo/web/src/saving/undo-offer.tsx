// The line that offers to undo a deletion of issues, while the deletion is the visitor's last step. The rows come back with the responses
// of the server, because the server has to restore an issue before its comments can be read.
import { useWatched } from 'holdfast/react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';
import { isDeletion, usePast } from './past.ts';

/** How long the offer is shown: long enough to notice and to reach it by keyboard. */
const OFFER_MS = 12_000;

export function UndoOffer(): ReactNode {
  const past = usePast();
  const { undo: step = '' } = useWatched(past);
  return isDeletion(step) && <Offer key={step} step={step} />;
}

function Offer({ step }: { step: string }): ReactNode {
  const past = usePast();
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setOpen(false), OFFER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isOpen) return null;
  return (
    <div className="notice">
      <LineIcon name="trash" />
      <span>{step}</span>
      <button
        type="button"
        className="button small"
        aria-keyshortcuts="Z"
        // one that fails is in the list of failed changes, and stays a step that can be undone
        onClick={() => void past.undo().catch(() => undefined)}
      >
        Undo
      </button>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => setOpen(false)}>
        <LineIcon name="close" />
      </button>
    </div>
  );
}
