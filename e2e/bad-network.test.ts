// The worst cases: answers that come late, in the wrong order, or not at all. The server is real;
// only its answers are held back. In the end the page must show what the server has.
import { expect, test } from 'vitest';
import {
  appears,
  card,
  column,
  fail,
  hold,
  isList,
  isWrite,
  main,
  openBeside,
  PATIENT,
  rename,
  row,
  side,
  startHarbor,
} from './support/harbor.ts';

// a small database: what is proven here does not depend on its size
const harbor = startHarbor({ seed: { issues: 300 } });
const visible = { state: 'visible' } as const;

const titleOf = async (id: string): Promise<string> =>
  (await harbor.ask<{ title: string }>('GET', `/api/issues/${id}`)).value.title;

test('an issue that is renamed while a list is in flight keeps its new title when the old list arrives', async () => {
  const { id, title } = await harbor.given();
  const page = await openBeside(harbor, id);
  const late = await hold(page, isList({ projectId: 'ANC', status: 'doing', orderBy: '-updatedAt' }));
  await main(page).getByRole('link', { name: 'Table' }).click();
  await page.getByLabel('Any status').selectOption('Doing');
  await late.arrived;

  await rename(side(page), 'Newer than the list');
  await expect.poll(() => titleOf(id), PATIENT).toBe('Newer than the list');
  await late.release();

  await row(main(page), id).getByText('Newer than the list').waitFor(visible);
  expect(await page.getByText(title, { exact: true }).count()).toBe(0);
});

test('an issue that is deleted while a list is in flight does not come back with the list', async () => {
  const { id } = await harbor.given();
  const other = await harbor.given();
  const page = await openBeside(harbor, id);
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
  expect(await row(page, id).count()).toBe(0);
});

test('when the second of three edits fails, the third stays, and the failed one is listed until it is dismissed', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  // the last one registered takes the first request
  const three = await hold(page, isWrite('PATCH', `/api/issues/${id}`));
  const two = await hold(page, isWrite('PATCH', `/api/issues/${id}`), 'before');
  const one = await hold(page, isWrite('PATCH', `/api/issues/${id}`));
  const status = side(page).getByLabel('Status', { exact: true });
  for (const name of ['To do', 'In review', 'Done']) await status.selectOption(name);
  await card(column(main(page), 'Done'), id).waitFor(visible);

  await one.arrived;
  await one.release();
  expect((await two.arrived).postDataJSON()).toEqual({ status: 'review' });
  await two.release(503);
  expect((await three.arrived).postDataJSON()).toEqual({ status: 'done' });
  await three.release();

  const failed = card(column(main(page), 'Done'), id).getByRole('button', { name: 'Not saved, retry' });
  await failed.waitFor(visible);
  expect((await harbor.ask<{ status: string }>('GET', `/api/issues/${id}`)).value.status).toBe('done');
  await page.getByRole('button', { name: `Dismiss: Move ${id} to In review` }).click();
  await failed.waitFor({ state: 'detached' });
  expect(await page.locator('.failure').count()).toBe(0);
});

test('edits of two fields that are made while the first is in flight are both on screen, and both saved', async () => {
  const { id } = await harbor.given();
  const page = await openBeside(harbor, id);
  const first = await hold(page, isWrite('PATCH', `/api/issues/${id}`));
  await rename(side(page), 'Both kept');
  await first.arrived;
  await side(page).getByLabel('Status', { exact: true }).selectOption('In review');
  await card(column(page, 'In review'), id).getByText('Both kept').waitFor(visible);

  await first.release();

  await card(page, id).getByText('Saving').waitFor({ state: 'detached' });
  await card(column(page, 'In review'), id).getByText('Both kept').waitFor(visible);
  expect(await card(column(page, 'Doing'), id).count()).toBe(0);
});

test('a card that could not be moved returns to its column, marked, and moves on retry', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  await card(column(page, 'Doing'), id).waitFor(visible);
  const write = await hold(page, isWrite('PATCH', `/api/issues/${id}`), 'before');

  await card(page, id).getByLabel(`Status of ${id}`).selectOption('Done');
  await card(column(page, 'Done'), id).getByText('Saving').waitFor(visible);
  await write.release(503);
  await card(column(page, 'Doing'), id).getByRole('button', { name: 'Not saved, retry' }).click();

  await card(column(page, 'Done'), id).waitFor(visible);
  await expect
    .poll(
      async () => (await harbor.ask<{ status: string }>('GET', `/api/issues/${id}`)).value.status,
      PATIENT,
    )
    .toBe('done');
});

