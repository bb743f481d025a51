// Opens the demo's database file and makes its tables. Called once by listen; everything else
// receives the Database it returns. Every acknowledged write is on disk before the reply is sent.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Raise it when the tables change; the data is only a demo's, so it is seeded anew instead of migrated. */
const TABLES_VERSION = 2;

const TABLES = `
create table if not exists user (
  id text primary key, name text not null, role text not null, hue integer not null) strict;
create table if not exists project (
  id text primary key, name text not null, description text not null, hue integer not null,
  next_number integer not null default 1) strict;
create table if not exists issue (
  seq integer primary key autoincrement, id text not null unique, project_id text not null references project(id),
  title text not null, description text not null, status text not null, priority text not null,
  assignee_id text references user(id), labels text not null, due_date text, estimate text,
  comment_count integer not null default 0, created_at text not null, updated_at text not null,
  version integer not null default 1) strict;
create index if not exists issue_by_column on issue(project_id, status);
create index if not exists issue_by_assignee on issue(assignee_id, status);
create table if not exists comment (
  seq integer primary key autoincrement, issue_id text not null references issue(id) on delete cascade,
  author_id text not null references user(id), body text not null, created_at text not null,
  updated_at text not null) strict;
create index if not exists comment_by_issue on comment(issue_id, created_at);
create table if not exists activity (
  seq integer primary key autoincrement, issue_id text not null, project_id text not null,
  actor_id text not null references user(id), kind text not null, field text, before text, after text,
  at text not null) strict;
create index if not exists activity_by_issue on activity(issue_id, seq);
create index if not exists activity_by_project on activity(project_id, seq);
create table if not exists change (
  seq integer primary key autoincrement, type text not null, id text not null, op text not null,
  client_id text) strict;
create table if not exists request (
  user_id text not null, key text not null, id text not null, primary key (user_id, key)) strict;
`;

export type Row = Record<string, SQLInputValue>;

/** One open database file, with statements prepared once and transactions that roll back on a throw. */
export interface Database {
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  run(sql: string, ...values: SQLInputValue[]): void;
  transaction<T>(body: () => T): T;
  close(): void;
}

export function openDatabase(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const connection = new DatabaseSync(file);
  // FULL, not WAL's usual NORMAL: a commit must survive a power cut too, not only kill -9
  connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  const { user_version: version } = connection.prepare('pragma user_version').get() as {
    user_version: number;
  };
  if (version !== 0 && version !== TABLES_VERSION) {
    connection.close();
    throw new Error(`${file} was made by another version of the demo: run "npm run reset -w demo".`);
  }
  connection.exec(TABLES);
  connection.exec(`pragma user_version = ${TABLES_VERSION}`);

  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = prepared.get(sql);
    if (!statement) prepared.set(sql, (statement = connection.prepare(sql)));
    return statement;
  };

  return {
    all: (sql, ...values) => prepare(sql).all(...values) as Row[], // cast: no blobs or functions in these tables
    get: (sql, ...values) => prepare(sql).get(...values) as Row | undefined,
    run: (sql, ...values) => void prepare(sql).run(...values),
    transaction(body) {
      connection.exec('begin immediate');
      try {
        const result = body();
        connection.exec('commit');
        return result;
      } catch (error) {
        connection.exec('rollback');
        throw error;
      }
    },
    close: () => connection.close(),
  };
}
