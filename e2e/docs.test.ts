// The built documentation in a real browser: pages pass axe at both widths and in both themes, nothing is wider than the screen, the
// search finds a page, code can be copied. A sample of pages by default; all of them with NIGHTLY. The pictures are for people to look at.
import { AxeBuilder } from '@axe-core/playwright';
import { globSync, mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchOptions } from '../scripts/chromium.ts';
import { serveSite } from '../scripts/docs/serve.ts';
import { PATIENT } from './support/harbor.ts';

const site = join(import.meta.dirname, '../docs/.vitepress/dist');
const FOLDER = join(import.meta.dirname, '.screenshots/docs');
const SAMPLE = ['index'];
const PAGES = process.env['NIGHTLY']
  ? globSync('**/*.html', { cwd: site })
      .map((file) => file.replaceAll('\\', '/').replace(/\.html$/, ''))
      .filter((page) => page !== '404')
  : SAMPLE;
const WIDTHS = [1440, 390];

let browser: Browser;
let server: Server;
let url = '';

beforeAll(async () => {
  ({ server, url } = await serveSite(site, 0));
  browser = await chromium.launch(launchOptions());
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function open(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  await page.goto(`${url}${path}`);
  await page.locator('.VPContent').waitFor();
  return page;
}

async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (rules) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** The first line of each block of code that shows only a part of itself. */
function findCutBlocks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.vp-doc pre')]
      .filter((block) => block.clientWidth > 0 && block.scrollWidth > block.clientWidth)
      .map((block) => block.textContent.split('\n')[0] ?? ''),
  );
}

/** Each heading beside the page that shows only a part of itself. */
function findCutHeadings(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.outline-link')]
      .filter((link) => link.clientWidth > 0 && link.scrollWidth > link.clientWidth)
      .map(({ textContent }) => textContent),
  );
}

test.for(PAGES)(
  '%s is accessible, fits both widths and shows its code whole, in light and dark',
  async (path) => {
    for (const width of WIDTHS) {
      const page = await open(`${path}.html`, width, 'light');
      const name = `${path.replaceAll('/', '-')}-${width}`;
      await page.screenshot({ path: join(FOLDER, `${name}-light.png`) });
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (width === 1440)
        expect([...(await findCutBlocks(page)), ...(await findCutHeadings(page))]).toEqual([]);

      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor();
      await page.screenshot({ path: join(FOLDER, `${name}-dark.png`) });
      // the theme changes colours and nothing else, and no colour depends on the width
      if (width === 390) expect(await findViolations(page, ['color-contrast'])).toEqual([]);
      await page.context().close();
    }
  },
);

/** What readers type, and the page that answers. */
const QUERIES: Readonly<Record<string, string>> = {
  'infinite scroll': 'pages',
  'polling': 'live',
  'optimistic': 'optimistic-updates',
  'typescript error': 'typescript',
  'invalidate': 'freshness',
  'retry': 'errors-http',
  'refetch': 'freshness',
  'prefetch': 'routers',
  'nextjs': 'next',
  'abort': 'suspense',
  'authentication': 'sessions',
  'debounce': 'reading',
  'axios': 'endpoints',
  'useMutation': 'writes',
  'invalidateQueries': 'freshness',
  'enabled': 'reading',
  'ssr': 'server-rendering',
  'devtools': 'inspector',
  'zod': 'validation',
  'pagination': 'pages',
  'mutation': 'writes',
  'login': 'sessions',
  'staleTime': 'freshness',
  'logout': 'sessions',
  'offline': 'errors-http',
  'websocket': 'live',
  'upload': 'uploads',
  'form': 'forms',
  'mock': 'testing',
  'suspense': 'suspense',
  'react query': 'from-tanstack-query',
  'redux': 'from-rtk-query',
  'swr': 'from-swr',
  'apollo': 'from-apollo',
  'useLazyQuery': 'from-apollo',
  'data-client': 'from-data-client',
  'skipToken': 'dependent-reads',
  'conditional fetching': 'dependent-reads',
  'useQueries': 'parallel-reads',
  'waterfall': 'parallel-reads',
  'onSuccess': 'mutations',
  'toast': 'global-errors',
  'sentry': 'global-errors',
  'error message': 'errors-for-people',
  'strapi': 'servers',
  'rails': 'servers',
  'localStorage': 'saved-state',
  'server actions': 'next-data',
  'react native': 'react-native',
  'bundle size': 'entries',
  'cors': 'http-caching',
  'rate limit': 'http-caching',
  'useEffect': 'reading',
  'dedupe': 'parallel-reads',
  'sorting': 'lists',
  'multi tab': 'live',
  'window focus': 'freshness',
  'storybook': 'testing',
  'race condition': 'write-queues',
  'garbage collection': 'retention',
};

