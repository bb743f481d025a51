// The inspector in a real browser. Three races are driven in the demo, and what lost is read from the panel alone; the panel by
// itself stands on a page under a strict content policy. Where PICTURES names a folder, the pictures of the documentation are taken:
// `PICTURES=docs/pictures npx vitest run --project e2e e2e/inspector.test.ts`.
import { AxeBuilder } from '@axe-core/playwright';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

// ── in the demo ──────────────────────────────────────────────────────────────────────────────────

const harbor = startHarbor({ seed: { issues: 150 } });
const VIEW = { viewport: { width: 1280, height: 800 } };

const answer = (page: Page): Locator => page.getByRole('region', { name: 'Answer' });

/** What the panel says, without times. */
async function textOf(page: Page, part: Locator = answer(page)): Promise<string> {
  const text = await part.innerText();
  return text
    .replaceAll(/\n+/g, '\n')
    .replaceAll(/\d\d:\d\d:\d\d/g, 'T')
    .replaceAll(/\d+ (?:ms|s|min)\b/g, 'D');
}

/** Asks for the inspector by the demo's own button, which loads the page again. */
async function inspect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByRole('tab', { name: 'Timeline' }).waitFor(visible);
}

/** Shows or hides the panel by its key, wherever the focus is. */
async function togglePanel(page: Page): Promise<void> {
  await page.keyboard.press('Alt+Shift+KeyH');
}

async function openRow(page: Page, entity: string, pk: string): Promise<void> {
  if (!(await page.getByRole('tab', { name: 'Rows' }).isVisible())) await togglePanel(page);
  await page.getByRole('tab', { name: 'Rows' }).click();
  await page.getByLabel('Search by name').fill(pk);
  const line = page.locator(`[data-id='${JSON.stringify([entity, pk])}']`);
  // the panel may draw its lines anew at any time
  await vi.waitFor(() => line.click({ timeout: 1_000 }), PATIENT);
}

const field = (page: Page, name: string): Promise<string> =>
  textOf(page, page.locator(`[data-field="${name}"]`));

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
  await expect.poll(() => field(page, 'counts'), PATIENT).toContain('a message from the server');
  await late.release();

  await expect
    .poll(() => field(page, 'counts'), PATIENT)
    .toMatch(
      /A response that was requested at T said \{.*\}\. It does not count: it could not know of the message\./,
    );
  expect(await field(page, 'name')).toMatch(/^name is “Anchor”: .* said the same\.$/);
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

  await expect.poll(() => textOf(page), PATIENT).toContain('The server has deleted it.');
  expect(await textOf(page)).toContain(
    'A response that was requested at T still had the row. It does not count: it could not know that the row was deleted.',
  );
});

