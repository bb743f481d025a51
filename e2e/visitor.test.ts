// What a visitor meets around the views: forms, undoing, failures, the session, the keyboard, the phone.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import {
  appears,
  card,
  column,
  fail,
  hold,
  isWrite,
  main,
  openBeside,
  PATIENT,
  rename,
  row,
  side,
  startHarbor,
} from './support/harbor.ts';

const harbor = startHarbor({ seed: { issues: 300 } });
const visible = { state: 'visible' } as const;
const gone = { state: 'detached' } as const;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

const unsaved = (page: Page) => page.getByRole('region', { name: 'Changes that were not saved' });

// ── requests ─────────────────────────────────────────────────────────────────────────────────────

test('every request of a page is sent before the first response has arrived', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  const asked = new Set<string>();
  let open!: () => void;
  const gate = new Promise<void>((resolve) => void (open = resolve));
  await page.route('**/api/**', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (pathname === '/api/changes' || pathname === '/api/stream') return route.fallback();
    asked.add(pathname + search);
    await gate;
    return route.fallback();
  });

  // 1 session, 2 shell lists, 3 lists of my work, 1 project and 5 columns, 3 of the issue
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => asked.size, PATIENT).toBeGreaterThanOrEqual(15);
  const atOnce = new Set(asked);
  open();
  await side(page).getByText('created the issue').waitFor(visible);
  await card(main(page), id).waitFor(visible);

  expect(asked).toEqual(atOnce);
});

test('a session with an expired token is renewed once, and the refused change is sent again', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  await page.context().clearCookies({ name: 'demo_access' });

  await rename(side(page), 'Written by a renewed session');

  await expect
    .poll(async () => (await harbor.ask<{ title: string }>('GET', `/api/issues/${id}`)).value.title, PATIENT)
    .toBe('Written by a renewed session');
  await page.getByRole('button', { name: 'Network: Good' }).click();
  await page.getByText('Session: renewed 1 time, 0 old tokens shown again.').waitFor(visible);
  expect(await unsaved(page).count()).toBe(0);
});

test('a session that the server has ended leads to the sign-in page', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  await page.context().clearCookies();

  await rename(side(page), 'Nobody wrote this');

  await page.getByText('Your session has ended. What was not saved by then is lost.').waitFor(visible);
  await page.getByText('Who are you today?').waitFor(visible);
  expect(await page.getByText('Nobody wrote this').count()).toBe(0);
});

// ── forms ────────────────────────────────────────────────────────────────────────────────────────

test('a typed date is sent once, when it is complete', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (isWrite('PATCH', `/api/issues/${id}`)(request)) sent.push(request.postDataJSON());
  });
  const day = side(page).getByLabel('Due day');

  await day.focus();
  await page.keyboard.type('12242026');
  await page.keyboard.press('Enter');
  await side(page).getByText('set the due day to').waitFor(visible);

  expect(sent).toEqual([{ dueDate: '2026-12-24' }]);
});

test('a change by another user does not change the text that is being edited, and an edit without typing saves nothing', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  const title = side(page).getByLabel('Title', { exact: true });
  const change = async (text: string): Promise<void> => {
    await harbor.ask('PATCH', `/api/issues/${id}`, { title: text });
    await card(main(page), id).getByText(text).waitFor(visible);
  };

  await title.selectText();
  await change('Changed by another');
  await page.keyboard.type('Mine');
  await title.press('Enter');
  await card(main(page), id).getByText('Mine', { exact: true }).waitFor(visible);

  await title.selectText();
  await change('Changed once more');
  expect(await title.inputValue()).toBe('Mine');
  await title.blur();
  await expect.poll(() => title.inputValue(), PATIENT).toBe('Changed once more');
  expect((await harbor.ask<{ title: string }>('GET', `/api/issues/${id}`)).value.title).toBe(
    'Changed once more',
  );
});

test('a new issue belongs to the project on screen, each time', async () => {
  const page = await harbor.open('/board/CMP');
  const dialog = page.getByRole('dialog', { name: 'New issue' });
  await page.getByRole('button', { name: 'New issue' }).click();
  await expect.poll(() => dialog.getByLabel('Project').inputValue(), PATIENT).toBe('CMP');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: /^Tidewater/ }).click();
  await page.getByRole('region', { name: 'Board of Tidewater' }).waitFor(visible);
  await page.getByRole('button', { name: 'New issue' }).click();

  expect(await dialog.getByLabel('Project').inputValue()).toBe('TDW');
});

