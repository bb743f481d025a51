// Nothing that was acknowledged is lost when the process is killed in the middle of its work.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../server/database.ts';
import { seed } from '../server/seed.ts';
import { createFolder, FIXED_NOW_MS } from './support.ts';

const folder = createFolder();
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  folder.remove();
});

async function startProcess(file: string): Promise<string> {
  const main = resolve(import.meta.dirname, '../server/main.ts');
  child = spawn(process.execPath, [main], { env: { ...process.env, PORT: '0', DEMO_DATABASE: file } });
  let output = '';
  for await (const chunk of child.stdout!) {
    output += String(chunk);
    const url = /http:\/\/\S+/.exec(output)?.[0];
    if (url) return url;
  }
  throw new Error(`the server did not start: ${output}`);
}

test('every acknowledged create survives kill -9', async () => {
  const file = join(folder.path, 'demo.db');
  const db = openDatabase(file);
  seed(db, { issues: 50, nowMs: FIXED_NOW_MS });
  db.close();
  const url = await startProcess(file);
  const acknowledged: string[] = [];
  let isKilled = false;

  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let nth = 0; !isKilled; nth++) {
      try {
        const response = await fetch(`${url}/api/issues`, {
          method: 'POST',
          headers: { cookie: 'demo_user=mira', 'content-type': 'application/json' },
          body: JSON.stringify({ projectId: 'LTH', title: `Writer ${writer}, issue ${nth}` }),
        });
        acknowledged.push(((await response.json()) as { id: string }).id);
      } catch {
        return; // cut off by the kill: not acknowledged, may or may not be there
      }
    }
  });
  while (acknowledged.length < 40) await new Promise((done) => setTimeout(done, 5));
  child!.kill('SIGKILL');
  await once(child!, 'exit');
  isKilled = true;
  await Promise.all(writers);

  const restarted = await startProcess(file);
  const stored = (await (await fetch(`${restarted}/api/issues?projectId=LTH&limit=500`)).json()) as {
    results: { id: string }[];
  };
  const ids = new Set(stored.results.map((issue) => issue.id));
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
});

test('the seed is deterministic and holds 10,000 issues', () => {
  const [first, second] = [openDatabase(':memory:'), openDatabase(':memory:')];
  const options = { nowMs: FIXED_NOW_MS };

  seed(first, options);
  seed(second, options);

  for (const table of ['user', 'project', 'issue', 'comment', 'activity']) {
    expect(first.all(`select * from ${table}`)).toEqual(second.all(`select * from ${table}`));
  }
  expect(first.get('select count(*) n from issue')?.['n']).toBe(10_000);
});