test('when a comment is edited here and in another tab at once, the panel shows the optimistic update and what the server says below it', async () => {
  const { id } = await harbor.given();
  const { value: comment } = await harbor.ask<{ id: string }>('POST', `/api/issues/${id}/comments`, {
    body: 'As it was',
  });
  const page = await harbor.open(`/issues/${id}`, VIEW);
  await inspect(page);
  await togglePanel(page);
  const path = `/api/issues/${id}/comments/${comment.id}`;
  const own = await hold(page, isWrite('PATCH', path), 'before');
  const written = page.getByLabel('Your comment');
  await written.fill('Written here');
  await written.press('Control+Enter');
  await own.arrived;
  await openRow(page, 'Comment', comment.id);
  await expect
    .poll(() => field(page, 'body'), PATIENT)
    .toContain(
      '“Written here”: you changed it at T. It is shown already. The change was sent, and has no response yet.',
    );
  await harbor.ask('PATCH', path, { body: 'Written in another tab' });

  await expect
    .poll(() => field(page, 'body'), PATIENT)
    .toMatch(/^body is “Written here”: .* The server last said “Written in another tab”\./);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByLabel('Search by name').fill('');
  const waiting = page.locator('.line', { hasText: `of Comment` }).first();
  await expect.poll(() => waiting.innerText(), PATIENT).toContain('in flight');
  await own.release();
  await expect.poll(() => waiting.innerText(), PATIENT).toContain('counted');
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

/** A page with two lists, a late response, a change that was refused, and a row that has moved. */
async function openAfterRaces(): Promise<{ page: Page; problems: readonly string[] }> {
  const { page, problems } = await open();
  const rows = (titles: Readonly<Record<string, string>>, userId: string): object[] =>
    Object.entries(titles).map(([id, title]) => ({ id, title, done: false, userId }));
  const first = rows({ 1: 'Paint the hull', 2: 'Mend the net', 3: 'Splice the line' }, '1');
  await page.evaluate(() => app.show('1'));
  await server.answer('GET /todos?userId=1', first);
  await page.evaluate(() => app.show('2'));
  await server.answer('GET /todos?userId=2', rows({ 9: 'Order new sails' }, '2'));
  await page.getByText('Order new sails').waitFor(visible);
  await page.evaluate(() => app.list('1'));
  await page.evaluate(() => app.patch('1', { title: 'Paint the hull red' }));
  await server.answer('PATCH /todos/1', { id: '1', title: 'Paint the hull red', done: false, userId: '1' });
  // the page has the response to the change before the late list arrives
  await expect.poll(() => page.evaluate(() => app.traced().at(-1))).toBe('Todo.partialUpdate call counted');
  await server.answer('GET /todos?userId=1', first);
  await page.evaluate(() => app.patch('2', { userId: '2' }));
  await server.answer('PATCH /todos/2', { id: '2', title: 'Mend the net', done: false, userId: '2' });
  await page.evaluate(() => app.patch('3', { title: 'Refused' }));
  await server.answer('PATCH /todos/3', {}, 0, 503);
  await page.getByText('Splice the line').waitFor(visible);
  return { page, problems };
}

test('six questions are answered in three steps each, from a closed panel', async () => {
  const { page, problems } = await openAfterRaces();
  /** Opens the closed panel, clicks at most twice, and reads the answer. */
  const ask = async (...clicks: readonly (() => Locator)[]): Promise<string> => {
    expect(clicks.length).toBeLessThan(3);
    expect(await page.getByRole('tab', { name: 'Rows' }).isVisible()).toBe(false);
    await togglePanel(page);
    for (const click of clicks) await click().click();
    await expect.poll(() => textOf(page)).not.toContain('Choose');
    const text = await textOf(page);
    await togglePanel(page);
    return text;
  };
  const pick = (): Locator => page.getByRole('button', { name: 'Pick' });
  const tab = (name: string) => () => page.getByRole('tab', { name });
  const onPage = (text: string) => () => page.getByRole('main').getByText(text);
  const line = (text: string | RegExp) => () => page.locator('.line', { hasText: text }).first();

  // why is this value shown, and which response did not count?
  expect(await ask(pick, onPage('Paint the hull red'))).toContain(
    'title is “Paint the hull red”: you changed it at T, and the server saved it. ' +
      'A response that was requested D before your change was saved said “Paint the hull”. ' +
      'It does not count: it could not know of the change of title of Todo 1.',
  );
  // why is it stale?
  expect(await ask(pick, onPage('Splice the line'))).toContain(
    'Todo 3: the change of title of Todo 3 failed at T, and nobody knows whether the server saved it.',
  );
  // why is it in this list, and not in that one?
  const places = await ask(pick, onPage('Mend the net'));
  expect(places).toContain(
    'Todos · user 1: It was changed at T, and since then its fields do not match this list.',
  );
  expect(places).toContain('Todos · user 2: It was changed at T, and since then its fields match this list.');
  expect(await ask(pick, onPage('Order new sails'))).toContain(
    'Todos · user 1: Its userId is “2”, and this list has only those with “1”.',
  );
  // the late response tells the same of itself
  expect(await ask(tab('Timeline'), line('did not count'))).toContain(
    'Its response came after D. It does not count: it could not know of the change of title of Todo 1.',
  );
  // why was it requested?
  const requested = await ask(tab('Requests'), line('Todos · user 1'));
  expect(requested).toContain(
    'Todos · user 1 was requested at T. A component shows it, and it was stale. ' +
      'Todos · user 1: the change of title of Todo 3 failed at T, and nobody knows whether the server saved it.',
  );
  expect(requested).toContain(
    'What led to it\nYou asked for the change of title of Todo 3 at T. The server failed',
  );
  // why did it render?
  expect(await ask(tab('Renders'), line('Todos · user 2'))).toMatch(
    /A reader of Todos · user 2 rendered at T\.\s[^]*Todo 2 changed \(userId\), by the change of userId of Todo 2\./,
  );
  expect(problems).toEqual([]);
});

if (PICTURES)
  test('pictures of the panel are taken for the documentation', async () => {
    const { page } = await openAfterRaces();
    await page.setViewportSize({ width: 860, height: 1_000 });
    await togglePanel(page);
    const panel = page.getByRole('region', { name: 'Holdfast inspector' });
    const take = async (name: string): Promise<void> => {
      await expect.poll(() => textOf(page)).not.toContain('Choose');
      for (const [scheme, end] of [
        ['light', ''],
        ['dark', '-dark'],
      ]) {
        await page.evaluate((value) => (document.documentElement.style.colorScheme = value), scheme ?? '');
        await panel.screenshot({ path: join(PICTURES ?? '', `${name}${end}.png`) });
      }
    };
    await page.locator('.line', { hasText: 'did not count' }).click();
    await take('inspector-timeline');
    await page.getByRole('tab', { name: 'Rows' }).click();
    await page.locator('.line', { hasText: 'Paint the hull red' }).click();
    await take('inspector-row');
    await page.getByRole('tab', { name: 'Lists' }).click();
    await page.locator('.line', { hasText: 'user 1' }).click();
    await take('inspector-list');
  });

/** Nightly each view. */
const VIEWS_OF_AXE = process.env['NIGHTLY'] ? ['Timeline', 'Rows', 'Lists', 'Requests', 'Renders'] : ['Rows'];

test(`axe finds no violation in ${VIEWS_OF_AXE.join(', ')}, in light, in dark and on a phone`, async () => {
  const { page, problems } = await openAfterRaces();
  await togglePanel(page);
  for (const key of VIEWS_OF_AXE) {
    await page.getByRole('tab', { name: key }).click();
    await page.locator('.line').first().click();
    expect((await new AxeBuilder({ page }).analyze()).violations, key).toEqual([]);
  }
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'dark'));
  expect((await new AxeBuilder({ page }).withRules(['color-contrast']).analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0]).toBe(widths[1]);
  expect(problems).toEqual([]);
});

