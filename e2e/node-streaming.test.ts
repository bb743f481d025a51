// The example of plain Node streaming, built and served as its README says, in a real browser.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listen } from '../examples/node-streaming/server/listen.ts';
import type { RunningMagazine } from '../examples/node-streaming/server/listen.ts';
import { clickUntil, startBrowser } from './support/browser.ts';

const browsing = startBrowser();
let magazine: RunningMagazine;
/** Paths whose answers wait. */
const held = new Map<string, Promise<void>>();

beforeAll(async () => {
  magazine = await listen(0, { pause: async (path) => held.get(path) });
});
afterAll(() => magazine.close());
let seenBefore = 0;
beforeEach(() => {
  seenBefore = magazine.requests.length;
});

function hold(path: string): () => void {
  let release = (): void => undefined;
  held.set(path, new Promise((resolve) => void (release = resolve)));
  return () => {
    held.delete(path);
    release();
  };
}

const requests = (by?: 'browser' | 'server'): string[] =>
  magazine.requests
    .slice(seenBefore)
    .filter((request) => by === undefined || request.by === by)
    .map(({ what }) => what)
    .sort();

const readsOf = (id: string): string[] => [
  'GET /api/articles',
  `GET /api/articles/${id}`,
  `GET /api/articles/${id}/comments`,
  `GET /api/articles/${id}/related`,
];

test('the page arrives with its data and is hydrated by the browser, and nothing is requested twice', async () => {
  const { page, problems } = await browsing.open(`${magazine.url}/articles/1`);
  await page.getByRole('heading', { name: 'Tides' }).waitFor();
  await page.getByText('Related: Knots').waitFor();
  await page.getByRole('list', { name: 'Comments' }).getByText('Ada:').waitFor();

  await clickUntil(
    page.getByRole('button', { name: 'Like (0)' }),
    page.getByRole('button', { name: 'Like (1)' }),
  );

  // the list shows the same article: it follows
  await page.getByRole('link', { name: 'Tides (1)' }).waitFor();
  expect(requests('server')).toEqual(readsOf('1'));
  expect(requests('browser')).toEqual(['PATCH /api/articles/1']);
  expect(await page.title()).toBe('Magazine');
  expect(await page.getByRole('time').innerText()).toBe('2026-01-02');
  expect(problems).toEqual([]);
});

test('a page works before its slow part arrives, and that part finds its data when it arrives', async () => {
  const release = hold('/api/articles/1/comments');
  const { page, problems } = await browsing.open(`${magazine.url}/articles/1`);
  await page.getByText('Loading the comments').waitFor();

  const likes = Number(/\d+/.exec(await page.getByRole('button', { name: /^Like/ }).innerText()));
  const button = (count: number) => page.getByRole('button', { name: `Like (${count})` });
  await clickUntil(button(likes), button(likes + 1));
  expect(await page.getByText('Loading the comments').isVisible()).toBe(true);

  release();
  await page.getByText('Ada:').waitFor();
  await page.waitForLoadState();
  // long enough for a second request, were there one
  await page.waitForTimeout(300);
  expect(requests('server')).toEqual(readsOf('1'));
  expect(requests('browser')).toEqual(['PATCH /api/articles/1']);
  expect(problems).toEqual([]);
});

test('a failure on the server is shown as that failure, without its body, and is requested again only on demand', async () => {
  const { page } = await browsing.open(`${magazine.url}/articles/2`);
  await page.getByText('HttpError 500').waitFor();

  expect(requests()).toEqual(readsOf('2'));
  expect(await page.content()).not.toContain('hunter2');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => requests('browser')).toEqual(['GET /api/articles/2/related']);
});

test('an article that the server found deleted is gone from the list, too', async () => {
  const release = hold('/api/articles/3');
  const { page } = await browsing.open(`${magazine.url}/articles/3`);
  await page.getByRole('link', { name: 'Ropes' }).waitFor();

  release();
  await page.getByText('HttpError 404').waitFor();

  await expect.poll(() => page.getByRole('link').allInnerTexts()).toHaveLength(2);
  expect(requests('browser')).toEqual([]);
});

test('without JavaScript the page arrives complete', async () => {
  const { page } = await browsing.open(`${magazine.url}/articles/1`, { javaScriptEnabled: false });
  await page.waitForURL('**/articles/1?wait');

  await page.getByRole('heading', { name: 'Tides' }).waitFor();
  await page.getByText('Ada:').waitFor();
  await page.getByText('Related: Knots').waitFor();
  expect(await page.getByText('Loading').count()).toBe(0);
});

test('a client that disconnects ends the requests made for it', async () => {
  const release = hold('/api/articles/1/comments');
  const aborter = new AbortController();
  const response = await fetch(`${magazine.url}/articles/1`, { signal: aborter.signal });
  await response.body?.getReader().read();
  const comments = () => magazine.requests.slice(seenBefore).find(({ what }) => what.endsWith('comments'));
  await expect.poll(comments).toBeDefined();
  expect(comments()?.isAborted).toBe(false);

  aborter.abort();

  await expect.poll(() => comments()?.isAborted).toBe(true);
  release();
});
