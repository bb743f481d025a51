// Writes issues: one transaction each, with the activity entries and change-log records that belong to it. Routes validate
// first and read the result back afterwards.
import type { Database } from './database.ts';
import type { Actor, Journal } from './journal.ts';
import { invalid, notFound, Problem } from './problem.ts';
import { isRank, rankOnTop } from './ranks.ts';
import { readIssueSummary } from './representation.ts';
import type { IssueFields, IssueSummaryJson } from './representation.ts';

/** The values of PUT and POST for fields that the body omits. */
const DEFAULTS: Omit<IssueFields, 'title' | 'rank'> = {
  description: '',
  status: 'backlog',
  priority: 'none',
  assigneeId: null,
  labels: [],
  dueDate: null,
  estimate: null,
};

const FIELD_NAMES = ['title', 'rank', ...Object.keys(DEFAULTS)] as (keyof IssueFields)[]; // cast: the record's own keys

/** The results of the rows of a bulk request. */
export interface BulkOutcome {
  readonly updated: string[];
  readonly deleted: string[];
  readonly failed: { id: string; status: number; message: string }[];
  readonly projectIds: string[];
}

/** One row of a bulk request; without fields it is a deletion. */
export interface BulkRow {
  readonly id: string;
  readonly fields?: Partial<IssueFields>;
  /** The reason for a refusal, or undefined. */
  readonly refusal?: Problem | undefined;
}

