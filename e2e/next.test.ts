// The example of Next.js, built by `next build` and served by `next start`, in a real browser.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startApi } from '../examples/next/api.ts';
import type { RunningApi } from '../examples/next/api.ts';
import { clickUntil, startBrowser } from './support/browser.ts';

const repository = resolve(import.meta.dirname, '..');
const example = join(repository, 'examples/next');
const browsing = startBrowser();
let api: RunningApi;
let next: ChildProcess;
let url = '';
/** Paths whose answers wait. */
const held = new Map<string, Promise<void>>();

/** The address that the server prints: it finds a free port itself, so nobody can take that one first. */
async function readAddress(output: Readable): Promise<string> {
  let printed = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const [, address] = /Local:\s+(http:\S+)\s/.exec(printed) ?? [];
    if (address) return address;
  }
  throw new Error(`no address was printed: ${printed}`);
}

beforeAll(async () => {
  if (!existsSync(join(example, '.next/BUILD_ID')))
    throw new Error('Not built: run "npm run check -- build:examples" first.');
  api = await startApi(async (path) => held.get(path));
  const program = join(repository, 'node_modules/next/dist/bin/next');
  next = spawn(process.execPath, [program, 'start', '-H', '127.0.0.1', '-p', '0'], {
    cwd: example,
    // what it logs of failures on the server is what a test asks for
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', API_URL: api.url },
  });
  url = await readAddress(next.stdout!);
  next.stdout!.resume(); // nobody reads the rest: a full pipe would stop the server
  await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), {
    timeout: 60_000,
    interval: 100,
  });
});
afterAll(async () => {
  next.kill();
  if (next.exitCode === null) await once(next, 'exit');
  api.close();
});
let seenBefore = 0;
beforeEach(() => {
  seenBefore = api.requests.length;
});

function hold(path: string): () => void {
  let release = (): void => undefined;
  held.set(path, new Promise((done) => void (release = done)));
  return () => {
    held.delete(path);
    release();
  };
}

const requests = (by?: 'browser' | 'server'): string[] =>
  api.requests
    .slice(seenBefore)
    .filter((request) => by === undefined || request.by === by)
    .map(({ what }) => what)
    .sort();

const readsOf = (id: string): string[] => [
  'GET /api/tasks',
  `GET /api/tasks/${id}`,
  `GET /api/tasks/${id}/blockers`,
  `GET /api/tasks/${id}/notes`,
];

test('a page of Next arrives with its data and works before its slow part arrives; nothing is requested twice', async () => {
  const release = hold('/api/tasks/1/notes');
  const { page, problems } = await browsing.open(`${url}/tasks/1`);
  await page.getByRole('heading', { name: 'Sand the hull' }).waitFor();
  await page.getByText('Loading the notes').waitFor();
  await clickUntil(
    page.getByRole('button', { name: 'Finish' }),
    page.getByRole('button', { name: 'Reopen' }),
  );
  await page.getByRole('link', { name: 'Sand the hull: done' }).waitFor();

  release();
  await page.getByRole('list', { name: 'Notes' }).getByText('on 1').waitFor();
  await page.waitForLoadState();
  // long enough for a second request, were there one
  await page.waitForTimeout(300);

  expect(requests('server')).toEqual(readsOf('1'));
  expect(requests('browser')).toEqual(['PATCH /api/tasks/1']);
  expect(await page.title()).toBe('Tasks');
  expect(problems).toEqual([]);
});

test('the states in the stream have the nonce of a strict policy, and contain no address of the API', async () => {
  const response = await fetch(`${url}/tasks/1`);
  const html = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
  const blocks = [...html.matchAll(/<script[^>]*data-holdfast[^>]*>/g)].map(([tag]) => tag);

  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(block).toContain(`nonce="${nonce}"`);
  expect(html.indexOf('"pk":"1"')).toBeLessThan(html.indexOf('Sand the hull</h2>'));
  expect(html).not.toContain(api.url);
});

test('a failure on the Next server is shown as that failure, without its body', async () => {
  const { page } = await browsing.open(`${url}/tasks/2`);
  await page.getByText('HttpError 500').waitFor();

  expect(requests()).toEqual(readsOf('2'));
  expect(await page.content()).not.toContain('hunter2');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => requests('browser')).toEqual(['GET /api/tasks/2/blockers']);
});

test('a task that the Next server found deleted is gone from the list, too', async () => {
  const { page } = await browsing.open(`${url}/tasks/3`);
  await page.getByText('HttpError 404').waitFor();

  await expect.poll(() => page.getByRole('link').allInnerTexts()).toHaveLength(2);
  expect(requests('browser')).toEqual([]);
});

test('a navigation in the browser keeps the data and fetches only missing data', async () => {
  const { page, problems } = await browsing.open(`${url}/tasks/1`);
  await page.getByText('Blocked by: nothing').waitFor();
  const [before, after] = (await page.getByRole('button', { name: 'Finish' }).isVisible())
    ? ['Finish', 'Reopen']
    : ['Reopen', 'Finish'];
  // a link that is not alive yet would load the page anew
  await clickUntil(page.getByRole('button', { name: before }), page.getByRole('button', { name: after }));
  const server = requests('server');

  await page.getByRole('link', { name: 'Mend the sail' }).click();
  await page.getByRole('heading', { name: 'Mend the sail' }).waitFor();
  await page.getByText('on 2').waitFor();

  // the task itself is known from the list
  expect(requests('browser')).toEqual([
    'GET /api/tasks/2/blockers',
    'GET /api/tasks/2/notes',
    'PATCH /api/tasks/1',
  ]);
  expect(requests('server')).toEqual(server);
  expect(
    problems.filter((text) => !text.startsWith('HttpError: GET /api/tasks/2/blockers was answered 500')),
  ).toEqual([]);
});

test('without JavaScript a page of Next shows its first part', async () => {
  const { page } = await browsing.open(url, { javaScriptEnabled: false });

  await page.getByRole('link', { name: 'Mend the sail: open' }).waitFor();
  expect(await page.getByText('Choose a task.').isVisible()).toBe(true);
});
