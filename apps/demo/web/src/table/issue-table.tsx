// The rows. Only those near the window are in the document; the next page is asked for before the
// reader reaches the end of what is loaded.
import { viewKey } from 'holdfast';
import { usePages, useSuspense } from 'holdfast/react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { IssueFilter } from '../resources/issue.ts';
import { IssueResource } from '../resources/issue.ts';
import { BulkBar } from './bulk-bar.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useVisibleRows } from './use-visible-rows.ts';

interface IssueTableProps {
  filter: IssueFilter;
  onOrder: (orderBy: string) => void;
}

/** Rows before the end of the loaded ones at which the next page is asked for. */
const AHEAD = 40;

export function IssueTable({ filter, onOrder }: IssueTableProps): ReactNode {
  const { results: issues, total } = useSuspense(IssueResource.getList, filter);
  const { hasMore, isLoadingMore, moreError, loadMore } = usePages(IssueResource.getList, filter);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const chosen = issues.filter((issue) => selected.has(issue.id)).map((issue) => issue.id);
  const { first, end, rowHeight } = useVisibleRows(scroller, issues.length);

  const isNearEnd = hasMore && end >= issues.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && !isLoadingMore && !moreError) void loadMore();
  }, [isNearEnd, isLoadingMore, moreError, loadMore]);

  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  return (
    <>
      <p className="table-note" role="status">
        {hasMore ? `${issues.length} of ${total.toLocaleString('en')} loaded` : `${issues.length} issues`}
      </p>
      <div
        className="table"
        role="table"
        aria-label="Issues"
        aria-rowcount={total + 1}
        ref={scroller}
        tabIndex={0}
      >
        <TableHead orderBy={filter.orderBy ?? ''} onOrder={onOrder} />
        <div role="rowgroup" className="table-body" style={{ height: issues.length * rowHeight }}>
          {issues.slice(first, end).map((issue, index) => (
            <TableRow
              key={viewKey(issue)}
              issue={issue}
              position={first + index}
              height={rowHeight}
              isSelected={selected.has(issue.id)}
              onSelect={() => toggle(issue.id)}
            />
          ))}
        </div>
        {hasMore && (
          <div className="table-more">
            {moreError ? (
              <button type="button" className="button small" onClick={() => void loadMore()}>
                Could not load more, try again
              </button>
            ) : (
              'Loading more…'
            )}
          </div>
        )}
        {issues.length === 0 && (
          <p className="empty-note">No issue matches. Widen the filter or create one.</p>
        )}
      </div>
      {chosen.length > 0 && <BulkBar ids={chosen} onDone={() => setSelected(new Set())} />}
    </>
  );
}
