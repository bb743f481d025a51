// Writes issues and comments: one transaction each, with the activity entries and change-log
// records that belong to it. Routes validate first and read the result back afterwards.
import type { ChangeLog } from './changes.ts';
import type { Database } from './database.ts';
import { invalid, notFound } from './problem.ts';
import { readIssueSummary } from './representation.ts';
import type { IssueFields, IssueSummaryJson } from './representation.ts';

/** What PUT and POST fill in for fields that the body leaves out. */
const DEFAULTS: Omit<IssueFields, 'title'> = {
  description: '',
  status: 'backlog',
  priority: 'none',
  assigneeId: null,
  labels: [],
  dueDate: null,
  estimate: null,
};

const FIELD_NAMES = ['title', ...Object.keys(DEFAULTS)] as (keyof IssueFields)[]; // cast: the record's own keys

/** Who writes: the person, for the activity; the page, so that the stream does not show it its own creations twice; and a name
 *  for this very request, under which repeating it has no further effect. */
export interface Actor {
  readonly userId: string;
  readonly clientId?: string | undefined;
  readonly requestKey?: string | undefined;
}

interface ActivityEntry {
  issueId: string;
  projectId: string;
  actorId: string;
  kind: 'created' | 'changed' | 'commented' | 'deleted';
  field?: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

export class IssueStore {
  readonly #db: Database;
  readonly #changes: ChangeLog;

  constructor(db: Database, changes: ChangeLog) {
    this.#db = db;
    this.#changes = changes;
  }

