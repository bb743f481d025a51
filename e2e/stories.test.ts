// What a visitor does, and what they see in every view of it. No test waits for a fixed time: each
// waits for what the page shows.
import { expect, test } from 'vitest';
import {
  appears,
  card,
  column,
  countOf,
  main,
  rename,
  row,
  side,
  startHarbor,
  PATIENT,
} from './support/harbor.ts';

const harbor = startHarbor();
const visible = { state: 'visible' } as const;

test('an issue renamed on its page has its new title on the board, in my work and in the sidebar', async () => {
  const { id, title } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  await card(page, id).getByRole('link', { name: title }).click();

  await rename(side(page), 'Renamed beside the board');

  await card(main(page), id).getByText('Renamed beside the board').waitFor(visible);
  await page.locator('.my-count', { hasText: 'Renamed beside the board' }).waitFor(visible);
  expect(await page.getByText(title, { exact: true }).count()).toBe(0);
});

test('a card dragged to another column leaves the first and is counted in the second', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  await card(column(page, 'Doing'), id).waitFor(visible);
  const [doing, review] = [await countOf(column(page, 'Doing')), await countOf(column(page, 'In review'))];

  await card(page, id).dragTo(column(page, 'In review').getByRole('heading'));

  await card(column(page, 'In review'), id).waitFor(visible);
  expect(await card(column(page, 'Doing'), id).count()).toBe(0);
  expect(await countOf(column(page, 'Doing'))).toBe(doing - 1);
  expect(await countOf(column(page, 'In review'))).toBe(review + 1);
  await expect
    .poll(
      async () => (await harbor.ask<{ status: string }>('GET', `/api/issues/${id}`)).value.status,
      PATIENT,
    )
    .toBe('review');
});

test('moving a card of the signed-in user changes the counts of my work', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  await card(page, id).waitFor(visible);
  const mine = page.locator('[data-my="review"]');
  const before = await countOf(mine);

  await card(page, id).getByLabel(`Status of ${id}`).selectOption('In review');

  await expect.poll(() => countOf(mine), PATIENT).toBe(before + 1);
});

test('a card is moved by the keyboard and keeps the focus', async () => {
  const { id, title } = await harbor.given();
  const page = await harbor.open('/board/ANC');
  await card(page, id).getByRole('link', { name: title }).focus();

  await page.keyboard.press('Shift+ArrowRight');

  const moved = card(column(page, 'In review'), id).getByRole('link', { name: title });
  await moved.waitFor(visible);
  await expect
    .poll(() => moved.evaluate((element) => element === document.activeElement), PATIENT)
    .toBe(true);
  await page.keyboard.press('Shift+ArrowLeft');
  expect(await appears(card(column(page, 'Doing'), id))).toBe(true);
});

test('an issue that is added to a column is there at once, gets its number, and is in the table too', async () => {
  const page = await harbor.open('/board/BRK?side=%2Ftable%3FprojectId%3DBRK');
  await row(side(page), 'BRK-1830').waitFor(visible);

  await page.getByLabel('Add an issue to Doing').fill('Fresh from the composer');
  await page.keyboard.press('Enter');

  const fresh = column(page, 'Doing').locator('[data-card]', { hasText: 'Fresh from the composer' });
  await fresh.waitFor(visible);
  await expect.poll(() => fresh.getAttribute('data-card'), PATIENT).toMatch(/^BRK-\d+$/);
  expect(await fresh.count()).toBe(1);
  await side(page).getByRole('link', { name: 'Fresh from the composer' }).waitFor(visible);
  expect(await page.getByLabel('Add an issue to Doing').inputValue()).toBe('');
});

test('an issue created with the dialog has every field that was chosen', async () => {
  const page = await harbor.open('/board/CMP');
  await page.getByRole('button', { name: 'New issue' }).click();
  const dialog = page.getByRole('dialog', { name: 'New issue' });

  await dialog.getByLabel('Title').fill('From the dialog');
  await dialog.getByLabel('Priority').selectOption('Urgent');
  await dialog.getByLabel('Status').selectOption('In review');
  await dialog.getByLabel('Assignee').selectOption('Yuki Abara');
  await dialog.getByRole('button', { name: 'Create issue' }).click();

  const created = column(page, 'In review').locator('[data-card]', { hasText: 'From the dialog' });
  await created.waitFor(visible);
  expect(await appears(created.getByRole('img', { name: 'Yuki Abara' }))).toBe(true);
});

test('a deleted issue is gone from both panes', async () => {
  const { id, title } = await harbor.given();
  const page = await harbor.open(
    `/table?projectId=ANC&status=doing&side=${encodeURIComponent(`/issues/${id}`)}`,
  );
  await row(main(page), id).waitFor(visible);

  await side(page)
    .getByRole('button', { name: `Delete ${id}` })
    .click();

  await row(page, id).waitFor({ state: 'detached' });
  expect(await page.locator('.panes').getByText(title).count()).toBe(0);
  await expect.poll(async () => (await harbor.ask('GET', `/api/issues/${id}`)).status, PATIENT).toBe(404);
});