test('an issue that is created, edited and deleted before the server has responded leaves nothing behind', async () => {
  const page = await harbor.open('/board/ANC');
  await column(page, 'Doing').waitFor(visible);
  const post = await hold(page, isWrite('POST', '/api/issues'));
  await page.getByLabel('Add an issue to Doing').fill('Short life');
  await page.keyboard.press('Enter');
  await post.arrived;
  const draft = page.locator('[data-card]', { hasText: 'Short life' });

  await draft.getByLabel(/^Status of/).selectOption('In review');
  await column(page, 'In review').getByText('Short life').waitFor(visible);
  await draft.getByRole('link').focus();
  await page.keyboard.press('Delete');
  await draft.waitFor({ state: 'detached' });
  await post.release();

  const left = async (): Promise<number> =>
    (await harbor.ask<{ total: number }>('GET', '/api/issues?q=Short%20life')).value.total;
  await expect.poll(left, PATIENT).toBe(0);
  expect(await page.locator('[data-card]', { hasText: 'Short life' }).count()).toBe(0);
  expect(await page.locator('.failure').allInnerTexts()).toEqual([]);
});

test('the page of an issue that has no server id yet can be edited, and continues with the real id', async () => {
  const page = await harbor.open('/board/ANC');
  await column(page, 'Doing').waitFor(visible);
  const post = await hold(page, isWrite('POST', '/api/issues'));
  await page.getByLabel('Add an issue to Doing').fill('Nameless');
  await page.keyboard.press('Enter');
  await post.arrived;
  await page.locator('[data-card]', { hasText: 'Nameless' }).getByRole('link').click();

  await rename(side(page), 'Named later');
  await page.locator('[data-card]', { hasText: 'Named later' }).waitFor(visible);
  await post.release();

  await expect
    .poll(() => new URL(page.url()).searchParams.get('side'), PATIENT)
    .toMatch(/^\/issues\/ANC-\d+$/);
  const id = new URL(page.url()).searchParams.get('side')?.split('/')[2] ?? '';
  await expect.poll(() => titleOf(id), PATIENT).toBe('Named later');
  await side(page).getByText('created the issue').waitFor(visible);
  expect(await side(page).getByLabel('Title', { exact: true }).inputValue()).toBe('Named later');
});

test('a created card is the same element before and after the server gives its id', async () => {
  const page = await harbor.open('/board/ANC');
  await column(page, 'Doing').waitFor(visible);
  const post = await hold(page, isWrite('POST', '/api/issues'));
  await page.getByLabel('Add an issue to Doing').fill('One element');
  await page.keyboard.press('Enter');
  await post.arrived;
  const created = page.locator('[data-card]', { hasText: 'One element' });
  await created.evaluate((element) => element.setAttribute('data-marked', 'yes'));

  await post.release();

  await expect.poll(() => created.getAttribute('data-card'), PATIENT).toMatch(/^ANC-\d+$/);
  expect(await created.getAttribute('data-marked')).toBe('yes');
});

test('a response that arrives after signing out is not shown to the next user', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  await card(page, id).waitFor(visible);
  const late = await hold(page, isList({ assigneeId: 'mira', status: 'todo' }));
  await page.reload();
  await late.arrived;

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Kofi Renner' }).waitFor(visible);
  await late.release();
  await page.getByRole('button', { name: 'Kofi Renner' }).click();

  await page.locator('.signed-in').getByText('Kofi Renner').waitFor(visible);
  expect(await page.locator('.signed-in').getByText('Mira Castellan').count()).toBe(0);
});

test('a view that fails to load shows the failure, and loads on retry', async () => {
  const page = await harbor.open('/');
  const failure = await fail(page, isList({ projectId: 'TDW', status: 'review' }));
  await page.getByRole('link', { name: /Tidewater/ }).click();

  await page.getByRole('alert').getByText('Could not load the column In review').waitFor(visible);
  await failure.lift();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(await appears(column(page, 'In review'))).toBe(true);
});
