// Edits over a slow line: a title that saves itself loses no letter and sends few requests, and many cards are changed by one request
// of which each card has its own end.
import type { Page, Request } from 'playwright';
import { expect, test } from 'vitest';
import { look } from './support/axe.ts';
import { card, column, isWrite, main, openBeside, PATIENT, side, startHarbor } from './support/harbor.ts';

const harbor = startHarbor();
const visible = { state: 'visible' } as const;
const LINE_MS = 3_000;

/** Every change that the page sends; the server handles each of them at once, and the response takes `LINE_MS`. */
async function slowDown(page: Page, sent: Request[]): Promise<void> {
  await page.route('**/api/issues/**', async (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.fallback();
    sent.push(request);
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, LINE_MS));
    // a page that was closed meanwhile wants no response
    return route.fulfill({ response }).catch(() => undefined);
  });
}

const titleOf = async (id: string): Promise<string> =>
  (await harbor.ask<{ title: string }>('GET', `/api/issues/${id}`)).value.title;

test('a title saves itself: of two hundred letters on a slow line every one is there, by at most five requests', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  const sent: Request[] = [];
  await slowDown(page, sent);
  const title = side(page).getByLabel('Title', { exact: true });
  const text = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(97 + (at % 26))).join('');

  await title.selectText();
  await page.keyboard.type(text, { delay: 30 });

  expect(await title.inputValue()).toBe(text);
  // every other view shows each letter at once
  expect(await card(main(page), id).getByRole('link').innerText()).toBe(text);
  await expect.poll(() => titleOf(id), PATIENT).toBe(text);
  await side(page).getByText('Saving').waitFor({ state: 'detached' });
  expect(await title.inputValue()).toBe(text);
  expect(sent.map((request) => `${request.method()} ${new URL(request.url()).pathname}`)).toEqual(
    sent.map(() => `PATCH /api/issues/${id}`),
  );
  expect(sent.length).toBeLessThanOrEqual(5);
});

test('a title that is refused stays in its field with the reason, and is saved when it is corrected', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  const title = side(page).getByLabel('Title', { exact: true });

  await title.fill('x'.repeat(1_000));
  await title.press('Enter');
  await side(page).getByRole('alert').waitFor(visible);
  expect(await title.inputValue()).toBe('x'.repeat(1_000));
  await title.fill('Short enough');
  await title.press('Enter');

  await expect.poll(() => titleOf(id), PATIENT).toBe('Short enough');
  expect(await side(page).getByRole('alert').count()).toBe(0);
});

test('fifty cards are moved by one request, and the refused ones go back and say so', async () => {
  const title = 'One of fifty';
  const ids: string[] = [];
  for (let index = 0; index < 50; index += 1) ids.push((await harbor.given({ title, status: 'todo' })).id);
  const page = await harbor.open('/table?q=One+of+fifty&side=%2Fboard%2FANC');
  await page.getByRole('button', { name: /^Network:/ }).click();
  await page.getByRole('checkbox', { name: /Refuse every third row/ }).check();
  await page.keyboard.press('Escape');
  await card(side(page), ids[49]!).waitFor(visible);
  await main(page).getByLabel('Select all loaded issues').check();
  await page.getByRole('toolbar', { name: '50 selected' }).waitFor(visible);
  const sent: Request[] = [];
  await slowDown(page, sent);

  await page.getByLabel('Set the status of the selected issues').selectOption('Done');
  // shown at once, while the request is in flight
  await card(column(side(page), 'To do'), ids[49]!).waitFor({ state: 'detached' });
  await page.getByText('16 changes were not saved').waitFor(visible);

  expect(sent.map((request) => new URL(request.url()).pathname)).toEqual(['/api/issues/bulk']);
  const { update } = sent[0]!.postDataJSON() as { update: { id: string }[] };
  const refused = update.map(({ id }) => id).filter((_id, at) => at % 3 === 2);
  const done = async (): Promise<number> =>
    (await harbor.ask<{ total: number }>('GET', '/api/issues?q=One%20of%20fifty&status=done')).value.total;
  expect(await done()).toBe(34);
  for (const id of ids) {
    const state = card(column(side(page), 'To do'), id);
    if ((await state.count()) === 0) continue;
    expect(refused).toContain(id);
    expect(await state.getByRole('button', { name: 'Not saved, retry' }).count()).toBe(1);
  }
  expect(await look(page, {})).toEqual([]);

  await page.getByRole('button', { name: /^Network:/ }).click();
  await page.getByRole('checkbox', { name: /Refuse every third row/ }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Retry all' }).click();
  await expect.poll(done, PATIENT).toBe(50);
  await page.getByText('changes were not saved').waitFor({ state: 'detached' });
  expect(sent.filter(isWrite('POST', '/api/issues/bulk'))).toHaveLength(2);
});

test('Ctrl+Z takes back a moved card and a saved title, with Shift again, and the server agrees', async () => {
  const { id, title: before } = await harbor.given();
  const stateOf = async () =>
    (await harbor.ask<{ title: string; status: string }>('GET', `/api/issues/${id}`)).value;
  const page = await openBeside(harbor, id);
  const title = side(page).getByLabel('Title', { exact: true });
  await title.fill('Another title');
  await title.press('Enter');
  await expect.poll(async () => (await stateOf()).title, PATIENT).toBe('Another title');
  await card(main(page), id).getByLabel(`Status of ${id}`).selectOption('Done');
  await expect.poll(async () => (await stateOf()).status, PATIENT).toBe('done');
  await page.locator('body').click({ position: { x: 2, y: 2 } });

  await page.keyboard.press('Control+z');
  await card(column(main(page), 'Doing'), id).waitFor(visible);
  await page.keyboard.press('Control+z');
  await card(main(page), id).getByText(before).waitFor(visible);
  await expect.poll(stateOf, PATIENT).toMatchObject({ title: before, status: 'doing' });

  await page.keyboard.press('Control+Shift+z');
  await expect.poll(stateOf, PATIENT).toMatchObject({ title: 'Another title', status: 'doing' });
  expect(await look(page, { part: '.board' })).toEqual([]);
});

test('one Ctrl+Z takes back a change of many cards, by one request', async () => {
  const title = 'One of twelve';
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) ids.push((await harbor.given({ title, status: 'todo' })).id);
  const inTodo = async (): Promise<number> =>
    (await harbor.ask<{ total: number }>('GET', '/api/issues?q=One%20of%20twelve&status=todo')).value.total;
  const page = await harbor.open('/table?q=One+of+twelve');
  await main(page).getByLabel('Select all loaded issues').check();
  await page.getByLabel('Set the status of the selected issues').selectOption('Done');
  await expect.poll(inTodo, PATIENT).toBe(0);
  const sent: Request[] = [];
  await slowDown(page, sent);
  await page.locator('body').click({ position: { x: 2, y: 2 } });

  await page.keyboard.press('Control+z');

  await expect.poll(inTodo, PATIENT).toBe(12);
  expect(sent.map((request) => new URL(request.url()).pathname)).toEqual(['/api/issues/bulk']);
});
