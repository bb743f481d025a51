// Shown in place of an issue that does not exist: it was deleted while it was open, or never existed.
import { useMutation, useQuery } from 'holdfast/react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from '../navigation/navigation.tsx';
import { usePageTitle } from '../navigation/page-title.ts';
import { Issue } from '../resources/issue.ts';
import { restoreIssue } from '../resources/restore.ts';
import { explain } from '../saving/describe-failure.ts';
import { LineIcon } from '../ui/icons.tsx';

interface GoneIssueProps {
  id: string;
  /** True when it was on screen before. */
  wasShown: boolean;
  onRetry: () => void;
}

export function GoneIssue({ id, wasShown, onRetry }: GoneIssueProps): ReactNode {
  const { mutate: restore, isPending: isRestoring, error } = useMutation(restoreIssue);
  usePageTitle(`${id} is gone`);
  const project = /^([A-Z]+)-\d+$/.exec(id)?.[1];
  // whoever restores it: then it is shown again
  const issue = useQuery(Issue, { id });
  const [wasThere] = useState(issue !== undefined);
  const isBack = issue !== undefined && !wasThere;
  useEffect(() => {
    if (isBack) onRetry();
  }, [isBack, onRetry]);
  return (
    <div className="error-card" role="alert">
      <LineIcon name="trash" />
      <div>
        <h1>{wasShown ? `${id} was deleted` : 'Nothing to see here'}</h1>
        <p>
          {wasShown
            ? 'It was deleted while you had it open, and can be brought back.'
            : `There is no issue ${id}.`}
          {error && ` It did not come back: ${explain(error)}.`}
        </p>
      </div>
      {wasShown && (
        <button
          type="button"
          className="button primary"
          disabled={isRestoring}
          onClick={() => restore({ id })}
        >
          {isRestoring ? 'Restoring…' : 'Restore it'}
        </button>
      )}
      <button type="button" className="button" onClick={onRetry}>
        <LineIcon name="retry" /> Try again
      </button>
      <Link to={project ? `/board/${project}` : '/table'} target="main" className="button">
        {project ? 'To the board' : 'All issues'}
      </Link>
    </div>
  );
}