export class IssueStore {
  readonly #db: Database;
  readonly #journal: Journal;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
  }

  create(actor: Actor, input: { projectId: string; title: string } & Partial<IssueFields>): string {
    const { projectId, ...fields } = input;
    return this.#journal.once(actor, () => {
      const project = this.#db.get('select next_number n from project where id = ?', projectId);
      if (!project) throw invalid([{ field: 'projectId', message: 'names no project' }]);
      const id = `${projectId}-${project['n']}`;
      this.#db.run('update project set next_number = next_number + 1 where id = ?', projectId);
      const { status = DEFAULTS.status } = fields;
      const issue = { ...DEFAULTS, rank: rankOnTop(this.#db, projectId, status), ...fields };
      this.#check(issue);
      const now = new Date().toISOString();
      this.#db.run(
        `insert into issue (title, description, status, priority, assignee_id, labels, due_date, estimate, rank,
           id, project_id, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...toColumns(issue),
        id,
        projectId,
        now,
        now,
      );
      this.#journal.note({ issueId: id, projectId, actorId: actor.userId, kind: 'created' });
      this.#journal.record('upsert', 'issue', id, actor.clientId);
      this.#journal.record('upsert', 'project', projectId);
      return id;
    });
  }

  /** Merges the given fields; omitted fields stay. */
  patch(actor: Actor, id: string, fields: Partial<IssueFields>): void {
    this.#journal.commit(() => this.#patch(actor, id, fields));
  }

  /** Replaces every writable field; omitted fields return to their defaults, but the issue keeps its place. */
  replace(actor: Actor, id: string, fields: { title: string } & Partial<IssueFields>): void {
    this.#journal.commit(() => this.#patch(actor, id, { ...DEFAULTS, ...fields }));
  }

  delete(actor: Actor, id: string): void {
    this.#journal.commit(() => this.#delete(actor, id));
  }

  /** Restores a deleted issue unchanged, with its comments, at the same place. */
  restore(actor: Actor, id: string): void {
    this.#journal.once(actor, () => {
      const row = this.#db.get('select project_id from deleted_issue where id = ?', id);
      if (!row) {
        throw readIssueSummary(this.#db, id)
          ? new Problem(409, `${id} is not deleted.`)
          : notFound('issue', id);
      }
      this.#move('deleted_', '', id);
      // one more than the deleted version: a page that still gets an old response can see which is newer
      this.#db.run('update issue set version = version + 1 where id = ?', id);
      const projectId = String(row['project_id']);
      this.#journal.note({ issueId: id, projectId, actorId: actor.userId, kind: 'restored' });
      this.#journal.record('upsert', 'issue', id);
      this.#journal.record('upsert', 'project', projectId);
      return id;
    });
  }

  /** One transaction, but each row succeeds or fails on its own. */
  bulk(actor: Actor, rows: readonly BulkRow[]): BulkOutcome {
    return this.#journal.once(actor, () => {
      const [updated, deleted, projectIds] = [new Set<string>(), new Set<string>(), new Set<string>()];
      const failed: BulkOutcome['failed'] = [];
      for (const { id, fields, refusal } of rows) {
        try {
          const { projectId } = this.#require(id);
          if (refusal) throw refusal;
          if (fields) this.#patch(actor, id, fields);
          else this.#delete(actor, id);
          (fields ? updated : deleted).add(id);
          projectIds.add(projectId);
        } catch (error) {
          // every check of a row comes before its first write, so a refused row has changed nothing
          if (!(error instanceof Problem)) throw error;
          const fault = error.errors.map(({ field, message }) => `${field} ${message}`).join(', ');
          failed.push({ id, status: error.status, message: fault || error.message });
        }
      }
      return { updated: [...updated], deleted: [...deleted], failed, projectIds: [...projectIds] };
    });
  }

  #require(id: string): IssueSummaryJson {
    const issue = readIssueSummary(this.#db, id);
    if (!issue) throw notFound('issue', id);
    return issue;
  }

  #patch(actor: Actor, id: string, fields: Partial<IssueFields>): void {
    const before = this.#require(id);
    const after: IssueFields = { ...before, ...fields };
    this.#check(after);
    const changed = FIELD_NAMES.filter((name) => String(before[name]) !== String(after[name]));
    if (changed.length === 0) return;
    this.#db.run(
      `update issue set title = ?, description = ?, status = ?, priority = ?, assignee_id = ?, labels = ?,
         due_date = ?, estimate = ?, rank = ?, updated_at = ?, version = version + 1 where id = ?`,
      ...toColumns(after),
      new Date().toISOString(),
      id,
    );
    for (const name of changed) {
      // the place of a card in its column is no activity
      if (name === 'rank') continue;
      const isLong = name === 'description';
      const [from, to] = [before[name], after[name]].map((value) =>
        isLong || value === null ? null : String(value),
      );
      this.#journal.note({
        issueId: id,
        projectId: before.projectId,
        actorId: actor.userId,
        kind: 'changed',
        field: name,
        before: from,
        after: to,
      });
    }
    this.#journal.record('upsert', 'issue', id);
    if (changed.includes('status')) this.#journal.record('upsert', 'project', before.projectId);
  }

  #delete(actor: Actor, id: string): void {
    const { projectId, title } = this.#require(id);
    this.#move('', 'deleted_', id);
    this.#journal.note({
      issueId: id,
      projectId,
      actorId: actor.userId,
      kind: 'deleted',
      field: 'title',
      before: title,
    });
    this.#journal.record('delete', 'issue', id);
    this.#journal.record('upsert', 'project', projectId);
  }

  /** Moves an issue and its comments between the tables of present and of deleted rows. */
  #move(from: '' | 'deleted_', to: '' | 'deleted_', id: string): void {
    this.#db.run(`insert into ${to}issue select * from ${from}issue where id = ?`, id);
    this.#db.run(`insert into ${to}comment select * from ${from}comment where issue_id = ?`, id);
    // the foreign key deletes its comments, too
    this.#db.run(`delete from ${from}issue where id = ?`, id);
  }

  #check({ assigneeId, rank }: IssueFields): void {
    if (assigneeId !== null && !this.#db.get('select 1 from user where id = ?', assigneeId)) {
      throw invalid([{ field: 'assigneeId', message: 'names no user' }]);
    }
    if (!isRank(rank)) throw invalid([{ field: 'rank', message: 'is not a fractional index' }]);
  }
}

function toColumns(issue: IssueFields): (string | null)[] {
  const { title, description, status, priority, assigneeId, labels, dueDate, estimate, rank } = issue;
  const text = JSON.stringify(labels);
  return [title.trim(), description, status, priority, assigneeId, text, dueDate, estimate, rank];
}
