// The rows. Only those near the window are in the document; the next page is asked for before the
// reader reaches the end of what is loaded.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useController, useLoading, useSuspense } from 'holdfast/react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { IssueFilter } from '../resources/issue.ts';
import { IssueResource, nextIssues } from '../resources/issue.ts';
import { sortIssues } from '../resources/issue-order.ts';
import { BulkBar } from './bulk-bar.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';

interface IssueTableProps {
  filter: IssueFilter;
  onOrder: (orderBy: string) => void;
}

/** Rows before the end of the loaded ones at which the next page is asked for. */
const AHEAD = 40;

export function IssueTable({ filter, onOrder }: IssueTableProps): ReactNode {
  'use no memo'; // the virtualizer is one mutable object: memoized reads of it would never change
  const { results, total, cursor } = useSuspense(IssueResource.getList, filter);
  const controller = useController();
  const [loadMore, isLoading, error] = useLoading(
    () => controller.fetch(nextIssues, { ...filter, cursor }),
    [cursor],
  );
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const issues = sortIssues(results, filter.orderBy ?? '');
  const chosen = issues.filter((issue) => selected.has(issue.id)).map((issue) => issue.id);
  const hasMore = cursor !== '';
  const isNarrow = (scroller.current?.clientWidth ?? window.innerWidth) < 720;

  const virtualizer = useVirtualizer({
    count: issues.length + (hasMore ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? 76 : 42),
    overscan: 10,
    getItemKey: (index) => issues[index]?.id ?? 'more',
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isNearEnd = hasMore && last >= issues.length - AHEAD;
  useEffect(() => {
    if (isNearEnd && !isLoading && !error) void loadMore();
  }, [isNearEnd, isLoading, error, loadMore, cursor]);

  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  return (
    <>
      <p className="table-note" role="status">
        {issues.length < total
          ? `${issues.length} of ${total.toLocaleString('en')} loaded`
          : `${issues.length} issues`}
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
        <div role="rowgroup" className="table-body" style={{ height: virtualizer.getTotalSize() }}>
          {rows.map((row) => {
            const issue = issues[row.index];
            return issue ? (
              <TableRow
                key={row.key}
                issue={issue}
                position={row.index}
                top={row.start}
                height={row.size}
                isSelected={selected.has(issue.id)}
                onSelect={() => toggle(issue.id)}
              />
            ) : (
              <div
                key="more"
                role="row"
                className="table-row more"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <div role="cell">
                  {error ? (
                    <button type="button" className="button small" onClick={() => void loadMore()}>
                      Could not load more, try again
                    </button>
                  ) : (
                    'Loading more…'
                  )}
                </div>
              </div>
            );
          })}
        </div>
        {issues.length === 0 && (
          <p className="empty-note">No issue matches. Widen the filter or create one.</p>
        )}
      </div>
      {chosen.length > 0 && <BulkBar ids={chosen} onDone={() => setSelected(new Set())} />}
    </>
  );
}
