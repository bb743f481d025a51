// A hundred rows of the table, as one list. Stored rows are shown at once; the list is requested when the scrolling stops here.
import { viewKey } from 'holdfast';
import { useCache, useController, useDLE } from 'holdfast/react';
import type { ReactNode } from 'react';
import type { IssueFilter } from '../resources/issue.ts';
import { IssueResource } from '../resources/issue.ts';
import { windowOf } from '../resources/lists.ts';
import { explain } from '../saving/describe-failure.ts';
import { TableRow } from './table-row.tsx';

interface TableWindowProps {
  filter: IssueFilter;
  offset: number;
  /** Its rows that are near the window: the index of the first, and one past the last. */
  first: number;
  end: number;
  rowHeight: number;
  isWanted: boolean;
  /** True when some rows failed their checks. */
  hasLeftOut: boolean;
  selected: ReadonlySet<string>;
  onSelect: (id: string) => void;
}

export function TableWindow(props: TableWindowProps): ReactNode {
  const { filter, offset, first, end, rowHeight, isWanted, hasLeftOut, selected, onSelect } = props;
  const list = windowOf(filter, offset);
  const controller = useController();
  const stored = useCache(IssueResource.getList, list);
  const { error } = useDLE(IssueResource.getList, isWanted ? list : null);

  if (!stored && error) {
    return (
      <div role="row" className="table-row is-notice" style={placeAt(first, rowHeight)}>
        <div role="cell">
          Could not load these rows: {explain(error)}{' '}
          <button
            type="button"
            className="button small"
            onClick={() => void controller.fetch(IssueResource.getList, list)}
          >
            Try again
          </button>
        </div>
      </div>
    );
  }
  const near = stored?.results?.slice(first - offset, end - offset) ?? [];
  const missing = Array.from(
    { length: end - first - near.length },
    (_, index) => first + near.length + index,
  );
  return (
    <>
      {near.map((issue, index) => (
        <TableRow
          key={viewKey(issue)}
          issue={issue}
          position={first + index}
          height={rowHeight}
          isSelected={selected.has(issue.id)}
          onSelect={onSelect}
        />
      ))}
      {missing.map((position) => (
        <div
          key={position}
          role="row"
          aria-rowindex={position + 2}
          className={stored ? 'table-row is-gap' : 'table-row is-ghost'}
          style={placeAt(position, rowHeight)}
        >
          <div role="cell">
            {stored && hasLeftOut && 'Left out: it did not pass its checks'}
            {!stored && <span className="visually-hidden">Loading</span>}
          </div>
        </div>
      ))}
    </>
  );
}

/** The index of a row in the table. */
function placeAt(position: number, height: number): { transform: string; height: number } {
  return { transform: `translateY(${position * height}px)`, height };
}
