// Marks a row whose change is on its way, or did not get through.
import { usePending } from 'holdfast/react';
import type { ReactNode } from 'react';
import { Issue } from '../resources/issue.ts';
import { LineIcon } from '../ui/icons.tsx';
import { useFailures } from './failures.ts';
import type { Failure } from './failures.ts';

export interface SaveState {
  isPending: boolean;
  failure: Failure | undefined;
  /** For the row's class: empty, `is-pending` or `is-failed`. */
  className: '' | 'is-pending' | 'is-failed';
}

export function useSaveState(issueId: string): SaveState {
  const isPending = usePending(Issue, { id: issueId }).length > 0;
  const failure = useFailures(issueId).at(-1);
  return { isPending, failure, className: isPending ? 'is-pending' : failure ? 'is-failed' : '' };
}

export function SaveMarker({ state }: { state: SaveState }): ReactNode {
  if (state.isPending) {
    return (
      <span className="save-marker pending">
        <span className="spinner" aria-hidden="true" /> Saving
      </span>
    );
  }
  if (!state.failure) return null;
  return (
    <button
      type="button"
      className="save-marker failed"
      title={`${state.failure.label}: ${state.failure.reason}`}
      onClick={state.failure.retry}
    >
      <LineIcon name="retry" /> Not saved, retry
    </button>
  );
}
