// All issues in one table. The pane's address holds the filter and the order, so a filtered table
// can be shared, reloaded, and shown twice side by side with different filters.
import { useDeferredValue } from 'react';
import type { ReactNode } from 'react';
import { usePane } from '../navigation/navigation.tsx';
import type { IssueFilter } from '../resources/issue.ts';
import { LABELS, pickValue, PRIORITIES, STATUSES } from '../resources/vocabulary.ts';
import { Boundary } from '../ui/boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filters } from './filters.tsx';
import { IssueTable } from './issue-table.tsx';

const DEFAULT_ORDER = '-updatedAt';

export function TablePage(): ReactNode {
  const { search, path, navigate } = usePane();
  const filter = readFilter(search);
  const shown = useDeferredValue(JSON.stringify(filter));
  const change = (changes: Record<string, string>): void => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    navigate(`${path}?${next}`, { replace: true });
  };
  return (
    <section className="table-page" aria-label="All issues">
      <h1 className="visually-hidden">All issues</h1>
      <Filters filter={filter} onChange={change} />
      <Boundary name="the issues" fallback={<Skeleton label="issues" kind="row" count={14} />}>
        <IssueTable
          key={shown}
          filter={JSON.parse(shown) as IssueFilter} // cast: written three lines above
          onOrder={(orderBy) => change({ orderBy })}
        />
      </Boundary>
    </section>
  );
}

function readFilter(search: URLSearchParams): IssueFilter {
  const filter: IssueFilter = { orderBy: search.get('orderBy') ?? DEFAULT_ORDER };
  const [projectId, assigneeId, q] = ['projectId', 'assigneeId', 'q'].map((name) => search.get(name));
  const status = pickValue(STATUSES, search.get('status'));
  const priority = pickValue(PRIORITIES, search.get('priority'));
  const label = pickValue(LABELS, search.get('label'));
  if (projectId) filter.projectId = projectId;
  if (status) filter.status = status;
  if (priority) filter.priority = priority;
  if (assigneeId) filter.assigneeId = assigneeId;
  if (label) filter.label = label;
  if (q) filter.q = q;
  return filter;
}
