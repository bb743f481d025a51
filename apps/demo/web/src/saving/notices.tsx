// The corner of the page for notices: deletions that can be undone, and one list of all failed changes.
import { useFailed, useQuery } from 'holdfast/react';
import type { ReactNode } from 'react';
import { refusals } from '../resources/bulk.ts';
import { LineIcon } from '../ui/icons.tsx';
import { describeCall, describeRefusal, explain } from './describe-failure.ts';
import { keyOf } from './failures.ts';
import { UndoOffer } from './undo-offer.tsx';
import { useRefusalActions } from './use-refusal-actions.ts';

interface Unsaved {
  key: string;
  label: string;
  reason: string;
  retry: () => void;
  dismiss: () => void;
}

export function Notices(): ReactNode {
  return (
    <div className="notices" role="status" aria-live="polite">
      <UndoOffer />
      <UnsavedList />
    </div>
  );
}

function UnsavedList(): ReactNode {
  const failed = useFailed();
  const refused = useQuery(refusals) ?? [];
  const { retryRows, dismissRow } = useRefusalActions();
  const unsaved: Unsaved[] = [
    ...failed.map((failure) => ({
      key: keyOf(failure),
      label: describeCall(failure),
      reason: explain(failure.error),
      retry: () => void failure.retry(),
      dismiss: failure.forget,
    })),
    ...refused.map((row) => ({
      key: row.id,
      label: describeRefusal(row),
      reason: row.message,
      retry: () => retryRows([row]),
      dismiss: () => dismissRow(row),
    })),
  ];
  const first = unsaved[0];
  if (!first) return null;
  const retryAll = (): void => {
    for (const failure of failed) void failure.retry();
    if (refused.length > 0) retryRows(refused);
  };
  return (
    <section className="unsaved" aria-label="Changes that were not saved">
      {unsaved.length > 1 && (
        <header>
          <LineIcon name="warning" />
          <strong>{unsaved.length} changes were not saved</strong>
          <span className="spacer" />
          <button type="button" className="button small" onClick={retryAll}>
            Retry all
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss all"
            onClick={() => unsaved.forEach(({ dismiss }) => dismiss())}
          >
            <LineIcon name="close" />
          </button>
        </header>
      )}
      <ul>
        {unsaved.map(({ key, label, reason, retry, dismiss }) => (
          <li key={key} className="failure">
            {unsaved.length === 1 && <LineIcon name="warning" />}
            <span>
              <strong>{label}</strong> was not saved: {reason}
            </span>
            <button type="button" className="button small" onClick={retry}>
              Retry
            </button>
            <button type="button" className="icon-button" aria-label={`Dismiss: ${label}`} onClick={dismiss}>
              <LineIcon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
