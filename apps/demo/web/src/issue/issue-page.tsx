// One issue in full, or a notice that there is none.
import { isHttpError } from 'holdfast';
import { AsyncBoundary } from 'holdfast/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { search } from '../keyboard/search.ts';
import { ErrorCard } from '../ui/boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { GoneIssue } from './gone-issue.tsx';
import { IssueView } from './issue-view.tsx';

export function IssuePage({ id }: { id: string }): ReactNode {
  const [wasShown, setWasShown] = useState(false);
  const found = useExternalValue(search);
  return (
    <AsyncBoundary
      fallback={
        // without a search before, nothing is known of an issue that is not whole
        found ? <found.IssueSummary id={id} /> : <Skeleton label="the issue" kind="page" count={6} />
      }
      errorComponent={({ error, resetErrorBoundary }) =>
        isHttpError(error, 404) ? (
          <GoneIssue id={id} wasShown={wasShown} onRetry={resetErrorBoundary} />
        ) : (
          <ErrorCard name="this issue" error={error} onRetry={resetErrorBoundary} />
        )
      }
    >
      <IssueView id={id} onShown={() => setWasShown(true)} />
    </AsyncBoundary>
  );
}
