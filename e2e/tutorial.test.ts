// Each step of the tutorial does in a browser what its page tells the reader to try. Every step is built as a reader would build
// it, and served beside the tutorial's own server.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, expect, test } from 'vitest';
import { build, preview } from 'vite';
import { startBrowser } from './support/browser.ts';

const tutorial = join(import.meta.dirname, '../examples/tutorial');
const out = mkdtempSync(join(tmpdir(), 'holdfast-tutorial-'));
const browsing = startBrowser();
const closers: (() => Promise<void> | void)[] = [];
const visible = { state: 'visible' } as const;

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

interface Server {
  readonly url: string;
  stop(): void;
}

async function startServer(...args: string[]): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, [join(tutorial, 'server.mjs'), ...args], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (): void => void child.kill();
  closers.push(stop);
  const printed = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (chunk) => resolve(String(chunk)));
  });
  return { url: /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '', stop };
}

interface Step {
  readonly page: Page;
  /** The requests of the page, as `GET /api/books`. */
  readonly requests: readonly string[];
  readonly server: Server;
  readonly problems: readonly string[];
}

async function open(step: number, ...args: string[]): Promise<Step> {
  const server = await startServer(...args);
  const root = join(tutorial, `step-${step}`);
  const outDir = join(out, String(step));
  await build({ root, logLevel: 'error', configFile: false, build: { outDir, emptyOutDir: true } });
  const site = await preview({
    root,
    logLevel: 'error',
    configFile: false,
    build: { outDir },
    preview: { port: 0, proxy: { '/api': server.url } },
  });
  closers.push(() => site.close());
  const { page, problems } = await browsing.open('about:blank');
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}${search}`);
  });
  await page.goto(site.resolvedUrls?.local[0] ?? '');
  return { page, requests, server, problems };
}

const book = (page: Page, title: string) => page.getByRole('button', { name: title, exact: true });
const row = (page: Page, title: string) => page.getByRole('listitem').filter({ has: book(page, title) });
const finished = (page: Page) => page.getByRole('checkbox', { name: 'finished' });

test('step 1 shows a book', async () => {
  const { page, problems } = await open(1);
  await page.getByText('Loading').waitFor(visible);
  await page.getByRole('heading', { name: 'Middlemarch' }).waitFor(visible);
  await page.getByText('by George Eliot').waitFor(visible);
  expect(problems).toEqual([]);
});

test('step 2 shows a book of the list at once', async () => {
  const { page, requests } = await open(2);
  await book(page, 'Beloved').click();
  await page.getByText('by Toni Morrison').waitFor(visible);
  expect(await page.getByText('Loading').count()).toBe(0);
  expect(requests.filter((request) => request.endsWith('/books'))).toEqual(['GET /api/books']);
});

test('step 3 changes a book in the list too, without another request of the list', async () => {
  const { page, requests } = await open(3);
  await book(page, 'Emma').click();
  await finished(page).click();
  await row(page, 'Emma').getByText('(finished)').waitFor(visible);
  expect(await finished(page).isChecked()).toBe(true);
  expect(requests.filter((request) => request !== 'GET /api/books/5')).toEqual([
    'GET /api/books',
    'PATCH /api/books/5',
  ]);
});

test('step 4 shows a change before the server has answered', async () => {
  const { page } = await open(4);
  await book(page, 'Emma').click();
  let answer!: () => void;
  const held = new Promise<void>((resolve) => void (answer = resolve));
  await page.route('**/api/books/5', async (route) => {
    if (route.request().method() === 'PATCH') await held;
    await route.continue();
  });
  await finished(page).click();
  await row(page, 'Emma').getByText('(finished)').waitFor(visible);
  await page.getByText('saving').waitFor(visible);
  answer();
  await page.getByText('saving').waitFor({ state: 'detached' });
  expect(await row(page, 'Emma').innerText()).toContain('(finished)');
});

test('step 5 loads the list in pages', async () => {
  const { page, requests } = await open(5);
  const more = page.getByRole('button', { name: 'More' });
  await page.getByText('3 of 7 books').waitFor(visible);
  await more.click();
  await page.getByText('6 of 7 books').waitFor(visible);
  await more.click();
  await page.getByText('7 of 7 books').waitFor(visible);
  await more.waitFor({ state: 'detached' });
  expect(requests).toEqual(['GET /api/books?page=1', 'GET /api/books?page=2', 'GET /api/books?page=3']);
});

test('step 6 adds a book at once, and counts it', async () => {
  const { page, requests } = await open(6);
  await page.getByText('3 of 7 books').waitFor(visible);
  await page.getByLabel('New book').fill('Persuasion');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('4 of 8 books').waitFor(visible);
  await row(page, 'Persuasion').waitFor(visible);
  await expect.poll(() => page.getByLabel('New book').inputValue()).toBe('');
  await row(page, 'Persuasion').waitFor(visible);

  const more = page.getByRole('button', { name: 'More' });
  await more.click();
  await page.getByText('6 of 8 books').waitFor(visible);
  expect(await row(page, 'Persuasion').count()).toBe(0);
  await more.click();
  await page.getByText('8 of 8 books').waitFor(visible);
  await row(page, 'Persuasion').waitFor(visible);
  const pages = [1, 2, 1, 2, 3].map((at) => `GET /api/books?page=${at}`);
  expect(requests.filter((request) => request.startsWith('GET'))).toEqual(pages);
});

test('step 7 says what the server refuses, and tries again', async () => {
  const { page, server } = await open(7);
  await page.getByText('3 of 7 books').waitFor(visible);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('The title is missing.').waitFor(visible);
  await page.getByRole('button', { name: 'Remove Beloved' }).click();
  await row(page, 'Beloved').waitFor({ state: 'detached' });
  await page.getByText('You have not finished Beloved.').waitFor(visible);
  await row(page, 'Beloved').waitFor(visible);

  server.stop();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('alert').nth(2).waitFor(visible);
  expect(await page.getByRole('listitem').count()).toBe(3);
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).waitFor(visible);
  expect(await page.getByRole('listitem').count()).toBe(0);
});

test('step 8 shows the list to those who signed in, and signs out in every tab', async () => {
  const { page, requests, server } = await open(8, '--sign-in');
  await page.getByLabel('Your name').fill('Ada');
  expect(requests).toEqual([]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('3 of 7 books').waitFor(visible);
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.getByText('Signed in as Ada').waitFor(visible);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await tab.getByRole('button', { name: 'Sign in' }).waitFor(visible);

  server.stop();
  await tab.getByLabel('Your name').fill('Ada');
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('alert').waitFor(visible);
});
