// The line that offers to restore the issue that was just deleted.
import { useController, useLoading } from 'holdfast/react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { restoreIssue } from '../resources/restore.ts';
import { LineIcon } from '../ui/icons.tsx';
import { lastDeletion, withdraw } from './undo.ts';
import type { Deletion } from './undo.ts';

/** How long the offer is shown: long enough to notice and to reach it by keyboard. */
const OFFER_MS = 12_000;

export function UndoOffer(): ReactNode {
  const deletion = useExternalValue(lastDeletion);
  return deletion && <Offer deletion={deletion} />;
}

function Offer({ deletion }: { deletion: Deletion }): ReactNode {
  const controller = useController();
  const [restore, isRestoring] = useLoading(async () => {
    await Promise.all(deletion.ids.map((id) => controller.fetch(restoreIssue, { id })));
    withdraw(deletion);
  }, [controller, deletion]);
  useEffect(() => {
    if (isRestoring) return undefined;
    const timer = setTimeout(() => withdraw(deletion), OFFER_MS);
    return () => clearTimeout(timer);
  }, [deletion, isRestoring]);
  return (
    <div className="notice">
      <LineIcon name="trash" />
      <span>{deletion.label} deleted</span>
      <button
        type="button"
        className="button small"
        disabled={isRestoring}
        aria-keyshortcuts="Z"
        onClick={() => void restore()}
      >
        {isRestoring ? 'Restoring…' : 'Undo'}
      </button>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => withdraw(deletion)}>
        <LineIcon name="close" />
      </button>
    </div>
  );
}