test('a validation error of the server is shown at its field, and no typed text is lost', async () => {
  const page = await harbor.open('/board/ANC');
  await page.getByRole('button', { name: 'New issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'New issue' });
  await dialog.getByLabel('Title').fill('Too precise');
  await dialog.getByLabel('Estimate').fill('1e9');
  await dialog.getByRole('button', { name: 'Create issue' }).click();
  await dialog.getByRole('alert').getByText('Estimate must be a number of days such as 2.5').waitFor(visible);
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Too precise');
  expect(await unsaved(page).count()).toBe(0);

  await dialog.getByLabel('Estimate').fill('1.5');
  expect(await dialog.getByRole('alert').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New issue' }).click();
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Too precise');
  await dialog.getByRole('button', { name: 'Create issue' }).click();

  await dialog.waitFor(gone);
  await column(page, 'To do').locator('[data-card]', { hasText: 'Too precise' }).waitFor(visible);
});

test('a form that did not reach the server shows that, and sends the same data again', async () => {
  const page = await harbor.open('/board/ANC');
  await page.getByRole('button', { name: 'New issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'New issue' });
  const post = await hold(page, isWrite('POST', '/api/issues'), 'before');
  await dialog.getByLabel('Title').fill('At the second try');
  await dialog.getByRole('button', { name: 'Create issue' }).click();
  await dialog.getByRole('button', { name: 'Creating…' }).waitFor(visible);
  await post.release(418);

  await dialog.getByRole('button', { name: 'Try again' }).click();

  await dialog.waitFor(gone);
  const created = column(page, 'To do').locator('[data-card]', { hasText: 'At the second try' });
  await created.waitFor(visible);
  expect(await created.count()).toBe(1);
});

// ── undoing and failing ──────────────────────────────────────────────────────────────────────────

test('the server restores a deleted issue with everything that belongs to it', async () => {
  const { id } = await harbor.given();
  await harbor.ask('POST', `/api/issues/${id}/comments`, { body: 'Still here' });
  const page = await openBeside(harbor, id);
  await side(page)
    .getByRole('button', { name: `Delete ${id}` })
    .click();
  await card(page, id).waitFor(gone);
  await expect.poll(async () => (await harbor.ask('GET', `/api/issues/${id}`)).status, PATIENT).toBe(404);

  await page.getByRole('button', { name: 'Undo' }).click();

  await card(column(page, 'Doing'), id).waitFor(visible);
  await card(page, id).getByRole('link').click();
  await side(page).getByText('Still here').waitFor(visible);
});

test('Ctrl+Z brings a deleted issue back, with Shift deletes it again, and the line about it follows', async () => {
  const { id, title } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  const status = async () => (await harbor.ask('GET', `/api/issues/${id}`)).status;
  const line = page.getByRole('status').getByText(`“${title}” deleted`);
  await card(page, id).getByRole('link').focus();
  await page.keyboard.press('Delete');
  await card(page, id).waitFor(gone);
  await line.waitFor(visible);
  await expect.poll(status, PATIENT).toBe(404);

  await page.keyboard.press('Control+z');
  await card(column(page, 'Doing'), id).getByText(title).waitFor(visible);
  await line.waitFor(gone);
  expect(await status()).toBe(200);

  await page.keyboard.press('Control+Shift+z');
  await card(page, id).waitFor(gone);
  await line.waitFor(visible);
  await expect.poll(status, PATIENT).toBe(404);
});

test('Ctrl+Z takes back an issue that was just created', async () => {
  const page = await harbor.open('/board/ANC');
  await page.getByRole('button', { name: 'New issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'New issue' });
  await dialog.getByLabel('Title').fill('Created by mistake');
  await dialog.getByRole('button', { name: 'Create issue' }).click();
  await dialog.waitFor(gone);
  const created = column(page, 'To do').locator('[data-card]', { hasText: 'Created by mistake' });
  await created.waitFor(visible);
  await page.locator('body').click({ position: { x: 2, y: 2 } });

  await page.keyboard.press('Control+z');

  await created.waitFor(gone);
  const found = () => harbor.ask<{ total: number }>('GET', '/api/issues?q=Created%20by%20mistake');
  await expect.poll(async () => (await found()).value.total, PATIENT).toBe(0);
});

test('the page of an issue that somebody deletes shows that, and the issue can be restored', async () => {
  const { id, title } = await harbor.given();
  const page = await openBeside(harbor, id);

  await harbor.ask('DELETE', `/api/issues/${id}`);
  await side(page).getByRole('alert').getByText(`${id} was deleted`).waitFor(visible);
  await side(page).getByRole('button', { name: 'Restore it' }).click();

  await side(page).getByRole('article').waitFor(visible);
  expect(await appears(card(main(page), id).getByText(title))).toBe(true);
});

test('failed changes are one list, and one button retries all of them', async () => {
  const [one, two] = [await harbor.given(), await harbor.given()];
  const page = await harbor.open('/board/ANC');
  const failure = await fail(page, (request) => request.method() === 'PATCH');
  for (const { id } of [one, two]) await card(page, id).getByLabel(`Status of ${id}`).selectOption('Done');
  await unsaved(page).getByText('2 changes were not saved').waitFor(visible);

  await failure.lift();
  await unsaved(page).getByRole('button', { name: 'Retry all' }).click();

  for (const { id } of [one, two]) await card(column(page, 'Done'), id).waitFor(visible);
  await unsaved(page).waitFor(gone);
  expect(await page.getByRole('button', { name: 'Not saved, retry' }).count()).toBe(0);
});

test('a page that is offline shows that until it is online again', async () => {
  const page = await harbor.open('/board/ANC');
  await column(page, 'Doing').waitFor(visible);

  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor(visible);
  await column(page, 'Doing').locator('.card-title').first().click();
  await side(page).getByText('Not loaded yet: you are offline.').first().waitFor(visible);
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor(gone);
  expect(await appears(column(page, 'Doing'))).toBe(true);
});

// ── keyboard, titles, addresses ──────────────────────────────────────────────────────────────────

test('the palette finds places and issues, and the help names every key', async () => {
  const { id } = await harbor.given({ title: 'Found by the palette' });
  const page = await harbor.open('/mine');
  await page.getByText('Everything assigned to').waitFor(visible);

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('tidewater bo');
  await page.getByRole('option', { name: /Tidewater board/ }).waitFor(visible);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Board of Tidewater' }).waitFor(visible);
  await expect.poll(() => page.title(), PATIENT).toBe('Tidewater board · Harbor');

  await page.keyboard.press('ControlOrMeta+k');
  // what is found for half of it goes when the rest is asked for
  const searched = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('q') === 'found by the',
  );
  await page.keyboard.type('found by the');
  await searched;
  await page.getByRole('option', { name: /Found by the palette/ }).click();
  await side(page).getByRole('article').waitFor(visible);
  await expect.poll(() => page.title(), PATIENT).toBe(`${id} Found by the palette · Harbor`);

  await main(page).click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('theme dark');
  await page.keyboard.press('Enter');
  await page.locator('html[data-theme="dark"]').waitFor(visible);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('race late');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'A late response' }).waitFor(visible);
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Create an issue').waitFor(visible);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'New issue' }).waitFor(visible);
});

test('the palette accepts typing before the projects are loaded', async () => {
  const page = await harbor.open('/mine');
  await page.getByRole('link', { name: /^Tidewater/ }).waitFor(visible);
  const address = page.url();
  // every request for the projects waits: a page asks again when its stream opens
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.goto('about:blank');
  await page.route(
    ({ pathname }) => pathname === '/api/projects',
    async (route) => {
      await released;
      await route.fallback();
    },
  );
  await page.goto(address);
  await page.getByRole('button', { name: 'Find or do, Ctrl K' }).waitFor(visible);

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('tidewater');
  expect(await page.getByRole('combobox', { name: /^Find an issue/ }).inputValue()).toBe('tidewater');
  const board = page.getByRole('option', { name: /Tidewater board/ });
  expect(await board.count()).toBe(0);
  release();

  await board.waitFor(visible);
});

test('Escape closes the view at the side, and the focus returns to the element that opened it', async () => {
  const { id, title } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  const link = card(main(page), id).getByRole('link', { name: title });
  await link.focus();
  await page.keyboard.press('Enter');
  await side(page).getByRole('article').waitFor(visible);
  await side(page).getByRole('button', { name: 'Widen' }).focus();

  await page.keyboard.press('Escape');

  await side(page).waitFor(gone);
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('the first Tab offers to skip to the content', async () => {
  const page = await harbor.open('/board/ANC');
  await column(page, 'Doing').waitFor(visible);

  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Skip to the content' }).waitFor(visible);
  await page.keyboard.press('Enter');

  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
});

test('the button of the inspector shows the panel again after the panel has hidden itself', async () => {
  const page = await harbor.open('/mine');
  const inspect = page.getByRole('button', { name: 'Inspect' });
  await inspect.click();
  await page.getByRole('button', { name: 'Hide' }).click();
  await page.getByRole('button', { name: 'Hide' }).waitFor(gone);
  await expect.poll(() => inspect.getAttribute('aria-pressed'), PATIENT).toBe('false');

  await inspect.click();
  await page.getByRole('button', { name: 'Hide' }).waitFor(visible);
});

test('an unknown address shows that there is no such page', async () => {
  const page = await harbor.open('/harbour/12');

  await page.getByRole('heading', { name: 'There is no such page' }).waitFor(visible);
  expect(await page.title()).toBe('Not found · Harbor');
});

// ── on a phone ───────────────────────────────────────────────────────────────────────────────────

test('on a phone the whole network control is on screen, and a failed row can be read and retried', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/table?q=Given', PHONE);
  await row(page, id).waitFor(visible);
  await page.getByRole('button', { name: 'Network: Good' }).tap();
  const box = await page.getByRole('dialog', { name: 'Network conditions' }).boundingBox();
  expect(box!.x).toBeGreaterThanOrEqual(0);
  expect(box!.x + box!.width).toBeLessThanOrEqual(390);
  expect(box!.y + box!.height).toBeLessThanOrEqual(844);
  await page.keyboard.press('Escape');

  const failure = await fail(page, isWrite('PATCH', `/api/issues/${id}`));
  await row(page, id).getByLabel(`Status of ${id}`).selectOption('Done');
  const marker = row(page, id).getByRole('button', { name: 'Not saved, retry' });
  await marker.waitFor(visible);
  const isWhole = await marker.evaluate((element) => {
    const cell = element.parentElement!.getBoundingClientRect();
    return element.scrollWidth <= element.clientWidth && element.getBoundingClientRect().right <= cell.right;
  });
  expect(isWhole).toBe(true);
  await failure.lift();
  await marker.tap();
  await marker.waitFor(gone);
});