test('the search finds the page that answers each of sixty queries first', async () => {
  const page = await open('', 1440, 'light');
  // excerpts take time, and change no order
  await page.evaluate(() => localStorage.setItem('vitepress:local-search-detailed-list', 'false'));
  await page.getByRole('button', { name: 'Search' }).first().click();
  const first = page.locator('.results a').first();
  const found: Record<string, string> = {};
  for (const [query, expected] of Object.entries(QUERIES)) {
    const hit = async (): Promise<string> =>
      /([\w-]*)\.html/.exec(
        (await first.getAttribute('href', { timeout: 1_000 }).catch(() => null)) ?? '',
      )?.[1] ?? '';
    await page.getByRole('searchbox').fill(query);
    await expect
      .poll(hit, PATIENT)
      .toBe(expected)
      .catch(() => undefined);
    found[query] = await hit();
  }

  expect(found).toEqual(QUERIES);
  await page.context().close();
});

test('the search finds a page by a word in it, with an excerpt', async () => {
  const page = await open('', 1440, 'light');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('idempotency key');
  const hit = page.locator('.results a').filter({ hasText: 'Sending twice' }).first();
  await expect.poll(() => hit.locator('.excerpt').innerText(), PATIENT).toContain('idempotency');
  await hit.click();
  await page.waitForURL('**/optimistic-updates.html#sending-twice');

  // the address changes before the page does
  await expect.poll(() => page.locator('h1').innerText(), PATIENT).toContain('Optimistic updates');
  expect(await findCutHeadings(page)).toEqual([]);
  await page.context().close();
});

test('a name in code shows its type, by the pointer and by the keyboard', async () => {
  const page = await open('', 1440, 'light');
  const note = page.locator('.type-note');

  await page.locator('pre [data-type]').getByText('todo', { exact: true }).first().hover();
  expect(await note.innerText()).toBe('const todo: Todo');

  await page.mouse.move(0, 0);
  await page.locator('pre.code').filter({ hasText: 'createResource' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await note.innerText()).toMatch(/^abstract class Entity$/);
  await page.context().close();
});

test('the picture of a late read plays once and can be stopped, and stands still where less motion is asked for', async () => {
  const page = await open('', 1440, 'light');
  const picture = page.locator('.race');
  await picture.scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Play again' }).waitFor();
  expect(await picture.locator('.is-wrong').isVisible()).toBe(true);
  await page.context().close();

  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const still = await context.newPage();
  await still.goto(url);
  await still.locator('.race').scrollIntoViewIfNeeded();
  await still.getByRole('button', { name: 'Play again' }).waitFor();
  expect(await still.evaluate(() => document.getAnimations().length)).toBe(0);
  await context.close();
});

test('a page that is not there is accessible, and leads on', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}nowhere.html`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();

  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'All guides' }).click();
  await page.locator('.vp-doc').getByRole('heading', { level: 2, name: 'Trouble' }).waitFor();
  await context.close();
});

test('code can be copied, and each page links to the next', async () => {
  const page = await open('reading.html', 1440, 'light');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('div[class*="language-"]').first().hover();
  await page.locator('button.copy').first().click();

  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    "import { AsyncBoundary, useSuspense } from 'holdfast/react';",
  );
  await page.locator('.pager-link.next').click();
  await page.waitForURL('**/dependent-reads.html');
  await page.context().close();
});
