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
const SAMPLE = ['thinking'];
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

test.for(PAGES)('%s is accessible and fits both widths, in light and dark', async (path) => {
  for (const width of WIDTHS) {
    const page = await open(`${path}.html`, width, 'light');
    const name = `${path.replaceAll('/', '-')}-${width}`;
    await page.screenshot({ path: join(FOLDER, `${name}-light.png`) });
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark').waitFor();
    await page.screenshot({ path: join(FOLDER, `${name}-dark.png`) });
    // the theme changes colours and nothing else, and no colour depends on the width
    if (width === 390) expect(await findViolations(page, ['color-contrast'])).toEqual([]);
    await page.context().close();
  }
});

test('the search finds a page by a word in it', async () => {
  const page = await open('', 1440, 'light');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('idempotency key');
  await page.locator('.results a').filter({ hasText: 'Sending twice' }).first().click();
  await page.waitForURL('**/optimistic-updates.html#sending-twice');

  // the address changes before the page does
  await expect.poll(() => page.locator('h1').innerText(), PATIENT).toContain('Optimistic updates');
  await page.context().close();
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
  await page.waitForURL('**/writes.html');
  await page.context().close();
});
