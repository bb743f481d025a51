// One issue in full, every part of it editable in place.
import { useSuspense } from 'holdfast/react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { formatId } from '../board/card.tsx';
import { useKeptScroll } from '../navigation/kept-scroll.tsx';
import { FieldChoice } from '../conflicts/field-choice.tsx';
import { Link, useCorrectAddress, useNavigation, usePane } from '../navigation/navigation.tsx';
import { usePageTitle } from '../navigation/page-title.ts';
import { IssueResource } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import { SaveMarker, useSaveState } from '../saving/save-state.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { EditableText } from '../ui/editable-text.tsx';
import { FieldError } from '../ui/field-error.tsx';
import { LineIcon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ActivityList } from './activity-list.tsx';
import { Comments } from './comments.tsx';
import { Facts } from './facts.tsx';
import { IssueTitle } from './issue-title.tsx';
import { useFieldErrors } from './use-field-errors.ts';
import { useIssueActions } from './use-issue-actions.ts';

interface IssueViewProps {
  id: string;
  onShown: () => void;
}

export function IssueView({ id, onShown }: IssueViewProps): ReactNode {
  const issue = useSuspense(IssueResource.get, { id });
  const project = useSuspense(ProjectResource.get, { id: issue.projectId });
  const errorOf = useFieldErrors(id);
  const scroller = useRef<HTMLElement>(null);
  useKeptScroll(scroller, id);
  usePageTitle(`${formatId(issue)} ${issue.title}`);
  useEffect(onShown, [onShown]);
  const { change, remove } = useIssueActions();
  const state = useSaveState(id);
  const { slot, navigate } = usePane();
  const { closeSide } = useNavigation();
  // a new issue gets its real id while it is open
  useCorrectAddress(`/issues/${issue.id}`);
  const leave = (): void => (slot === 'side' ? closeSide() : navigate(`/board/${project.id}`));

  return (
    <article ref={scroller} className={`issue ${state.className}`} aria-label={`Issue ${id}`} tabIndex={-1}>
      <div className="issue-body">
        <header className="issue-head" data-issue={id}>
          <nav aria-label="Where this issue is">
            <Link to={`/board/${project.id}`} target="main">
              {project.name}
            </Link>
            <span aria-hidden="true">/</span>
            <span className="issue-id">{formatId(issue)}</span>
          </nav>
          <SaveMarker state={state} />
          <button
            type="button"
            className="icon-button"
            aria-label={`Delete ${id}`}
            title="Delete"
            onClick={() => {
              leave();
              remove(id);
            }}
          >
            <LineIcon name="trash" />
          </button>
        </header>
        <h1 className="visually-hidden">{issue.title}</h1>
        <IssueTitle id={id} />
        <Facts issue={issue} />
        <EditableText
          className="issue-description"
          label="Description"
          placeholder="Describe what is wanted, and why"
          isMultiline
          value={issue.description}
          onSave={(description) => change(id, { description })}
        />
        <FieldChoice id={id} field="description" />
        <FieldError name="Description" message={errorOf('description')} />
        <Boundary name="the comments" fallback={<Skeleton label="comments" count={2} />}>
          <Comments issueId={id} />
        </Boundary>
        <Boundary name="the activity" fallback={<Skeleton label="activity" count={3} />}>
          <ActivityList issueId={id} />
        </Boundary>
      </div>
    </article>
  );
}
