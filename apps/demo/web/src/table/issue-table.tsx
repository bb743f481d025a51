// The table as a whole: as high as the total of the server, with a window of rows at the scroll position. Only rows near the
// window are in the document, and only windows at which the scrolling stops are requested.
import type { Controller } from 'holdfast';
import { useController, useDebounce, useSuspense } from 'holdfast/react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useKeptScroll } from '../navigation/kept-scroll.tsx';
import type { Issue, IssueFilter } from '../resources/issue.ts';
import { IssueResource } from '../resources/issue.ts';
import { WINDOW_ROWS, windowOf } from '../resources/lists.ts';
import { BulkBar } from './bulk-bar.tsx';
import { RefusedReport, useRefusedIssues } from './refused-report.tsx';
import { TableHead } from './table-head.tsx';
import { TableWindow } from './table-window.tsx';
import { useVisibleRows } from './use-visible-rows.ts';

interface IssueTableProps {
  /** Identifies the filter, for the way back. */
  name: string;
  filter: IssueFilter;
  onOrder: (orderBy: string) => void;
}

/** A window that the scroll bar passes in less time is not requested. */
const PASSING_MS = 90;
const NONE: ReadonlySet<string> = new Set();

export function IssueTable({ name, filter, onOrder }: IssueTableProps): ReactNode {
  const { results, total } = useSuspense(IssueResource.getList, windowOf(filter, 0));
  const controller = useController();
  const refused = useRefusedIssues();
  const [selected, setSelected] = useState(NONE);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end, rowHeight } = useVisibleRows(scroller, total);
  useKeptScroll(scroller, name);

  const firstWindow = Math.floor(first / WINDOW_ROWS) * WINDOW_ROWS;
  const [restingWindow] = useDebounce(firstWindow, PASSING_MS);
  const offsets: number[] = [];
  for (let offset = firstWindow; offset < end; offset += WINDOW_ROWS) offsets.push(offset);

  const toggle = (id: string): void =>
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const leftOut = countMissing(controller, filter, { first: results, total, refused });
  return (
    <>
      <div className="table-note">
        <p role="status">{describeCount(total - leftOut)}</p>
        {leftOut > 0 && <RefusedReport count={leftOut} rows={refused} />}
      </div>
      <div
        className="table"
        role="table"
        aria-label="Issues"
        aria-rowcount={total + 1}
        ref={scroller}
        tabIndex={0}
      >
        <TableHead
          orderBy={filter.orderBy ?? ''}
          onOrder={onOrder}
          hasSelection={selected.size > 0}
          onSelectAll={() =>
            setSelected(
              selected.size > 0
                ? NONE
                : new Set(readLoaded(controller, filter, total).map((issue) => issue.id)),
            )
          }
        />
        <div role="rowgroup" className="table-body" style={{ height: total * rowHeight }}>
          {offsets.map((offset) => (
            <TableWindow
              key={offset}
              filter={filter}
              offset={offset}
              first={Math.max(first, offset)}
              end={Math.min(end, offset + WINDOW_ROWS)}
              rowHeight={rowHeight}
              isWanted={restingWindow === firstWindow}
              hasLeftOut={leftOut > 0}
              selected={selected}
              onSelect={toggle}
            />
          ))}
        </div>
        {total === 0 && <p className="empty-note">No issue matches. Widen the filter or create one.</p>}
      </div>
      {selected.size > 0 && (
        <BulkBar
          selected={selected}
          filter={filter}
          total={total}
          onSelect={(ids) => setSelected(new Set(ids))}
        />
      )}
    </>
  );
}

/** The rows of every window that is loaded. */
function readLoaded(controller: Controller, filter: IssueFilter, total: number): Issue[] {
  const loaded: Issue[] = [];
  for (let offset = 0; offset < total; offset += WINDOW_ROWS) {
    const { data } = controller.getResponse(IssueResource.getList, windowOf(filter, offset));
    loaded.push(...(data?.results ?? []));
  }
  return loaded;
}

/** How many rows fewer the loaded windows have than the server counts in them. */
function countMissing(
  controller: Controller,
  filter: IssueFilter,
  { first, total, refused }: { first: readonly Issue[]; total: number; refused: readonly unknown[] },
): number {
  if (refused.length === 0) return 0;
  let missing = Math.min(WINDOW_ROWS, total) - first.length;
  for (let offset = WINDOW_ROWS; offset < total; offset += WINDOW_ROWS) {
    const { data } = controller.getResponse(IssueResource.getList, windowOf(filter, offset));
    if (data) missing += Math.min(WINDOW_ROWS, total - offset) - (data.results?.length ?? 0);
  }
  return Math.min(missing, refused.length);
}

function describeCount(count: number): string {
  return count === 1 ? '1 issue' : `${count.toLocaleString('en')} issues`;
}
