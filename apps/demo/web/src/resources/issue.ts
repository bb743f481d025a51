// Issues: the one resource behind the board, the table, the detail page and the sidebar.
import { BigNumber } from 'bignumber.js';
import { createResource, Entity, inPages, orderBy, schema, totalOf } from 'holdfast';
import type { Meta } from 'holdfast';
import { issueActivity } from './activity.ts';
import { DemoEndpoint } from './demo-endpoint.ts';
import { SORT_VALUES } from './issue-order.ts';
import { Project } from './project.ts';
import type { Label, Priority, Status } from './vocabulary.ts';

export class Issue extends Entity {
  static override key = 'Issue';
  id = '';
  projectId = '';
  title = '';
  description = '';
  status: Status = 'backlog';
  priority: Priority = 'none';
  assigneeId: string | null = null;
  labels: Label[] = [];
  /** A calendar day like 2026-11-15, or null. Not a Date: a day has no time zone. */
  dueDate: string | null = null;
  /** Days of work, with every digit the server sent. */
  estimate: BigNumber | null = null;
  commentCount = 0;
  createdAt = new Date(0);
  updatedAt = new Date(0);
  /** Counts the writes on the server. */
  version = 0;
  static override schema = {
    estimate: BigNumber,
    createdAt: Date,
    updatedAt: Date,
    project: Project,
    activity: issueActivity,
  };
  override pk(): string {
    return this.id;
  }

  /** Two requests may reach the server in another order than they were sent; its version says which was last. */
  static override shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: { version?: number },
    incoming: { version?: number },
  ): boolean {
    return existing.version && incoming.version && existing.version !== incoming.version
      ? incoming.version < existing.version
      : super.shouldReorder(existingMeta, incomingMeta, existing, incoming);
  }
}

export interface IssueFilter {
  projectId?: string;
  status?: Status;
  priority?: Priority;
  assigneeId?: string;
  label?: Label;
  q?: string;
  orderBy?: string;
}

/** What a form may send: the server's field names, with the estimate as a decimal text. */
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
}

const IssueBase = createResource({
  urlPrefix: '/api',
  path: '/issues/:id',
  schema: Issue,
  Endpoint: DemoEndpoint,
  optimistic: true,
  body: {} as IssueInput,
  searchParams: {} as IssueFilter,
});

const issues = new schema.Collection([Issue], { order: orderBy('orderBy', SORT_VALUES) });

export const IssueResource = IssueBase.extend({
  getList: {
    schema: {
      results: issues,
      total: totalOf(issues),
      cursor: '',
    },
    paginationField: 'cursor',
    pages: inPages({ next: 'cursor' }),
    // a creation whose answer was lost is repeated, and the server makes no second one
    idempotencyKey: true,
  },
});

/** Changes and deletes many at once; the answer names what became of each. */
export const bulkIssues = new DemoEndpoint({
  urlPrefix: '/api',
  path: '/issues/bulk',
  method: 'POST',
  body: {} as { update?: ({ id: string } & Partial<IssueInput>)[]; delete?: string[] },
  schema: { updated: [Issue], deleted: [new schema.Invalidate(Issue)], projects: [Project] },
});
