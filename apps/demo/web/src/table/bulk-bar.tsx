// The actions on all selected rows: one request, on screen at once in every view of each row. Rows that the server refuses are
// rolled back, and are listed among the failed changes.
import { useController, useLoading } from 'holdfast/react';
import type { ReactNode } from 'react';
import { useIssueActions } from '../issue/use-issue-actions.ts';
import { IssueResource } from '../resources/issue.ts';
import type { IssueFilter } from '../resources/issue.ts';
import { pickValue, PRIORITIES, PRIORITY_NAMES, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { LineIcon } from '../ui/icons.tsx';

interface BulkBarProps {
  selected: ReadonlySet<string>;
  filter: IssueFilter;
  total: number;
  onSelect: (ids: readonly string[]) => void;
}

/** Rows of the largest response that the server sends. */
const MOST = 500;

export function BulkBar({ selected, filter, total, onSelect }: BulkBarProps): ReactNode {
  const controller = useController();
  const { changeMany, removeMany } = useIssueActions();
  const ids = [...selected];
  const [selectAll, isSelecting] = useLoading(async () => {
    const { results } = await controller.fetch(IssueResource.getList, { ...filter, offset: 0, limit: MOST });
    onSelect(results.map((issue) => issue.id));
  }, [controller, filter, onSelect]);
  const most = Math.min(total, MOST);
  return (
    <div className="bulk-bar" role="toolbar" aria-label={`${ids.length} selected`} aria-busy={isSelecting}>
      <strong>{ids.length} selected</strong>
      {ids.length < most && (
        <button type="button" className="button quiet" onClick={() => void selectAll()}>
          {total > MOST ? `Select the first ${MOST}` : `Select all ${total}`}
        </button>
      )}
      <select
        aria-label="Set the status of the selected issues"
        value=""
        onChange={(event) => {
          const status = pickValue(STATUSES, event.target.value);
          if (status) changeMany(ids, { status });
        }}
      >
        <option value="">Move to…</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_NAMES[status]}
          </option>
        ))}
      </select>
      <select
        aria-label="Set the priority of the selected issues"
        value=""
        onChange={(event) => {
          const priority = pickValue(PRIORITIES, event.target.value);
          if (priority) changeMany(ids, { priority });
        }}
      >
        <option value="">Priority…</option>
        {PRIORITIES.map((priority) => (
          <option key={priority} value={priority}>
            {PRIORITY_NAMES[priority]}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="button danger"
        onClick={() => {
          removeMany(ids);
          onSelect([]);
        }}
      >
        <LineIcon name="trash" /> Delete
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Clear the selection"
        onClick={() => onSelect([])}
      >
        <LineIcon name="close" />
      </button>
    </div>
  );
}