test('a comment appears, is counted on the card, and can be edited and deleted', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open(`/board/ANC?side=${encodeURIComponent(`/issues/${id}`)}`);
  const comments = side(page).getByRole('region', { name: 'Comments' });

  await comments.getByLabel('Write a comment').fill('A first thought');
  await comments.getByRole('button', { name: 'Comment', exact: true }).click();
  await comments.getByText('A first thought').waitFor(visible);
  await card(main(page), id).getByText('1 comments').waitFor({ state: 'attached' });

  await comments.getByLabel('Your comment').fill('A second thought');
  await comments.getByLabel('Your comment').blur();
  await expect
    .poll(
      async () => (await harbor.ask<{ body: string }[]>('GET', `/api/issues/${id}/comments`)).value[0]?.body,
      PATIENT,
    )
    .toBe('A second thought');

  await comments.getByRole('button', { name: 'Delete this comment' }).click();
  await comments.getByText('A second thought').waitFor({ state: 'detached' });
  await card(main(page), id).getByText('1 comments').waitFor({ state: 'detached' });
});

test('every change appears in the activity without a further request', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open(`/issues/${id}`);
  const activity = main(page).getByRole('region', { name: 'Activity' });
  await activity.getByText('created the issue').waitFor(visible);

  await main(page).getByLabel('Priority').selectOption('Low');

  expect(await appears(activity.getByText('changed the priority from Urgent to Low'))).toBe(true);
});

test('an estimate keeps every digit, and a wrong estimate is refused with the reason', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open(`/issues/${id}`);
  const estimate = main(page).getByLabel('Estimate in days');

  await estimate.fill('12345.6789');
  await estimate.press('Enter');
  await expect.poll(() => estimate.inputValue(), PATIENT).toBe('12345.6789');
  await main(page).getByText('set the estimate to “12345.6789”').waitFor(visible);

  await estimate.fill('1e9');
  await estimate.press('Enter');
  await page.getByRole('status').getByText('estimate must be a number of days such as 2.5').waitFor(visible);
  await expect.poll(() => estimate.inputValue(), PATIENT).toBe('12345.6789');
});

test('the table can be filtered, sorted and searched, and its address contains all of it', async () => {
  const { id } = await harbor.given({ title: 'Zebra crossing in the harbour', status: 'backlog' });
  const page = await harbor.open('/table');
  await page.getByText(/^10,0\d\d issues$/).waitFor(visible);

  await page.getByLabel('Search issues').fill('zebra');
  await page.getByText('1 issue', { exact: true }).waitFor(visible);
  await row(page, id).waitFor(visible);
  await page.reload();
  await page.getByText('1 issue', { exact: true }).waitFor(visible);

  await page.getByLabel('Search issues').fill('');
  await page.getByLabel('Any project').selectOption('Compass');
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
  await expect.poll(() => page.locator('[aria-sort="ascending"]').innerText(), PATIENT).toBe('Title');
  const titles = await page.locator('.row-title').allInnerTexts();
  expect(titles).toEqual(titles.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  expect(new URL(page.url()).searchParams.get('orderBy')).toBe('title');

  await page.goBack();
  await page.goBack();
  await expect.poll(() => page.getByLabel('Any project').inputValue(), PATIENT).toBe('');
});

test('many issues are moved and deleted with one request', async () => {
  const [first, second] = [await harbor.given({ status: 'todo' }), await harbor.given({ status: 'todo' })];
  const page = await harbor.open('/table?q=Given&projectId=ANC&side=%2Fboard%2FANC');
  for (const { id } of [first, second]) await row(page, id).getByLabel(`Select ${id}`).check();

  await page.getByLabel('Set the status of the selected issues').selectOption('In review');
  for (const { id } of [first, second]) await card(column(page, 'In review'), id).waitFor(visible);

  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  for (const { id } of [first, second]) await card(page, id).waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await harbor.ask('GET', `/api/issues/${first.id}`)).status, PATIENT)
    .toBe(404);
});

test('signing out shows the people, and signing in as somebody else shows their work', async () => {
  const page = await harbor.open('/mine');
  await page.getByText('Everything assigned to Mira Castellan').waitFor(visible);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Ravi Thorne' }).click();

  expect(await appears(page.getByText('Everything assigned to Ravi Thorne'))).toBe(true);
});

test('a change by one person appears on the screen of another person by itself', async () => {
  const { id, title } = await harbor.given();
  const [mine, theirs] = [await harbor.open('/board/ANC'), await harbor.open('/board/ANC')];
  await card(mine, id).waitFor(visible);
  await card(theirs, id).waitFor(visible);

  await card(mine, id).getByLabel(`Status of ${id}`).selectOption('In review');
  await card(column(theirs, 'In review'), id).getByText(title).waitFor(visible);
  expect(await card(column(theirs, 'Doing'), id).count()).toBe(0);

  await mine.getByLabel('Add an issue to Doing').fill('Seen by both');
  await mine.keyboard.press('Enter');
  await column(theirs, 'Doing').getByText('Seen by both').waitFor(visible);

  await harbor.ask('DELETE', `/api/issues/${id}`);
  await card(theirs, id).waitFor({ state: 'detached' });
  await card(mine, id).waitFor({ state: 'detached' });
});

test('the page of an issue that does not exist shows that, and offers a retry', async () => {
  const page = await harbor.open('/issues/LTH-999999');

  await page.getByRole('alert').getByText('There is no issue LTH-999999.').waitFor(visible);
  expect(await appears(page.getByRole('button', { name: 'Try again' }))).toBe(true);
  expect(await appears(page.getByRole('heading', { level: 1, name: 'Nothing to see here' }))).toBe(true);
  await page.getByRole('link', { name: 'To the board' }).click();
  await column(page, 'Doing').waitFor(visible);
});

test('on a phone the board scrolls by columns and the menu opens', async () => {
  const page = await harbor.open('/board/LTH', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await column(page, 'Backlog').waitFor(visible);

  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: /Tidewater/ }).click();
  expect(await appears(page.getByRole('region', { name: 'Board of Tidewater' }))).toBe(true);
});
