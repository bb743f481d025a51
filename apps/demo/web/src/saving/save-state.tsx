// Marks a row whose change is in flight, or failed.
import type { FailedMutation } from 'holdfast';
import { useFailed, usePending, useQuery } from 'holdfast/react';
import type { ReactNode } from 'react';
import { Refusal } from '../resources/bulk.ts';
import { Issue } from '../resources/issue.ts';
import { LineIcon } from '../ui/icons.tsx';
import { describeCall, describeRefusal, explain } from './describe-failure.ts';
import { useRefusalActions } from './use-refusal-actions.ts';

export interface SaveState {
  isPending: boolean;
  failed: FailedMutation | undefined;
  /** Set when a bulk change reached other rows, and not this one. */
  refusal: Refusal | undefined;
  /** For the row's class: empty, `is-pending` or `is-failed`. */
  className: '' | 'is-pending' | 'is-failed';
}

export function useSaveState(issueId: string): SaveState {
  const isPending = usePending(Issue, { id: issueId }).length > 0;
  const failed = useFailed(Issue, { id: issueId }).at(-1);
  const row = useQuery(Refusal, { id: issueId });
  const refusal = row?.isDismissed ? undefined : row;
  const className = isPending ? 'is-pending' : failed || refusal ? 'is-failed' : '';
  return { isPending, failed, refusal, className };
}

export function SaveMarker({ state: { isPending, failed, refusal } }: { state: SaveState }): ReactNode {
  const { retryRows } = useRefusalActions();
  if (isPending) {
    return (
      <span className="save-marker pending">
        <span className="spinner" aria-hidden="true" /> Saving
      </span>
    );
  }
  const reason = failed
    ? `${describeCall(failed)}: ${explain(failed.error)}`
    : refusal && `${describeRefusal(refusal)}: ${refusal.message}`;
  if (!reason) return null;
  return (
    <button
      type="button"
      className="save-marker failed"
      title={reason}
      onClick={() => {
        if (failed) void failed.retry();
        if (refusal) retryRows([refusal]);
      }}
    >
      <LineIcon name="retry" /> <span className="words">Not saved, </span>retry
    </button>
  );
}
