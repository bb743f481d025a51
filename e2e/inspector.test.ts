// The inspector in a real browser. Three races are driven in the demo, and what lost is read from the panel alone; the panel by
// itself stands on a page under a strict content policy. Where PICTURES names a folder, the pictures of the documentation are taken
// on the way: `PICTURES=docs/pictures npx vitest run --project e2e e2e/inspector.test.ts`.
import { AxeBuilder } from '@axe-core/playwright';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './support/browser.ts';
import {
  card,
  column,
  hold,
  isList,
  isWrite,
  main,
  PATIENT,
  row,
  side,
  startHarbor,
} from './support/harbor.ts';
import type { App } from './support/inspected-app.ts';
import { serveInspectedPage } from './support/inspected-page.ts';
import type { InspectedPage } from './support/inspected-page.ts';

declare const app: App;

const PICTURES = process.env['PICTURES'];
const visible = { state: 'visible' } as const;

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

// ── in the demo ──────────────────────────────────────────────────────────────────────────────────

const harbor = startHarbor({ seed: { issues: 150 } });
const VIEW = { viewport: { width: 1280, height: 800 } };

/** Asks for the inspector by the demo's own button, which loads the page again. */
async function inspect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByRole('tab', { name: 'Now' }).waitFor(visible);
}

/** Shows or hides the panel by its key, wherever the focus is. */
async function togglePanel(page: Page): Promise<void> {
  await page.keyboard.press('Alt+Shift+KeyH');
}

async function openRow(page: Page, entity: string, pk: string): Promise<void> {
  if (!(await page.getByRole('tab', { name: 'Row' }).isVisible())) await togglePanel(page);
  await page.getByRole('tab', { name: 'Row' }).click();
  await page.getByLabel('Type').selectOption(entity);
  await page.getByLabel('Key', { exact: true }).fill(pk);
}

/** What lost of a field, as the panel says it, without the times. */
async function lostOf(page: Page, field: string): Promise<string> {
  const text = await page.locator(`[data-field="${field}"] [data-part="lost"]`).innerText();
  return text.replaceAll(/\d\d:\d\d:\d\d\.\d+/g, 'some time');
}

const rowText = (page: Page): Promise<string> => page.getByRole('region', { name: 'The row' }).innerText();

test('a list of projects that was requested before another visitor moved a card loses, and the panel shows to which write', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/board/ANC', VIEW);
  await card(page, id).waitFor(visible);
  const late = await hold(page, isWrite('GET', '/api/projects'));
  await inspect(page);
  await late.arrived;
  await card(column(page, 'Doing'), id).waitFor(visible);
  await harbor.ask('PATCH', `/api/issues/${id}`, { status: 'review' });
  await card(column(page, 'In review'), id).waitFor(visible);
  await openRow(page, 'Project', 'ANC');
  await expect.poll(() => rowText(page), PATIENT).toContain('a direct write');
  await late.release();

  await expect
    .poll(() => lostOf(page, 'counts'), PATIENT)
    .toMatch(/^\{.*\} from .* some time \((?:mount|call)\): read sent before write was answered$/);
  expect(await lostOf(page, 'name')).toBe('none');
  // in one step: the panel may draw the field anew at any time
  await page.locator('[data-field="counts"]').evaluate((field) => field.scrollIntoView());
  await takePicture(page, 'inspector-row');
});

test('an issue that was deleted while a list was in flight stays deleted, and the panel shows which response was late', async () => {
  const { id } = await harbor.given();
  const other = await harbor.given();
  const page = await harbor.open(`/board/ANC?side=${encodeURIComponent(`/issues/${id}`)}`, VIEW);
  await inspect(page);
  await togglePanel(page);
  await side(page).getByLabel('Title', { exact: true }).waitFor(visible);
  const late = await hold(page, isList({ projectId: 'ANC', status: 'doing', orderBy: '-updatedAt' }));
  await main(page).getByRole('link', { name: 'Table' }).click();
  await page.getByLabel('Any status').selectOption('Doing');
  await late.arrived;
  await side(page)
    .getByRole('button', { name: `Delete ${id}` })
    .click();
  await expect.poll(async () => (await harbor.ask('GET', `/api/issues/${id}`)).status, PATIENT).toBe(404);
  await late.release();
  await row(main(page), other.id).waitFor(visible);
  await openRow(page, 'Issue', id);

  await expect.poll(() => rowText(page), PATIENT).toContain('The server has deleted it.');
  expect(await rowText(page)).toMatch(/sent at [\d:.]+ \((?:mount|call)\): row was deleted/);
});

test('when a comment is edited here and in another tab at once, the panel shows the optimistic update and the message that lost to it', async () => {
  const { id } = await harbor.given();
  const { value: comment } = await harbor.ask<{ id: string }>('POST', `/api/issues/${id}/comments`, {
    body: 'As it was',
  });
  const page = await harbor.open(`/issues/${id}`, VIEW);
  await inspect(page);
  await togglePanel(page);
  const path = `/api/issues/${id}/comments/${comment.id}`;
  const own = await hold(page, isWrite('PATCH', path), 'before');
  const field = page.getByLabel('Your comment');
  await field.fill('Written here');
  await field.press('Control+Enter');
  await own.arrived;
  await openRow(page, 'Comment', comment.id);
  await expect
    .poll(() => page.locator('[data-field="body"]').innerText(), PATIENT)
    .toContain('Written here by');
  await harbor.ask('PATCH', path, { body: 'Written in another tab' });

  await expect
    .poll(() => lostOf(page, 'body'), PATIENT)
    .toBe('Written in another tab from a direct write at some time: own write under way');
  await page.getByRole('tab', { name: 'Writes' }).click();
  await expect
    .poll(() => page.getByRole('region', { name: 'Mutations' }).innerText(), PATIENT)
    .toContain(`Comment ${comment.id}`);
  await takePicture(page, 'inspector-writes');
  await own.release();
  await expect
    .poll(() => page.getByRole('region', { name: 'Mutations' }).innerText(), PATIENT)
    .toContain('0 pending');
  await page.getByRole('tab', { name: 'Now' }).click();
  await takePicture(page, 'inspector-now');
});

// ── by itself ────────────────────────────────────────────────────────────────────────────────────

const browsing = startBrowser();
let server: InspectedPage;
beforeAll(async () => {
  server = await serveInspectedPage();
});
afterAll(() => server.close());

async function open(): Promise<{ page: Page; problems: readonly string[] }> {
  const { page, problems } = await browsing.open(server.url, VIEW);
  await page.waitForFunction(() => 'app' in window);
  return { page, problems };
}

test('the panel is a chunk that is loaded when the panel opens; it works by keys, and axe finds no violation', async () => {
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
