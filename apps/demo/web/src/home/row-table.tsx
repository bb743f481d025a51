// The table beside the board: the same rows. Nothing connects the two but the data.
import { viewKey } from 'holdfast';
import { useSuspense } from 'holdfast/react';
import { memo, useDeferredValue } from 'react';
import type { ReactNode } from 'react';
import { formatId } from '../board/card.tsx';
import { Link } from '../navigation/navigation.tsx';
import { IssueResource } from '../resources/issue.ts';
import type { Issue } from '../resources/issue.ts';
import type { Status } from '../resources/vocabulary.ts';
import { pickValue, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { SaveMarker, useSaveState } from '../saving/save-state.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { StatusIcon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useRenderMark } from '../xray/render-count.ts';
import { rowsOf } from './rows-of.ts';

interface RowTableProps {
  projectId: string;
  status: Status | null;
  onFilter: (status: Status | null) => void;
}

/** Only the first rows are shown. */
const ROWS_SHOWN = 24;

export function RowTable({ projectId, status, onFilter }: RowTableProps): ReactNode {
  // the old rows stay until the new ones have arrived
  const shown = useDeferredValue(status);
  return (
    <section className="row-table" aria-label="The same rows as a table" aria-busy={shown !== status}>
      <header>
        <h2>The same rows as a table</h2>
        <span className="spacer" />
        <select
          className={status ? 'filter is-set' : 'filter'}
          aria-label="Status of the rows"
          value={status ?? ''}
          onChange={(event) => onFilter(pickValue(STATUSES, event.target.value) ?? null)}
        >
          <option value="">Any status</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {STATUS_NAMES[one]}
            </option>
          ))}
        </select>
      </header>
      <Boundary name="the rows" fallback={<Skeleton label="rows" kind="row" count={8} />}>
        <Rows projectId={projectId} status={shown} />
      </Boundary>
    </section>
  );
}

function Rows({ projectId, status }: Pick<RowTableProps, 'projectId' | 'status'>): ReactNode {
  const { results, total } = useSuspense(IssueResource.getList, rowsOf(projectId, status));
  return (
    <div className="rows" role="region" aria-label="Rows" tabIndex={0}>
      <table>
        <caption className="visually-hidden">{total} issues, the most urgent first</caption>
        <colgroup>
          <col className="of-id" />
          <col />
          <col className="of-status" />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Issue</th>
            <th scope="col">Title</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {results.slice(0, ROWS_SHOWN).map((issue) => (
            <Row key={viewKey(issue)} issue={issue} />
          ))}
        </tbody>
      </table>
      {total > ROWS_SHOWN && (
        <p className="rows-more">
          <Link to={`/table?projectId=${projectId}`} target="main">
            All {total.toLocaleString('en')} in the table
          </Link>
        </p>
      )}
    </div>
  );
}

const Row = memo(function Row({ issue }: { issue: Issue }): ReactNode {
  const { id, title, status } = issue;
  const state = useSaveState(id);
  const row = useRenderMark<HTMLTableRowElement>('row');
  return (
    <tr ref={row} className={state.className} data-row={id}>
      <td className="issue-id">{formatId(issue)}</td>
      <th scope="row">
        <Link to={`/issues/${id}`} target="beside">
          {title}
        </Link>
        <SaveMarker state={state} />
      </th>
      <td className="row-status">
        <StatusIcon status={status} /> {STATUS_NAMES[status]}
      </td>
    </tr>
  );
});
