// What is known of an issue that a search has found, while the rest of it is on its way. Nothing here can be edited: a change is for a
// version of the whole issue.
import { useCovered } from 'holdfast/local/react';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { IssueResource } from '../resources/issue.ts';
import { PRIORITY_NAMES, STATUS_NAMES } from '../resources/vocabulary.ts';
import { PriorityIcon, StatusIcon } from '../ui/icons.tsx';
import { Labels } from '../ui/labels.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function IssueSummary({ id }: { id: string }): ReactNode {
  const { data, missing } = useCovered(IssueResource.get, { id });
  if (!data) return <Skeleton label="the issue" kind="page" count={6} />;
  const { title, status, priority, labels = [], description } = data;
  return (
    <section className="issue" aria-label={`Issue ${id}, loading`} aria-busy="true">
      <div className="issue-body">
        <div className="issue-head">
          <span className="issue-id">{id}</span>
        </div>
        <h1 className="issue-title">{title}</h1>
        <dl className="facts">
          <dt>Status</dt>
          <dd>
            {status && <StatusIcon status={status} />} {status && STATUS_NAMES[status]}
          </dd>
          <dt>Priority</dt>
          <dd>
            {priority && <PriorityIcon priority={priority} />} {priority && PRIORITY_NAMES[priority]}
          </dd>
          {/* the rows stay where they are when the whole issue arrives */}
          {['Assignee', 'Due', 'Estimate'].map((name) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>…</dd>
            </Fragment>
          ))}
          <dt>Labels</dt>
          <dd>
            <Labels labels={labels} />
          </dd>
        </dl>
        {missing.includes('description') ? (
          <Skeleton label="the description" count={3} />
        ) : (
          <p className="issue-description">{description}</p>
        )}
      </div>
    </section>
  );
}
