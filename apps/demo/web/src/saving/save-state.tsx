// Marks a row whose change is in flight, waits for a decision, or failed.
import type { FailedMutation } from 'holdfast';
import { useFailed, usePending } from 'holdfast/react';
import type { ReactNode } from 'react';
import { Link } from '../navigation/navigation.tsx';
import { Issue } from '../resources/issue.ts';
import { LineIcon } from '../ui/icons.tsx';
import { describeCall, explain } from './describe-failure.ts';

export interface SaveState {
  isPending: boolean;
  /** The issue, where somebody else has changed the same field: the visitor decides there. */
  undecided: string | undefined;
  failed: FailedMutation | undefined;
  /** For the row's class: empty, `is-pending` or `is-failed`. */
  className: '' | 'is-pending' | 'is-failed';
}

export function useSaveState(issueId: string): SaveState {
  const pending = usePending(Issue, { id: issueId });
  const isPending = pending.length > 0;
  const undecided = pending.some(({ status }) => status === 'conflict') ? issueId : undefined;
  const failed = useFailed(Issue, { id: issueId }).at(-1);
  const className = isPending ? 'is-pending' : failed ? 'is-failed' : '';
  return { isPending, undecided, failed, className };
}

export function SaveMarker({ state: { isPending, undecided, failed } }: { state: SaveState }): ReactNode {
  if (undecided) {
    return (
      <Link className="save-marker failed" to={`/issues/${undecided}`} target="beside">
        Decide
      </Link>
    );
  }
  if (isPending) {
    return (
      <span className="save-marker pending">
        <span className="spinner" aria-hidden="true" /> Saving
      </span>
    );
  }
  if (!failed) return null;
  return (
    <button
      type="button"
      className="save-marker failed"
      title={`${describeCall(failed)}: ${explain(failed.error)}`}
      onClick={() => void failed.retry()}
    >
      <LineIcon name="retry" /> <span className="words">Not saved, </span>retry
    </button>
  );
}
