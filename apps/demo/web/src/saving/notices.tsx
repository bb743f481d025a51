// The corner of the page for notices: deletions that can be undone, and one list of all failed changes.
import type { FailedMutation } from 'holdfast';
import { useFailed } from 'holdfast/react';
import type { ReactNode } from 'react';
import { FieldChoice } from '../conflicts/field-choice.tsx';
import { useExternalValue } from '../external-value.ts';
import { LineIcon } from '../ui/icons.tsx';
import { deletions } from './deletions.ts';
import { describeCall, explain } from './describe-failure.ts';
import { keyOf } from './failures.ts';
import { UndoKeys } from './undo-keys.tsx';
import { UndoOffer } from './undo-offer.tsx';

export function Notices(): ReactNode {
  return (
    <div className="notices" role="status" aria-live="polite">
      <UndoOffer />
      <UndoKeys />
      {useExternalValue(deletions).map((id) => (
        <FieldChoice key={id} id={id} field="" />
      ))}
      <UnsavedList />
    </div>
  );
}

function UnsavedList(): ReactNode {
  const failed = useFailed();
  if (failed.length === 0) return null;
  return (
    <section className="unsaved" aria-label="Changes that were not saved">
      {failed.length > 1 && (
        <header>
          <LineIcon name="warning" />
          <strong>{failed.length} changes were not saved</strong>
          <span className="spacer" />
          <button
            type="button"
            className="button small"
            // called in one task, so changes of issues leave as one request
            onClick={() => failed.forEach((failure) => void failure.retry())}
          >
            Retry all
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss all"
            onClick={() => failed.forEach(({ forget }) => forget())}
          >
            <LineIcon name="close" />
          </button>
        </header>
      )}
      <ul>
        {failed.map((failure) => (
          <Failure key={keyOf(failure)} failure={failure} isAlone={failed.length === 1} />
        ))}
      </ul>
    </section>
  );
}

function Failure({ failure, isAlone }: { failure: FailedMutation; isAlone: boolean }): ReactNode {
  const label = describeCall(failure);
  return (
    <li className="failure">
      {isAlone && <LineIcon name="warning" />}
      <span>
        <strong>{label}</strong> was not saved: {explain(failure.error)}
      </span>
      <button type="button" className="button small" onClick={() => void failure.retry()}>
        Retry
      </button>
      <button type="button" className="icon-button" aria-label={`Dismiss: ${label}`} onClick={failure.forget}>
        <LineIcon name="close" />
      </button>
    </li>
  );
}
