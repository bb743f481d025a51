// What can be done to all selected rows: one request, and every view of every one of them follows.
import { useLoading } from 'holdfast/react';
import type { ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { pickValue, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { LineIcon } from '../ui/icons.tsx';

export function BulkBar({ ids, onDone }: { ids: readonly string[]; onDone: () => void }): ReactNode {
  const { changeMany, removeMany } = useIssueActions();
  const [run, isRunning] = useLoading(async (action: () => Promise<unknown>) => {
    await action();
    onDone();
  }, []);
  const move = (text: string): void => {
    const status = pickValue(STATUSES, text);
    if (status) void run(() => changeMany(ids, { status }));
  };
  return (
    <div className="bulk-bar" role="toolbar" aria-label={`${ids.length} selected`} aria-busy={isRunning}>
      <strong>{ids.length} selected</strong>
      <select
        aria-label="Set the status of the selected issues"
        value=""
        onChange={(event) => move(event.target.value)}
      >
        <option value="">Move to…</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_NAMES[status]}
          </option>
        ))}
      </select>
      <button type="button" className="button danger" onClick={() => void run(() => removeMany(ids))}>
        <LineIcon name="trash" /> Delete
      </button>
      <button type="button" className="icon-button" aria-label="Clear the selection" onClick={onDone}>
        <LineIcon name="close" />
      </button>
    </div>
  );
}
