// All issues in one table. The address of the pane contains the filter and the order, so a filtered table can be shared,
// reloaded, and shown twice side by side with different filters.
import { lazy, useDeferredValue } from 'react';
import type { ReactNode } from 'react';
import { usePane } from '../navigation/navigation.tsx';
import { readFilter } from '../resources/lists.ts';
import { Boundary } from '../ui/boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filters } from './filters.tsx';
import { IssueTable } from './issue-table.tsx';

// for npm run bench -- frames: the same table without the library
const PlainTable = lazy(async () => ({ default: (await import('./plain-table.tsx')).PlainTable }));

export function TablePage(): ReactNode {
  const { search, path, navigate } = usePane();
  // the controls show the choice at once; the rows of the former choice stay until the new ones have arrived
  const wanted = search.toString();
  const shown = useDeferredValue(wanted);
  const change = (changes: Record<string, string>): void => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    // a choice can be taken back with the browser's Back; each typed letter is no place of its own
    navigate(`${path}?${next}`, { replace: 'q' in changes });
  };
  return (
    <section className="table-page" aria-label="All issues" aria-busy={wanted !== shown}>
      <h1 className="visually-hidden">All issues</h1>
      <Boundary name="the filters" fallback={<div className="filters" />}>
        <Filters filter={readFilter(search)} onChange={change} />
      </Boundary>
      <Boundary name="the issues" fallback={<Skeleton label="issues" kind="row" count={14} />}>
        {search.has('plain') ? (
          <PlainTable orderBy={readFilter(search).orderBy ?? ''} />
        ) : (
          <IssueTable
            key={shown}
            name={shown}
            filter={readFilter(new URLSearchParams(shown))}
            onOrder={(orderBy) => change({ orderBy })}
          />
        )}
      </Boundary>
    </section>
  );
}
