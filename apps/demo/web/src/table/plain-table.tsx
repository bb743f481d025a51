// The table over a plain array, without the library, for the comparison of `npm run bench -- frames`. Only /table?plain=1 loads
// it. The same rows of the same height with the same elements; their data was fetched once and never changes.
import { memo, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from '../navigation/navigation.tsx';
import type { Issue } from '../resources/issue.ts';
import type { User } from '../resources/user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { formatAgo } from '../ui/dates.ts';
import { DueDay, Labels } from '../ui/labels.tsx';
import { PriorityPicker, StatusPicker } from '../ui/pickers.tsx';
import { TableHead } from './table-head.tsx';
import { useVisibleRows } from './use-visible-rows.ts';

interface PlainRow {
  readonly issue: Omit<Issue, 'estimate'> & { readonly estimate: string | null };
  readonly assignee: User | undefined;
}

/** As many as the server sends at once. */
const PAGE_ROWS = 500;
const keep = (): void => {};

export function PlainTable({ orderBy }: { orderBy: string }): ReactNode {
  const [rows, setRows] = useState<readonly PlainRow[]>([]);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end, rowHeight } = useVisibleRows(scroller, rows.length);
  useEffect(() => {
    void loadRows(orderBy).then(setRows);
  }, [orderBy]);
  return (
    <div
      className="table"
      role="table"
      aria-label="Issues"
      aria-rowcount={rows.length + 1}
      ref={scroller}
      tabIndex={0}
    >
      <TableHead orderBy={orderBy} onOrder={keep} hasSelection={false} onSelectAll={keep} />
      <div role="rowgroup" className="table-body" style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, end).map((row, index) => (
          <PlainTableRow key={row.issue.id} row={row} position={first + index} height={rowHeight} />
        ))}
      </div>
    </div>
  );
}

async function loadRows(orderBy: string): Promise<PlainRow[]> {
  const people = (await read('/api/users')) as User[]; // cast: the server's own format
  const rows: PlainRow[] = [];
  for (let total = 1; rows.length < total;) {
    const address = `/api/issues?orderBy=${orderBy}&limit=${PAGE_ROWS}&offset=${rows.length}`;
    const page = (await read(address)) as { results: PlainRow['issue'][]; total: number }; // cast: as above
    total = page.total;
    for (const issue of page.results) {
      const assignee = people.find((person) => person.id === issue.assigneeId);
      rows.push({ issue: { ...issue, updatedAt: new Date(issue.updatedAt) }, assignee });
    }
  }
  return rows;
}

async function read(address: string): Promise<unknown> {
  return (await fetch(address)).json();
}

interface PlainTableRowProps {
  row: PlainRow;
  position: number;
  height: number;
}

const PlainTableRow = memo(function PlainTableRow({ row, position, height }: PlainTableRowProps): ReactNode {
  const { issue, assignee } = row;
  const { id } = issue;
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      className="table-row"
      data-row={id}
      style={{ transform: `translateY(${position * height}px)`, height }}
    >
      <div role="cell" className="cell-select">
        <input type="checkbox" aria-label={`Select ${id}`} checked={false} onChange={keep} />
      </div>
      <div role="cell" className="cell-id issue-id">
        {id}
      </div>
      <div role="cell" className="cell-title">
        <Link to={`/issues/${id}`} target="beside" className="row-title">
          {issue.title}
        </Link>
        <Labels labels={issue.labels} />
      </div>
      <div role="cell" className="cell-status">
        <StatusPicker value={issue.status} label={`Status of ${id}`} onPick={keep} />
      </div>
      <div role="cell" className="cell-priority">
        <PriorityPicker value={issue.priority} label={`Priority of ${id}`} onPick={keep} />
      </div>
      <div role="cell" className="cell-assigneeId">
        <Avatar user={assignee} isDecorative />
        <span className="cell-text">{assignee?.name ?? 'Unassigned'}</span>
      </div>
      <div role="cell" className="cell-dueDate">
        <DueDay day={issue.dueDate} isDone={issue.status === 'done'} />
      </div>
      <div role="cell" className="cell-estimate">
        {issue.estimate ?? ''}
      </div>
      <div role="cell" className="cell-updatedAt">
        {formatAgo(issue.updatedAt)}
      </div>
    </div>
  );
});
