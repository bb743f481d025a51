// Writes comments, and with each the count and the version of its issue. Routes validate first and read the result back
// afterwards.
import type { Database } from './database.ts';
import type { Actor, Journal } from './journal.ts';
import { notFound } from './problem.ts';
import { readIssueSummary } from './representation.ts';

export class CommentStore {
  readonly #db: Database;
  readonly #journal: Journal;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
  }

  add(actor: Actor, issueId: string, body: string): string {
    return this.#journal.once(actor, () => {
      const issue = readIssueSummary(this.#db, issueId);
      if (!issue) throw notFound('issue', issueId);
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
      this.#count(issueId);
      this.#journal.note({ issueId, projectId: issue.projectId, actorId: actor.userId, kind: 'commented' });
      this.#journal.record('upsert', 'comment', id, actor.clientId);
      return id;
    });
  }

  edit(issueId: string, id: string, body: string): void {
    this.#journal.commit(() => {
      const now = new Date().toISOString();
      this.#db.run('update comment set body = ?, updated_at = ? where seq = ?', body, now, id);
      this.#touch(issueId);
      this.#journal.record('upsert', 'comment', id);
    });
  }

  delete(issueId: string, id: string): void {
    this.#journal.commit(() => {
      this.#db.run('delete from comment where seq = ?', id);
      this.#count(issueId);
      this.#journal.record('delete', 'comment', id);
    });
  }

  #count(issueId: string): void {
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
    this.#journal.record('upsert', 'issue', issueId);
  }
}
