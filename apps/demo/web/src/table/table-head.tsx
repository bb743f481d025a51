// The column titles. Each one sorts; a second click reverses the order.
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

interface TableHeadProps {
  orderBy: string;
  onOrder: (orderBy: string) => void;
  hasSelection: boolean;
  /** Selects every loaded row, or none. */
  onSelectAll: () => void;
}

export function TableHead({ orderBy, onOrder, hasSelection, onSelectAll }: TableHeadProps): ReactNode {
  return (
    <div role="rowgroup" className="table-head">
      <div role="row" className="table-row">
        <div role="columnheader" className="cell-select">
          <input
            type="checkbox"
            aria-label={hasSelection ? 'Clear the selection' : 'Select all loaded issues'}
            checked={hasSelection}
            onChange={onSelectAll}
          />
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
