// The database file of a visitor: a file of an older demo is replaced without being lost, and lists stay fast.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../server/database.ts';
import type { Database } from '../server/database.ts';
import { createIssueQuery } from '../server/issue-query.ts';
import { readPage } from '../server/paging.ts';
import { isEmpty, seed } from '../server/seed.ts';
import { createFolder, FIXED_NOW_MS, startDemo } from './support.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => void (folder = createFolder()));
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

function makeOlderFile(file: string): DatabaseSync {
  const old = new DatabaseSync(file);
  old.exec(`pragma journal_mode = wal; pragma user_version = 2;
    create table issue (id text primary key, title text); insert into issue values ('LTH-1', 'By a visitor')`);
  return old;
}

test('a database file of an older demo is kept under another name, and the demo starts with fresh data', async () => {
  const file = join(folder.path, 'demo.db');
  makeOlderFile(file).close();
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});

  const demo = await startDemo({ file });

  expect(await demo.json('GET', '/api/issues?limit=1')).toMatchObject({ total: 300 });
  await demo.close();
  const kept = readdirSync(folder.path).find((name) => name.startsWith('demo.db.version-2'))!;
  expect(error).toHaveBeenCalledWith(expect.stringContaining(kept));
  const old = new DatabaseSync(join(folder.path, kept));
  expect(old.prepare('select title from issue').get()).toEqual({ title: 'By a visitor' });
  old.close();
});

test('an older database file that is still open keeps the changes that are only in its journal', () => {
  const file = join(folder.path, 'demo.db');
  const open = makeOlderFile(file);
  vi.spyOn(console, 'error').mockImplementation(() => {});

  const db = openDatabase(file);
  expect(isEmpty(db)).toBe(true);
  db.close();

  const kept = readdirSync(folder.path).find((name) => /version-2\.\d+$/.test(name))!;
  const old = new DatabaseSync(join(folder.path, kept));
  expect(old.prepare('select title from issue').get()).toEqual({ title: 'By a visitor' });
  old.close();
  open.close();
});

test('a database file of this demo opens with the data that it had', async () => {
  const file = join(folder.path, 'demo.db');
  const first = await startDemo({ file });
  await first.request('PATCH', '/api/issues/LTH-1', { title: 'Kept' });
  await first.close();

  const second = await startDemo({ file });

  expect(await second.json('GET', '/api/issues/LTH-1')).toMatchObject({ title: 'Kept' });
  // a session continues, too
  const headers = { cookie: first.cookie };
  expect((await second.request('PATCH', '/api/issues/LTH-1', { title: 'Mine' }, headers)).status).toBe(200);
  await second.close();
});

test.each([
  ['projectId=LTH&status=todo&orderBy=rank', 'issue_by_column (project_id=? AND status=?)'],
  ['orderBy=rank', 'issue_by_rank'],
  ['orderBy=-updatedAt', 'issue_by_update'],
  ['orderBy=-createdAt', 'issue_by_creation'],
])('a window of %s is found in an index, and only the rows of the window are sorted', (query, index) => {
  const db = openDatabase(':memory:');
  seed(db, { issues: 300, nowMs: FIXED_NOW_MS });
  const plans: unknown[][] = [];
  const explained: Database = {
    ...db,
    all(sql, ...values) {
      plans.push(db.all(`explain query plan ${sql}`, ...values).map((row) => row['detail']));
      return db.all(sql, ...values);
    },
  };

  const search = Object.fromEntries(new URLSearchParams(query));
  readPage(explained, createIssueQuery(search), { offset: 200, limit: 100 }, new URL('http://harbor/api'));

  const [plan = []] = plans;
  // the index search comes first; then only the rows of the window are read and sorted
  expect(plan.slice(0, 3)).toEqual([
    'CO-ROUTINE place',
    expect.stringContaining(` INDEX ${index}`) as unknown,
    expect.stringMatching(/^SCAN (place|subquery)/) as unknown,
  ]);
  db.close();
});