test('the panel says what the trace says: of each row, list, request and rendering', async () => {
  const { page } = await openAfterRaces();
  const said = await page.evaluate(() => app.said());
  await togglePanel(page);
  for (const [view, lines] of Object.entries(said)) {
    await page.getByRole('tab', { name: view }).click();
    expect(lines.length, view).toBeGreaterThan(1);
    for (const { id, sentences } of lines) {
      await page.locator(`.line[data-id=${JSON.stringify(id)}]`).click();
      const text = await answer(page).innerText();
      for (const sentence of sentences) expect(text, `${view} ${id}`).toContain(sentence);
    }
  }
});

test('the panel holds a response, fails a request, marks data stale and loads it again, and otherwise changes no request', async () => {
  const development = await serveInspectedPage('development');
  try {
    const { page } = await browsing.open(development.url, VIEW);
    await page.waitForFunction(() => 'app' in window);
    await togglePanel(page);
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.evaluate(() => app.show('1'));
    await development.answer('GET /todos?userId=1', [{ id: '1', title: 'Mend the net', userId: '1' }]);
    await page.locator('.line').first().click();
    const repeats = [
      ['Load again', 'Mend the old net'],
      ['Make stale', 'Mend the new net'],
    ] as const;
    for (const [name, title] of repeats) {
      await page.getByRole('button', { name }).click();
      await development.answer('GET /todos?userId=1', [{ id: '1', title, userId: '1' }]);
      await page.getByText(title).waitFor(visible);
    }

    const hold = page.getByRole('button', { name: /^(?:Hold|Release)/ });
    await hold.click();
    await page.evaluate(() => app.list('1'));
    await development.answer('GET /todos?userId=1', [{ id: '1', title: 'Held', userId: '1' }]);
    await expect.poll(() => hold.innerText()).toBe('Release 1');
    expect(await page.getByText('Mend the new net').isVisible()).toBe(true);
    await hold.click();
    await page.getByText('Held').waitFor(visible);

    await hold.click();
    await page.evaluate(() => app.list('1'));
    await development.answer('GET /todos?userId=1', [{ id: '1', title: 'Held until closed', userId: '1' }]);
    await expect.poll(() => hold.innerText()).toBe('Release 1');
    await togglePanel(page);
    await page.getByText('Held until closed').waitFor(visible);
    await togglePanel(page);

    await page.getByRole('button', { name: 'Fail' }).click();
    await page.evaluate(() => app.get('1'));
    await page.locator('.line', { hasText: 'failed' }).first().click();
    expect(await textOf(page)).toContain('It failed after D: no usable response came.');
    await hold.click();
    await page.evaluate(() => app.list('1'));
    await development.answer('GET /todos?userId=1', [{ id: '1', title: 'Nobody sees it', userId: '1' }]);
    await expect.poll(() => hold.innerText()).toBe('Release 1');
    await page.evaluate(() => app.reset());
    await expect.poll(() => hold.innerText()).toBe('Hold');
  } finally {
    await development.close();
  }
});

