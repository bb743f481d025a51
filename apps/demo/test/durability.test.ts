// No acknowledged write is lost when the process is killed in the middle of its work, and an unacknowledged one can be repeated.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../server/database.ts';
import type { IssueJson } from '../server/representation.ts';
import { seed } from '../server/seed.ts';
import { createFolder, FIXED_NOW_MS, readCookies, signIn } from './support.ts';

let folder: ReturnType<typeof createFolder>;
let child: ChildProcess | undefined;
beforeEach(() => void (folder = createFolder()));
afterEach(async () => {
  await kill();
  folder.remove();
});

async function startProcess(): Promise<string> {
  const file = join(folder.path, 'demo.db');
  const db = openDatabase(file);
  if (!db.get('select 1 from user')) seed(db, { issues: 50, nowMs: FIXED_NOW_MS });
  db.close();
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

async function kill(): Promise<void> {
  const killed = child;
  child = undefined;
  if (!killed || killed.exitCode !== null || killed.signalCode !== null) return;
  killed.kill('SIGKILL');
  await once(killed, 'exit');
}

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function send(url: string, cookie: string, step: Step): Promise<Response> {
  const response = await fetch(url + step.path, {
    method: step.method,
    headers: { cookie, 'content-type': 'application/json', ...step.headers },
    ...(step.body === undefined ? {} : { body: JSON.stringify(step.body) }),
  });
  // the whole response, not only its first line: a kill may cut it
  const text = await response.text();
  return new Response(text, { status: response.status, headers: response.headers });
}

async function ask<T>(url: string, cookie: string, method: string, path: string, body?: unknown): Promise<T> {
  return (await (await send(url, cookie, { method, path, body })).json()) as T;
}

/** Repeats steps until the kill cuts one off, which it returns: that step may or may not have happened. */
async function repeat(run: (step: Step) => Promise<unknown>, steps: (nth: number) => Step): Promise<Step> {
  for (let nth = 0; ; nth++) {
    const step = steps(nth);
    try {
      await run(step);
    } catch (error) {
      // the error of fetch for a broken connection; anything else is a failure of the test
      if (error instanceof TypeError) return step;
      throw error;
    }
  }
}

async function killWhen(isEnough: () => boolean): Promise<void> {
  while (!isEnough()) await new Promise((done) => setTimeout(done, 5));
  await kill();
}

test('every acknowledged create survives kill -9', async () => {
  const url = await startProcess();
  const cookie = await signIn(url, 'mira');
  const acknowledged: string[] = [];
  const writers = Array.from({ length: 4 }, (_, writer) =>
    repeat(
      async (step) => {
        const { id } = (await (await send(url, cookie, step)).json()) as IssueJson;
        acknowledged.push(id);
      },
      (nth) => ({
        method: 'POST',
        path: '/api/issues',
        body: { projectId: 'LTH', title: `Writer ${writer}, issue ${nth}` },
      }),
    ),
  );
  await killWhen(() => acknowledged.length >= 40);
  await Promise.all(writers);

  const restarted = await startProcess();
  const path = '/api/issues?projectId=LTH&limit=500';
  const stored = await ask<{ results: IssueJson[] }>(restarted, cookie, 'GET', path);
  const ids = new Set(stored.results.map((issue) => issue.id));
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
});

test('every acknowledged deletion and restoration survives kill -9', async () => {
  const url = await startProcess();
  const cookie = await signIn(url, 'mira');
  const issues: { id: string; restored: number; cut: Promise<Step> }[] = [];
  for (let writer = 0; writer < 3; writer++) {
    const { id } = await ask<IssueJson>(url, cookie, 'POST', '/api/issues', {
      projectId: 'LTH',
      title: 'Given',
    });
    await ask(url, cookie, 'POST', `/api/issues/${id}/comments`, { body: 'Kept' });
    const issue = { id, restored: 0, cut: Promise.resolve<Step>({ method: '', path: '' }) };
    issue.cut = repeat(
      async (step) => {
        const { status } = await send(url, cookie, step);
        expect(status).toBe(200);
        if (step.method === 'POST') issue.restored++;
      },
      (nth) =>
        nth % 2 === 0
          ? { method: 'DELETE', path: `/api/issues/${id}` }
          : {
              method: 'POST',
              path: `/api/issues/${id}/restore`,
              headers: { 'idempotency-key': `restore-${id}-${nth}` },
            },
    );
    issues.push(issue);
  }
  await killWhen(() => issues.every(({ restored }) => restored >= 5));
  const cuts = await Promise.all(issues.map(({ cut }) => cut));

  const restarted = await startProcess();
  for (const [index, { id, restored }] of issues.entries()) {
    const cut = cuts[index]!;
    const { status } = await send(restarted, cookie, cut);
    // a deletion that had happened cannot be repeated; a restoration has a key and can
    expect(cut.method === 'DELETE' ? [200, 404] : [200]).toContain(status);
    if (cut.method === 'DELETE') await ask(restarted, cookie, 'POST', `/api/issues/${id}/restore`);
    const issue = await ask<IssueJson>(restarted, cookie, 'GET', `/api/issues/${id}`);
    expect(issue).toMatchObject({ commentCount: 1, version: 2 + restored + 1 });
    expect(await ask<unknown[]>(restarted, cookie, 'GET', `/api/issues/${id}/comments`)).toHaveLength(1);
  }
});

test('a bulk change happens as a whole or not at all, and can be repeated with its key after kill -9', async () => {
  const url = await startProcess();
  const cookie = await signIn(url, 'mira');
  const ids = Array.from({ length: 8 }, (_, index) => `LTH-${index + 1}`);
  let rounds = 0;
  const writer = repeat(
    async (step) => {
      const { failed } = (await (await send(url, cookie, step)).json()) as { failed: unknown[] };
      expect(failed).toHaveLength(1);
      rounds++;
    },
    (nth) => ({
      method: 'POST',
      path: '/api/issues/bulk',
      body: { update: [...ids, 'LTH-0'].map((id) => ({ id, title: `Round ${nth}` })) },
      headers: { 'idempotency-key': `bulk-${nth}` },
    }),
  );
  await killWhen(() => rounds >= 20);
  const cut = await writer;

  const restarted = await startProcess();
  const read = (): Promise<IssueJson[]> =>
    Promise.all(ids.map((id) => ask<IssueJson>(restarted, cookie, 'GET', `/api/issues/${id}`)));
  const titles = new Set((await read()).map((issue) => issue.title));
  expect(titles.size).toBe(1);
  expect([`Round ${rounds - 1}`, `Round ${rounds}`]).toContain([...titles][0]);

  await send(restarted, cookie, cut);
  const last = await read();
  expect(new Set(last.map((issue) => issue.title))).toEqual(new Set([`Round ${rounds}`]));
  expect(new Set(last.map((issue) => issue.version))).toEqual(new Set([rounds + 2]));
});

test('a session that is killed during its renewals continues after the restart', async () => {
  const url = await startProcess();
  let cookie = await signIn(url, 'mira');
  let renewals = 0;
  const writer = repeat(
    async (step) => {
      const response = await send(url, cookie, step);
      expect(response.status).toBe(200);
      cookie = readCookies(response);
      renewals++;
    },
    (nth) => ({
      method: 'POST',
      path: '/api/session/refresh',
      headers: { 'idempotency-key': `renewal-${nth}` },
    }),
  );
  await killWhen(() => renewals >= 20);
  const cut = await writer;

  const restarted = await startProcess();
  const response = await send(restarted, cookie, cut);
  expect(response.status).toBe(200);
  cookie = readCookies(response);
  expect(await ask(restarted, cookie, 'GET', '/api/session/log')).toEqual({
    renewals: renewals + 1,
    replays: 0,
  });
  const patch = { method: 'PATCH', path: '/api/issues/LTH-1', body: { title: 'Still signed in' } };
  expect((await send(restarted, cookie, patch)).status).toBe(200);
});

test('the seed is deterministic and has 10,000 issues', () => {
  const [first, second] = [openDatabase(':memory:'), openDatabase(':memory:')];
  const options = { nowMs: FIXED_NOW_MS };

  seed(first, options);
  seed(second, options);

  for (const table of ['user', 'project', 'issue', 'comment', 'activity']) {
    expect(first.all(`select * from ${table}`)).toEqual(second.all(`select * from ${table}`));
  }
  expect(first.get('select count(*) n from issue')?.['n']).toBe(10_000);
  expect(first.get('select count(distinct rank) n from issue')?.['n']).toBe(10_000);
});
