// The common part of every write: one transaction with the activity entries and change-log records that belong to it, and at most
// once per request key. The stores of issues and comments write through it.
import type { ChangeEvent, ChangeLog, ChangeType } from './changes.ts';
import type { Database } from './database.ts';
import { invalid } from './problem.ts';

/**
 * Who writes: the person, for the activity; the page, so that the stream does not send it its own creations; and a name for this
 * request, under which repeating it has no further effect.
 */
export interface Actor {
  readonly userId: string;
  readonly clientId?: string | undefined;
  readonly requestKey?: string | undefined;
  /** Method and path: a request key is valid for one of them. */
  readonly requestTarget: string;
}

interface ActivityEntry {
  issueId: string;
  projectId: string;
  actorId: string;
  kind: 'created' | 'changed' | 'commented' | 'deleted' | 'restored';
  field?: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

export class Journal {
  readonly #db: Database;
  readonly #changes: ChangeLog;

  constructor(db: Database, changes: ChangeLog) {
    this.#db = db;
    this.#changes = changes;
  }

  commit<T>(body: () => T): T {
    const result = this.#db.transaction(body);
    this.#changes.announce();
    return result;
  }

  /** Writes at most once per request key: a request that is repeated after a lost response gets the result of the first one. */
  once<T>(actor: Actor, body: () => T): T {
    const { userId, requestKey, requestTarget } = actor;
    if (requestKey === undefined) return this.commit(body);
    return this.commit(() => {
      const known = this.#db.get('select * from request where user_id = ? and key = ?', userId, requestKey);
      if (known && known['target'] !== requestTarget) {
        throw invalid([{ field: 'Idempotency-Key', message: 'was used for another request' }]);
      }
      if (known) return JSON.parse(String(known['result'])) as T; // cast: written below by the same kind of request
      const result = body();
      const values = [userId, requestKey, requestTarget, JSON.stringify(result)];
      this.#db.run('insert into request (user_id, key, target, result) values (?, ?, ?, ?)', ...values);
      return result;
    });
  }

  /** Adds to the change log that the stream sends. */
  record(op: ChangeEvent['op'], type: ChangeType, id: string, clientId?: string): void {
    this.#changes.record(op, type, id, clientId);
  }

  /** Adds to the visible activity of an issue. */
  note(entry: ActivityEntry): void {
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
