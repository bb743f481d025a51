// Issues: the one resource behind the board, the table, the detail page and the sidebar.
import { BigNumber } from 'bignumber.js';
import { createResource, inPages, orderBy, schema, totalOf, versionBy } from 'holdfast';
import type { Snapshot } from 'holdfast';
import { check, EntityOf } from 'holdfast/validate';
import * as v from 'valibot';
import { issueActivity } from './activity.ts';
import { DemoEndpoint } from './demo-endpoint.ts';
import { FIELD_ERRORS } from './field-errors.ts';
import { SORT_VALUES } from './issue-order.ts';
import { guessCounts, Project } from './project.ts';
import type { Move } from './project.ts';
import { PRIORITIES, STATUSES } from './vocabulary.ts';
import type { Label, Priority, Status } from './vocabulary.ts';

/** The fields that the page requires. A row of a list that violates this is left out and reported. */
const CheckedIssue = EntityOf(
  'Issue',
  {
    id: check(v.string()),
    title: check(v.string()),
    status: check(v.picklist(STATUSES)),
    priority: check(v.picklist(PRIORITIES)),
    dueDate: check(v.nullable(v.pipe(v.string(), v.isoDate()))),
  },
  { onInvalid: 'drop' },
);

export class Issue extends CheckedIssue {
  override id = '';
  projectId = '';
  override title = '';
  description = '';
  override status: Status = 'backlog';
  override priority: Priority = 'none';
  assigneeId: string | null = null;
  labels: Label[] = [];
  /** A calendar day like 2026-11-15, or null. Not a Date: a day has no time zone. */
  override dueDate: string | null = null;
  /** Days of work, with every digit the server sent. */
  estimate: BigNumber | null = null;
  commentCount = 0;
  /** Its place in a column: a string between those of its neighbours. */
  rank = '';
  createdAt = new Date(0);
  updatedAt = new Date(0);
  /** Counts the writes on the server. */
  version = 0;
  static override schema = {
    estimate: BigNumber,
    createdAt: Date,
    updatedAt: Date,
    // lazy: an issue does not change because the counts of its project or its activity do
    project: new schema.Lazy(Project),
    activity: new schema.Lazy(issueActivity),
  };
  /** Two requests may reach the server in another order than they were sent; its count shows which was last. */
  static override version = versionBy('version');
}

export interface IssueFilter {
  projectId?: string;
  status?: Status;
  priority?: Priority;
  assigneeId?: string;
  label?: Label;
  q?: string;
  orderBy?: string;
  /** The first row of a window and its number of rows: each window is a separate list. */
  offset?: number;
  limit?: number;
}

/** The fields that a form may send: the field names of the server, with the estimate as a decimal string. */
export interface IssueInput {
  title: string;
  projectId?: string;
  description?: string;
  status?: Status;
  priority?: Priority;
  assigneeId?: string | null;
  labels?: Label[];
  dueDate?: string | null;
  estimate?: string | null;
  rank?: string;
}

// #region declaration
const IssueBase = createResource({
  urlPrefix: '/api',
  path: '/issues/:id',
  schema: Issue,
  Endpoint: DemoEndpoint,
  optimistic: true,
  errors: { 422: FIELD_ERRORS },
  body: {} as IssueInput,
  searchParams: {} as IssueFilter,
});

const issues = new schema.Collection([Issue], {
  order: orderBy('orderBy', SORT_VALUES),
});
// #endregion

/** The effect of a change of the status on the project of the issue; none where the issue is not stored. Null removes it. */
export function moveOf(snapshot: Snapshot, id: string, status: Status | null | undefined): Move[] {
  const issue = snapshot.get(Issue, { id });
  return issue && status !== undefined
    ? [{ projectId: issue.projectId, from: issue.status, to: status }]
    : [];
}

/** The version that a change is for: the server refuses the change where somebody else has changed the issue meanwhile. */
const precondition = ({ version }: Issue): { 'If-Match': string } => ({ 'If-Match': `"${version}"` });

// the optimistic update includes the counts of the project, so that they match the rows
export const IssueResource = IssueBase.extend({
  partialUpdate: {
    precondition,
    getOptimisticResponse(snapshot: Snapshot, { id }: { id: string }, fields: Partial<IssueInput>) {
      const [project] = guessCounts(snapshot, moveOf(snapshot, id, fields.status));
      return { id, ...fields, ...(project && { project }) };
    },
  },
  delete: {
    precondition,
    getOptimisticResponse(snapshot: Snapshot, { id }: { id: string }) {
      const [project] = guessCounts(snapshot, moveOf(snapshot, id, null));
      return { id, ...(project && { project }) };
    },
  },
  getList: {
    schema: {
      results: issues,
      total: totalOf(issues),
      cursor: '',
    },
    paginationField: 'cursor',
    pages: inPages({ next: 'cursor' }),
    // a creation whose response was lost is repeated, and the server creates no second one
    idempotencyKey: true,
  },
});

/** A creation that is shown at once, with the count of its project. */
export const addIssue = IssueResource.getList.push.extend({
  getOptimisticResponse(snapshot: Snapshot, fields: IssueInput & { projectId: string; status: Status }) {
    const { projectId, status } = fields;
    const [project] = guessCounts(snapshot, [{ projectId, from: null, to: status }]);
    return { ...fields, ...(project && { project }) };
  },
});
