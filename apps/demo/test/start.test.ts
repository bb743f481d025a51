// `npm start`: the environment variables that it reads, also on a machine where a demo runs already.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openDatabase } from '../server/database.ts';
import { isEmpty, seed } from '../server/seed.ts';
import { createFolder, FIXED_NOW_MS } from './support.ts';

const folder = createFolder();
afterAll(() => folder.remove());
const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

async function start(name: string, given: Record<string, string> = {}): Promise<string> {
  const { PORT: _, ...rest } = process.env;
  const file = join(folder.path, name);
  const db = openDatabase(file);
  if (isEmpty(db)) seed(db, { issues: 10, nowMs: FIXED_NOW_MS });
  db.close();
  const env = { ...rest, DEMO_DATABASE: file, ...given };
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../server/main.ts')], { env });
  started.push(child);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const url = /http:\/\/\S+/.exec(output)?.[0];
    if (url) return url;
  }
  for await (const chunk of child.stderr) output += String(chunk);
  return output.trim();
}

test('a second demo runs beside the first, at another address', async () => {
  const urls = [await start('first.db'), await start('second.db')];

  const answers = await Promise.all(urls.map((url) => fetch(`${url}/api/openapi.json`)));
  expect(new Set(urls).size).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('the error about a requested port that is taken names the port', async () => {
  const { port } = new URL(await start('first.db', { PORT: '0' }));

  expect(await start('second.db', { PORT: port })).toBe(
    `Port ${port} is taken. Choose another one: PORT=4174 npm start`,
  );
});

test('DEMO_ACCESS_SECONDS sets how soon a session must be renewed', async () => {
  const url = await start('first.db', { PORT: '0', DEMO_ACCESS_SECONDS: '7' });

  const response = await fetch(`${url}/api/session`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"userId":"mira"}',
  });

  expect(response.headers.getSetCookie()[0]).toContain('Max-Age=7;');
});
