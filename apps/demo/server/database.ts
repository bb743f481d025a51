// Opens the database file of the demo and creates its tables. Called once by listen; everything else receives the Database it
// returns. Every acknowledged write is on disk before the response is sent.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Raise it when the tables change; this is demo data, so an older file is renamed instead of migrated. */
const TABLES_VERSION = 3;

const ISSUE_COLUMNS = `
  seq integer primary key autoincrement, id text not null unique, project_id text not null references project(id),
  title text not null, description text not null, status text not null, priority text not null,
  assignee_id text references user(id), labels text not null, due_date text, estimate text, rank text not null,
  comment_count integer not null default 0, created_at text not null, updated_at text not null,
  version integer not null default 1, flaw text`;

const COMMENT_COLUMNS = `
  author_id text not null references user(id), body text not null, created_at text not null,
  updated_at text not null`;

/** Orders by rank, then by id: a blank sorts before every character of a rank. */
export const BY_RANK = "rank || ' ' || id";

// Deleted rows move to separate tables with the same columns, so that lists and counts never contain them.
const TABLES = `
create table if not exists about (name text primary key, value text not null) strict;
create table if not exists user (
  id text primary key, name text not null, role text not null, hue integer not null) strict;
create table if not exists project (
  id text primary key, name text not null, description text not null, hue integer not null,
  next_number integer not null default 1) strict;
create table if not exists issue (${ISSUE_COLUMNS}) strict;
create index if not exists issue_by_column on issue(project_id, status, (${BY_RANK}));
create index if not exists issue_by_rank on issue((${BY_RANK}));
create index if not exists issue_by_update on issue(updated_at);
create index if not exists issue_by_creation on issue(created_at);
create index if not exists issue_by_assignee on issue(assignee_id, status);
create table if not exists comment (
  seq integer primary key autoincrement, issue_id text not null references issue(id) on delete cascade,
  ${COMMENT_COLUMNS}) strict;
create index if not exists comment_by_issue on comment(issue_id, created_at);
create table if not exists deleted_issue (${ISSUE_COLUMNS}) strict;
create table if not exists deleted_comment (
  seq integer primary key autoincrement, issue_id text not null references deleted_issue(id) on delete cascade,
  ${COMMENT_COLUMNS}) strict;
create index if not exists deleted_comment_by_issue on deleted_comment(issue_id);
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
  user_id text not null, key text not null, target text not null, result text not null,
  primary key (user_id, key)) strict;
create table if not exists session (
  id text primary key, user_id text not null references user(id), is_revoked integer not null default 0,
  renewals integer not null default 0, replays integer not null default 0) strict;
create table if not exists token (
  hash text primary key, session_id text not null references session(id) on delete cascade, kind text not null,
  expires_at integer not null, parent text, is_used integer not null default 0, used_key text) strict;
create index if not exists token_by_session on token(session_id, kind, expires_at);
create index if not exists token_by_end on token(expires_at);
`;

/** The files that SQLite keeps beside a database. */
export const JOURNALS = ['-wal', '-shm'];

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
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true });
    putAsideIfOlder(file);
  }
  const connection = new DatabaseSync(file);
  // FULL, not WAL's usual NORMAL: a commit must survive a power cut too, not only kill -9
  connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  connection.exec(TABLES);
  connection.exec(`pragma user_version = ${TABLES_VERSION}`);
  connection.prepare("insert or ignore into about values ('id', ?)").run(randomUUID());

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

/** A file of another version of the demo keeps its data under another name, and the demo starts over. */
function putAsideIfOlder(file: string): void {
  if (!existsSync(file)) return;
  const connection = new DatabaseSync(file);
  const row = connection.prepare('pragma user_version').get() as { user_version: number };
  connection.close();
  const { user_version: version } = row;
  if (version === 0 || version === TABLES_VERSION) return;
  const kept = `${file}.version-${version}.${Date.now()}`;
  for (const suffix of ['', ...JOURNALS]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, kept + suffix);
  }
  console.error(
    `${file} was made by another version of the demo. It is kept as ${kept}; the demo starts with fresh data.`,
  );
}
