// Beside a field that two people have changed: whose value counts? Nothing is loaded for it until it is asked.
import { useWatched } from 'holdfast/react';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import type { OpenConflict } from 'holdfast/http';
import { Issue } from '../resources/issue.ts';
import { http } from './rules.ts';

const Choice = lazy(async () => ({ default: (await import('./choice.tsx')).Choice }));

export function useConflicts(id: string): readonly OpenConflict[] {
  return useWatched(http.conflicts(Issue, { id }));
}

/** Nothing where the field is not in conflict. An empty field stands for the whole issue. */
export function FieldChoice({ id, field }: { id: string; field: string }): ReactNode {
  const conflict = useConflicts(id).find((open) => open.field === field);
  return (
    conflict && (
      <Suspense>
        <Choice conflict={conflict} />
      </Suspense>
    )
  );
}