test('an open panel changes no request', async () => {
  const traceOf = async (isOpen: boolean): Promise<readonly string[]> => {
    const { page } = await open();
    if (isOpen) {
      await togglePanel(page);
      // the page is a production build
      expect(await page.getByRole('button', { name: /^(?:Hold|Fail)/ }).count()).toBe(0);
      await page.getByRole('tab', { name: 'Lists' }).click();
    }
    await page.evaluate(() => app.show('1'));
    await server.answer('GET /todos?userId=1', [{ id: '1', title: 'Mend the net', userId: '1' }]);
    await page.getByText('Mend the net').first().waitFor(visible);
    await page.evaluate(() => app.patch('1', { title: 'Mend the old net' }));
    await server.answer('PATCH /todos/1', { id: '1', title: 'Mend the old net', userId: '1' });
    await expect.poll(() => page.evaluate(() => app.traced().at(-1))).toMatch(/counted$/);
    return page.evaluate(() => app.traced());
  };

  expect(await traceOf(true)).toEqual(await traceOf(false));
});

test('the panel remembers its place, its size and its tab, and a browser without storage is no error', async () => {
  const { page, problems } = await open();
  await togglePanel(page);
  const panel = page.getByRole('region', { name: 'Holdfast inspector' });
  const widthOf = async (): Promise<number> => (await panel.boundingBox())?.width ?? 0;
  await page.getByRole('tab', { name: 'Lists' }).click();
  await page.getByRole('button', { name: 'Dock' }).click();
  const before = await widthOf();
  await page.getByRole('separator').focus();
  await page.keyboard.press('ArrowLeft');
  expect(await widthOf()).toBe(before + 24);
  await page.reload();
  await page.waitForFunction(() => 'app' in window);
  await togglePanel(page);
  await panel.waitFor(visible);
  expect(await widthOf()).toBe(before + 24);
  expect(await page.getByRole('tab', { name: 'Lists' }).getAttribute('aria-selected')).toBe('true');

  await page.addInitScript(() => {
    const refuse = (): never => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    Object.defineProperty(window, 'localStorage', { get: refuse });
  });
  await page.reload();
  await page.waitForFunction(() => 'app' in window);
  await togglePanel(page);
  await page.getByRole('button', { name: 'Dock' }).click();
  expect(await page.getByRole('tab', { name: 'Timeline' }).getAttribute('aria-selected')).toBe('true');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    format: 2,
    requests: [],
  });
  expect(problems).toEqual([]);
});

test('the panel is a chunk that is loaded when the panel opens; it works by keys, over 100,000 rows', async () => {
  const { page, problems } = await open();
  const before = server.loaded.filter((path) => /panel/.test(path)).length;
  await page.evaluate(() => {
    app.fill(100_000);
    app.mount('7');
  });
  await server.answer('GET /todos/7', { id: '7', title: 'seven', done: false, userId: '1' });
  expect(before).toBe(server.loaded.filter((path) => /panel/.test(path)).length);
  await togglePanel(page);
  await page.getByRole('tab', { name: 'Timeline' }).focus();
  expect(server.loaded.filter((path) => /panel/.test(path)).length).toBe(before + 1);
  await page.keyboard.press('ArrowRight');
  await page.locator('.line').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => textOf(page)).toContain('title is “Todo 1”');
  expect(await page.locator('.line').count()).toBeLessThan(60);
  await page.getByLabel('Search by name').fill('99999');
  await page.locator('.line', { hasText: 'Todo 99999' }).waitFor(visible);
  expect(await page.locator('.line').count()).toBe(1);

  await page.getByRole('tab', { name: 'Timeline' }).focus();
  await page.keyboard.press('End');
  expect(await page.getByRole('tab', { name: 'Renders' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('tab', { name: 'Renders' }).isVisible()).toBe(false);
  await togglePanel(page);
  expect(await page.getByRole('tab', { name: 'Renders' }).isVisible()).toBe(true);
  expect(problems).toEqual([]);
});
