// The change log behind the event stream. Writers record inside their transaction, so a change is in the log exactly when its
// data is in the tables; announce() then notifies the open streams.
import { EventEmitter } from 'node:events';
import type { Database } from './database.ts';
import { readComment, readIssueSummary, readProject, readUser } from './representation.ts';

export type ChangeType = 'user' | 'project' | 'issue' | 'comment';

export interface ChangeEvent {
  seq: number;
  op: 'upsert' | 'delete';
  type: string;
  id: string;
  value?: unknown;
  /** The page that created it. */
  clientId: string | null;
}

/** Older changes are dropped; a client that needs them gets a message to start over. */
const KEPT = 5_000;

export class ChangeLog {
  readonly #db: Database;
  readonly #signal = new EventEmitter();

  constructor(db: Database) {
    this.#db = db;
    this.#signal.setMaxListeners(0);
  }

  /** Records a change. Call inside the transaction that makes it. */
  record(op: ChangeEvent['op'], type: ChangeType, id: string, clientId?: string): void {
    const values = [type, id, op, clientId ?? null];
    this.#db.run('insert into change (type, id, op, client_id) values (?, ?, ?, ?)', ...values);
    this.#db.run(`delete from change where seq <= (select max(seq) from change) - ${KEPT}`);
  }

  /** Notifies the streams. Call after the commit. */
  announce(): void {
    this.#signal.emit('change');
  }

  onChange(listener: () => void): () => void {
    this.#signal.on('change', listener);
    return () => void this.#signal.off('change', listener);
  }

  get latest(): number {
    return Number(this.#db.get("select seq from sqlite_sequence where name = 'change'")?.['seq'] ?? 0);
  }

  /** The changes after `seq`, each thing in its newest state; undefined when they are no longer in the log. */
  after(seq: number): ChangeEvent[] | undefined {
    const oldest = Number(this.#db.get('select min(seq) n from change')?.['n'] ?? this.latest + 1);
    if (seq + 1 < oldest || seq > this.latest) return undefined;
    return this.#db.all('select * from change where seq > ? order by seq', seq).map((row) => {
      const type = String(row['type']);
      const id = String(row['id']);
      const value = row['op'] === 'delete' ? undefined : this.#read(type, id);
      const change = { seq: Number(row['seq']), type, id, clientId: row['client_id'] as string | null };
      // deleted since: the entry for that deletion follows, and an upsert without a value would be wrong
      return value === undefined ? { ...change, op: 'delete' } : { ...change, op: 'upsert', value };
    });
  }

  #read(type: string, id: string): unknown {
    switch (type) {
      case 'user':
        return readUser(this.#db, id);
      case 'project':
        return readProject(this.#db, id);
      case 'issue':
        return readIssueSummary(this.#db, id);
      default: {
        const issueId = this.#db.get('select issue_id from comment where seq = ?', id)?.['issue_id'];
        return issueId === undefined ? undefined : readComment(this.#db, String(issueId), id);
      }
    }
  }
}