  create(actor: Actor, input: { projectId: string; title: string } & Partial<IssueFields>): string {
    const { projectId, ...fields } = input;
    return this.#once(actor, () => {
      const project = this.#db.get('select next_number n from project where id = ?', projectId);
      if (!project) throw invalid([{ field: 'projectId', message: 'names no project' }]);
      const id = `${projectId}-${project['n']}`;
      this.#db.run('update project set next_number = next_number + 1 where id = ?', projectId);
      const issue: IssueFields = { ...DEFAULTS, ...fields };
      this.#checkAssignee(issue.assigneeId);
      const now = new Date().toISOString();
      this.#db.run(
        `insert into issue (title, description, status, priority, assignee_id, labels, due_date, estimate,
           id, project_id, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...toColumns(issue),
        id,
        projectId,
        now,
        now,
      );
      this.#note({ issueId: id, projectId, actorId: actor.userId, kind: 'created' });
      this.#changes.record('upsert', 'issue', id, actor.clientId);
      this.#changes.record('upsert', 'project', projectId);
      return id;
    });
  }

  /** Merges the given fields; what is not named stays. */
  patch(actor: Actor, id: string, fields: Partial<IssueFields>): void {
    this.#commit(() => this.#patch(actor, id, fields));
  }

  /** Replaces every writable field; what is not named returns to its default. */
  replace(actor: Actor, id: string, fields: { title: string } & Partial<IssueFields>): void {
    this.#commit(() => this.#patch(actor, id, { ...DEFAULTS, ...fields }));
  }

  delete(actor: Actor, id: string): void {
    this.#commit(() => this.#delete(actor, id));
  }

  /** All or nothing: one entry that is not valid undoes the rest. */
  bulk(
    actor: Actor,
    updates: readonly ({ id: string } & Partial<IssueFields>)[],
    deletes: readonly string[],
  ): void {
    this.#commit(() => {
      updates.forEach(({ id, ...fields }, index) => {
        if (!readIssueSummary(this.#db, id))
          throw invalid([{ field: `update.${index}.id`, message: 'names no issue' }]);
        this.#patch(actor, id, fields, `update.${index}.`);
      });
      deletes.forEach((id, index) => {
        if (!readIssueSummary(this.#db, id))
          throw invalid([{ field: `delete.${index}`, message: 'names no issue' }]);
        this.#delete(actor, id);
      });
    });
  }

  addComment(actor: Actor, issueId: string, body: string): string {
    return this.#once(actor, () => {
      const issue = this.#require(issueId);
      const now = new Date().toISOString();
      const row = this.#db.get(
        'insert into comment (issue_id, author_id, body, created_at, updated_at) values (?, ?, ?, ?, ?) returning seq',
        issueId,
        actor.userId,
        body,
        now,
        now,
      );
      const id = String(row?.['seq']);
      this.#countComments(issueId);
      this.#note({ issueId, projectId: issue.projectId, actorId: actor.userId, kind: 'commented' });
      this.#changes.record('upsert', 'comment', id, actor.clientId);
      return id;
    });
  }

  editComment(issueId: string, id: string, body: string): void {
    this.#commit(() => {
      const now = new Date().toISOString();
      this.#db.run('update comment set body = ?, updated_at = ? where seq = ?', body, now, id);
      this.#touch(issueId);
      this.#changes.record('upsert', 'comment', id);
    });
  }

  deleteComment(issueId: string, id: string): void {
    this.#commit(() => {
      this.#db.run('delete from comment where seq = ?', id);
      this.#countComments(issueId);
      this.#changes.record('delete', 'comment', id);
    });
  }

  #commit<T>(body: () => T): T {
    const result = this.#db.transaction(body);
    this.#changes.announce();
    return result;
  }

  /** Creates at most once per request key: a request repeated after a lost answer finds what it made. */
  #once(actor: Actor, create: () => string): string {
    const { userId, requestKey } = actor;
    if (requestKey === undefined) return this.#commit(create);
    return this.#commit(() => {
      const known = this.#db.get('select id from request where user_id = ? and key = ?', userId, requestKey);
      if (known) return String(known['id']);
      const id = create();
      this.#db.run('insert into request (user_id, key, id) values (?, ?, ?)', userId, requestKey, id);
      return id;
    });
  }

  #require(id: string): IssueSummaryJson {
    const issue = readIssueSummary(this.#db, id);
    if (!issue) throw notFound('issue', id);
    return issue;
  }

  #patch(actor: Actor, id: string, fields: Partial<IssueFields>, prefix = ''): void {
    const before = this.#require(id);
    const after: IssueFields = { ...before, ...fields };
    this.#checkAssignee(after.assigneeId, prefix);
    const changed = FIELD_NAMES.filter((name) => String(before[name]) !== String(after[name]));
    if (changed.length === 0) return;
    this.#db.run(
      `update issue set title = ?, description = ?, status = ?, priority = ?, assignee_id = ?, labels = ?,
         due_date = ?, estimate = ?, updated_at = ?, version = version + 1 where id = ?`,
      ...toColumns(after),
      new Date().toISOString(),
      id,
    );
    for (const name of changed) {
      const isLong = name === 'description';
      const [from, to] = [before[name], after[name]].map((value) =>
        isLong || value === null ? null : String(value),
      );
      this.#note({
        issueId: id,
        projectId: before.projectId,
        actorId: actor.userId,
        kind: 'changed',
        field: name,
        before: from,
        after: to,
      });
    }
    this.#changes.record('upsert', 'issue', id);
    if (changed.includes('status')) this.#changes.record('upsert', 'project', before.projectId);
  }

  #delete(actor: Actor, id: string): void {
    const { projectId, title } = this.#require(id);
    this.#db.run('delete from issue where id = ?', id);
    this.#note({
      issueId: id,
      projectId,
      actorId: actor.userId,
      kind: 'deleted',
      field: 'title',
      before: title,
    });
    this.#changes.record('delete', 'issue', id);
    this.#changes.record('upsert', 'project', projectId);
  }

  #checkAssignee(id: string | null, prefix = ''): void {
    if (id !== null && !this.#db.get('select 1 from user where id = ?', id)) {
      throw invalid([{ field: `${prefix}assigneeId`, message: 'names no user' }]);
    }
  }

  #countComments(issueId: string): void {
    const count = '(select count(*) from comment where issue_id = issue.id)';
    this.#db.run(`update issue set comment_count = ${count} where id = ?`, issueId);
    this.#touch(issueId);
  }

  #touch(issueId: string): void {
    this.#db.run(
      'update issue set updated_at = ?, version = version + 1 where id = ?',
      new Date().toISOString(),
      issueId,
    );
    this.#changes.record('upsert', 'issue', issueId);
  }

  #note(entry: ActivityEntry): void {
    const { issueId, projectId, actorId, kind, field = null, before = null, after = null } = entry;
    this.#db.run(
      'insert into activity (issue_id, project_id, actor_id, kind, field, before, after, at) values (?, ?, ?, ?, ?, ?, ?, ?)',
      issueId,
      projectId,
      actorId,
      kind,
      field,
      before,
      after,
      new Date().toISOString(),
    );
  }
}

function toColumns(issue: IssueFields): (string | null)[] {
  const { title, description, status, priority, assigneeId, labels, dueDate, estimate } = issue;
  return [title.trim(), description, status, priority, assigneeId, JSON.stringify(labels), dueDate, estimate];
}
