// The panel in a real browser, under a strict content policy: three races are driven, and what lost is read from the panel alone.
// The pictures that the documentation shows are taken on the way, where PICTURES says so.
import { AxeBuilder } from '@axe-core/playwright';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './support/browser.ts';
import type { App } from './support/inspected-app.ts';
import { serveInspectedPage } from './support/inspected-page.ts';
import type { InspectedPage } from './support/inspected-page.ts';

declare const app: App;

const browsing = startBrowser();
let server: InspectedPage;
beforeAll(async () => {
  server = await serveInspectedPage();
});
afterAll(() => server.close());

const PICTURES = process.env['PICTURES'];

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

async function open(): Promise<{ page: Page; problems: readonly string[] }> {
  const { page, problems } = await browsing.open(server.url, { viewport: { width: 1280, height: 720 } });
  await page.waitForFunction(() => 'app' in window);
  return { page, problems };
}

async function openRow(page: Page, entity: string, pk: string): Promise<void> {
  await page.keyboard.press('Alt+Shift+KeyH');
  await page.getByRole('tab', { name: 'Row' }).click();
  await page.getByLabel('Type').selectOption(entity);
  await page.getByRole('button', { name: pk, exact: true }).click();
}

/** What lost of a field, as the panel says it, without the times. */
async function lostOf(page: Page, field: string): Promise<string> {
  const text = await page.locator(`[data-field="${field}"] [data-part="lost"]`).innerText();
  return text.replaceAll(/\d\d:\d\d:\d\d\.\d+/g, 'some time');
}

test('the panel says which answer lost a race and why: a read that was sent before a write was answered', async () => {
  const { page, problems } = await open();
  await page.evaluate(() => {
    app.get('5');
    app.patch('5', { title: 'mine' });
  });
  await server.answer('PATCH /todos/5', { id: '5', title: 'mine' });
  await server.answer('GET /todos/5', { id: '5', title: 'theirs', done: true });
  await openRow(page, 'Todo', '5');

  await expect
    .poll(() => lostOf(page, 'title'))
    .toMatch(/^theirs from .* some time \(call\): read sent before write was answered$/);
  expect(await lostOf(page, 'done')).toBe('none');
  await takePicture(page, 'inspector-row');
  expect(problems).toEqual([]);
});

test('the panel says which answer lost a race and why: a lower version, and a message about an own write', async () => {
  const { page, problems } = await open();
  await page.evaluate(() => {
    app.getDoc('1');
    app.invalidate('1');
    app.getDoc('1');
  });
  await server.answer('GET /docs/1', { id: '1', text: 'seven', version: 7 });
  await server.answer('GET /docs/1', { id: '1', text: 'six', version: 6 });
  await openRow(page, 'Doc', '1');
  await expect.poll(() => lostOf(page, 'text')).toMatch(/^six from .*: lower version$/);

  await page.evaluate(() => app.get('5'));
  await server.answer('GET /todos/5', { id: '5', title: 'old' });
  await page.evaluate(() => app.patch('5', { title: 'mine' }));
  await page.getByLabel('Type').selectOption('Todo');
  await page.getByRole('button', { name: '5', exact: true }).click();
  await expect.poll(() => page.locator('[data-field="title"]').innerText()).toContain('mine');
  await page.evaluate(() => app.message('5', 'older'));
  await expect
    .poll(() => lostOf(page, 'title'))
    .toMatch(/^older from a direct write at some time: own write under way$/);

  await page.getByRole('tab', { name: 'Writes' }).click();
  await expect.poll(() => page.getByRole('region', { name: 'Mutations' }).innerText()).toContain('Todo 5');
  await takePicture(page, 'inspector-writes');
  await server.answer('PATCH /todos/5', { id: '5', title: 'mine' });
  await expect
    .poll(() => page.getByRole('region', { name: 'Mutations' }).innerText())
    .toContain('No mutation is pending.');
  expect(problems).toEqual([]);
});

test('the panel is a chunk that is loaded when it is opened, goes by keys, and axe finds nothing', async () => {
  const { page, problems } = await open();
  const before = server.loaded.filter((path) => /panel/.test(path)).length;
  await page.evaluate(() => {
    app.fill(300);
    app.mount('7');
  });
  await server.answer('GET /todos/7', { id: '7', title: 'seven', done: false, userId: '1' });
  expect(before).toBe(server.loaded.filter((path) => /panel/.test(path)).length);
  await page.keyboard.press('Alt+Shift+KeyH');
  await page.getByRole('tab', { name: 'Now' }).focus();
  expect(server.loaded.filter((path) => /panel/.test(path)).length).toBe(before + 1);
  await expect
    .poll(() => page.getByRole('region', { name: 'What is mounted' }).innerText())
    .toContain('good');
  await takePicture(page, 'inspector-now');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: '0', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByRole('region', { name: 'The row' }).innerText()).toContain('Todo 1');
  expect(await page.locator('holdfast-inspector .line').count()).toBeLessThan(60);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByRole('tab', { name: 'Row' }).focus();
  await page.keyboard.press('End');
  expect(await page.getByRole('tab', { name: 'Writes' }).getAttribute('aria-selected')).toBe('true');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect((await new AxeBuilder({ page }).withRules(['color-contrast']).analyze()).violations).toEqual([]);

  await page.keyboard.press('Escape');
  expect(await page.getByRole('tab', { name: 'Writes' }).isVisible()).toBe(false);
  await page.keyboard.press('Alt+Shift+KeyH');
  expect(await page.getByRole('tab', { name: 'Writes' }).isVisible()).toBe(true);
  expect(problems).toEqual([]);
});
