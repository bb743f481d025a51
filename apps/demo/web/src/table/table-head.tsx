// The column titles. Each one sorts; a second click turns the order around.
import type { ReactNode } from 'react';

const COLUMNS = [
  ['id', 'Issue'],
  ['title', 'Title'],
  ['status', 'Status'],
  ['priority', 'Priority'],
  ['assigneeId', 'Assignee'],
  ['dueDate', 'Due'],
  ['estimate', 'Days'],
  ['updatedAt', 'Updated'],
] as const;

export function TableHead({
  orderBy,
  onOrder,
}: {
  orderBy: string;
  onOrder: (orderBy: string) => void;
}): ReactNode {
  return (
    <div role="rowgroup" className="table-head">
      <div role="row" className="table-row">
        <div role="columnheader" className="cell-select">
          <span className="visually-hidden">Select</span>
        </div>
        {COLUMNS.map(([name, title]) => {
          const direction = orderBy === name ? 'ascending' : orderBy === `-${name}` ? 'descending' : 'none';
          return (
            <div key={name} role="columnheader" aria-sort={direction} className={`cell-${name}`}>
              <button type="button" onClick={() => onOrder(direction === 'ascending' ? `-${name}` : name)}>
                {title}
                <span aria-hidden="true" className={`sort-mark ${direction}`} />
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}
