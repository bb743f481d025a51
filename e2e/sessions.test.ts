// Sessions in a real browser: tabs that share the browser's own locks, channel, storage and cookies, and a server that rotates
// refresh tokens and detects their reuse. In Chromium, or in the engine that HOLDFAST_ENGINE names.
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchEngine } from '../scripts/engines.ts';
import type { Engine } from '../scripts/engines.ts';
import { serveCookies } from '../packages/holdfast/test/support/cookie-sessions.ts';
import { startTokenServer } from '../packages/holdfast/test/support/token-server.ts';
import type { TokenServer } from '../packages/holdfast/test/support/token-server.ts';
import type { SessionApp } from './sessions/page.ts';

const sources = resolve(import.meta.dirname, '../packages/holdfast/src');
let script: string;
let engine: Engine;
let server: TokenServer;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'sessions/page.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias: {
      'holdfast/auth': join(sources, 'auth.ts'),
      holdfast: join(sources, 'index.ts'),
      '#env': join(sources, 'env.development.ts'),
    },
  });
  script = outputFiles[0]!.text;
});

beforeEach(async () => {
  server = await startTokenServer();
  serveCookies(server);
  const html =
    '<!doctype html><title>Sessions</title><p id="root"></p><script type="module" src="/page.js"></script>';
  server.server.on('GET', '/', { headers: { 'content-type': 'text/html' }, body: html });
  server.server.on('GET', '/page.js', { headers: { 'content-type': 'text/javascript' }, body: script });
  engine = await launchEngine();
});
afterEach(async () => {
  await engine.close();
  await server.close();
});

type Call = <N extends keyof SessionApp>(
  name: N,
  ...args: Parameters<SessionApp[N]>
) => Promise<Awaited<ReturnType<SessionApp[N]>>>;

async function openTab(search = ''): Promise<Call> {
  const tab = await engine.open(`${server.url}/${search}`);
  await expect.poll(() => tab.run(() => 'app' in globalThis)).toBe(true);
  return (name, ...args) =>
    tab.run(
      (method, given) => {
        const { app } = globalThis as unknown as { app: Record<string, (...all: unknown[]) => never> };
        return app[method]!(...given);
      },
      name,
      args,
    );
}

for (const search of ['', '?cookie']) {
  const kind = search ? 'cookies' : 'a bearer token';

  test(`a hundred requests of three tabs that meet an expired session by ${kind} cause one refresh and no replay`, async () => {
    const tabs = [await openTab(search), await openTab(search), await openTab(search)];
    await tabs[0]!('logIn', 'ann');
    for (const call of tabs) await expect.poll(() => call('session')).toBe('ann');
    server.book.expire();

    const ids = Array.from({ length: 100 }, (_, index) => String(index));
    const answers = await Promise.all(
      tabs.map((call, at) =>
        call(
          'ask',
          ids.filter((_, index) => index % 3 === at),
        ),
      ),
    );

    expect(answers.flat()).toEqual(ids.map(() => 'ann'));
    expect(server.book).toMatchObject({ refreshes: 1, replays: 0, refused: 0 });
    expect(server.mostAtOnce).toBe(1);
    for (const call of tabs) expect(await call('problems')).toEqual([]);
  });

  test(`a log-out with ${kind} empties its own tab at once, and the other tabs too`, async () => {
    const [one, other] = [await openTab(search), await openTab(search)];
    await one('logIn', 'ann');
    await expect.poll(() => other('session')).toBe('ann');
    for (const call of [one, other]) {
      await call('show');
      await expect.poll(() => call('shown')).toBe('item of ann');
    }

    expect(await one('logOut')).toBe('nothing');

    await expect.poll(() => other('shown')).toBe('nothing');
    expect(await other('session')).toBeUndefined();

    await one('logIn', 'bob');
    await expect.poll(() => other('shown')).toBe('item of bob');
  });
}

test('a tab that got no message shows nothing of an ended session from the moment it is visible again', async () => {
  for (const event of ['visibilitychange', 'focus', 'pageshow', 'resume']) {
    const [one, other] = [await openTab(), await openTab('?frozen')];
    await one('logIn', 'ann');
    await expect.poll(() => other('stored')).not.toBeNull();
    await other('comeBack', event);
    await other('show');
    await expect.poll(() => other('shown')).toBe('item of ann');

    await one('logOut');
    await expect.poll(() => other('stored')).toBeNull();

    expect(await other('shown')).toBe('item of ann');
    expect(await other('comeBack', event)).toBe('nothing');
  }
});
