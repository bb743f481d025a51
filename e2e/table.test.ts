// The table of ten thousand rows: any of them is one drag of the scroll bar away, filters answer at once, and many rows are
// changed by one request of which each row has an end of its own.
import type { Locator, Page, Request } from 'playwright';
import { expect, test } from 'vitest';
import { countOf, hold, isList, isWrite, main, PATIENT, row, side, startHarbor } from './support/harbor.ts';

const harbor = startHarbor();
const visible = { state: 'visible' } as const;

const tableOf = (page: Page): Locator => page.getByRole('table', { name: 'Issues' });
const offsetOf = (request: Request): string | null => new URL(request.url()).searchParams.get('offset');
const scrollTo = (page: Page, share: number): Promise<void> =>
  tableOf(page).evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), share);
/** The sum of what has moved by itself since the page was opened, as browsers count it. */
const layoutShiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value; // cast: what it observes
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), 200);
      }),
  );
const turnOn = async (page: Page, fault: string): Promise<void> => {
  await page.getByRole('button', { name: /^Network:/ }).click();
  await page.getByRole('checkbox', { name: new RegExp(fault) }).check();
  await page.keyboard.press('Escape');
};

test('the scroll bar reaches every row of the table at once, without loading the rows between', async () => {
  const page = await harbor.open('/table?orderBy=createdAt');
  await tableOf(page).locator('[data-row]').first().waitFor(visible);
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    if (isList({ orderBy: 'createdAt' })(request)) asked.push(offsetOf(request));
  });

  for (const share of [0.1, 0.2, 0.3, 0.4]) await scrollTo(page, share);
  await scrollTo(page, 0.5);
  await page.locator('[aria-rowindex="5002"][data-row]').waitFor(visible);
  await scrollTo(page, 1);
  await page.locator('[aria-rowindex="10001"][data-row]').waitFor(visible);

  expect(asked).toEqual(expect.arrayContaining(['5000', '9900']));
  // a hundred windows lie between the first row and the last
  expect(new Set(asked).size).toBeLessThan(20);
  expect(await tableOf(page).locator('[role="row"]').count()).toBeLessThan(90);
});

test('going back restores the scroll position of the table', async () => {
  const page = await harbor.open('/table');
  await tableOf(page).locator('[data-row]').first().waitFor(visible);
  await scrollTo(page, 0.3);
  await page.locator('[aria-rowindex="3006"][data-row]').waitFor(visible);
  const before = await tableOf(page).evaluate((element) => element.scrollTop);
  await page.getByRole('link', { name: 'My work' }).first().click();
  await page.getByText('Everything assigned to').waitFor(visible);

  await page.goBack();

  await page.locator('[aria-rowindex="3006"][data-row]').waitFor(visible);
  expect(await tableOf(page).evaluate((element) => element.scrollTop)).toBe(before);
});

test('a filter shows the choice at once, and the rows follow when they arrive', async () => {
  const page = await harbor.open('/table');
  await tableOf(page).locator('[data-row]').first().waitFor(visible);
  const late = await hold(page, isList({ status: 'review' }));

  await page.getByLabel('Any status').selectOption('In review');
  await late.arrived;
  expect(await page.getByLabel('Any status').inputValue()).toBe('review');
  expect(new URL(page.url()).searchParams.get('status')).toBe('review');
  expect(await tableOf(page).locator('[data-row]').count()).toBeGreaterThan(0);
  await late.release();

  await page.locator('.table-page[aria-busy="false"]').waitFor(visible);
  expect(new Set(await tableOf(page).locator('.cell-status .picker-text').allInnerTexts())).toEqual(
    new Set(['In review']),
  );
});

test('a change of many rows is shown at once; refused rows roll back, are listed, and are retried with one request', async () => {
  const title = 'Refused now and then';
  const rows = [];
  for (let index = 0; index < 6; index += 1) rows.push(await harbor.given({ title, status: 'todo' }));
  const page = await harbor.open('/table?q=Refused+now&side=%2Fboard%2FANC');
  await turnOn(page, 'Refuse every third row');
  await row(main(page), rows[0]!.id).waitFor(visible);
  await main(page).getByLabel('Select all loaded issues').check();
  const write = await hold(page, isWrite('POST', '/api/issues/bulk'));

  await page.getByLabel('Set the status of the selected issues').selectOption('Done');
  await write.arrived;
  const statuses = (): Promise<string[]> => main(page).locator('.cell-status .picker-text').allInnerTexts();
  await expect.poll(statuses, PATIENT).toEqual(Array.from({ length: 6 }, () => 'Done'));
  await write.release();

  const list = page.getByRole('region', { name: 'Changes that were not saved' });
  await list.getByText('2 changes were not saved').waitFor(visible);
  expect(await list.getByText('Somebody else has locked it').count()).toBe(2);
  // the notice leaves the bar of the selected rows free: Playwright waits until a click would hit the button
  const clear = page.getByRole('toolbar').getByRole('button', { name: 'Clear the selection' });
  await page.setViewportSize({ width: 390, height: 844 });
  await clear.click({ trial: true });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect
    .poll(async () => (await statuses()).filter((text) => text === 'To do').length, PATIENT)
    .toBe(2);
  expect(await main(page).getByRole('button', { name: 'Not saved, retry' }).count()).toBe(2);

  await page.getByRole('button', { name: /^Network:/ }).click();
  await page.getByRole('checkbox', { name: /Refuse every third row/ }).uncheck();
  await page.keyboard.press('Escape');
  await list.getByRole('button', { name: 'Retry all' }).click();
  await list.waitFor({ state: 'detached' });
  await expect.poll(statuses, PATIENT).toEqual(Array.from({ length: 6 }, () => 'Done'));
});

test('broken rows are left out, the count is that of the shown rows, and a report lists the errors', async () => {
  const page = await harbor.open('/table?projectId=LTH&status=todo&orderBy=rank');
  await tableOf(page).locator('[data-row]').first().waitFor(visible);
  const shown = async (): Promise<number> =>
    Number((await page.locator('.table-note').getByRole('status').innerText()).replaceAll(/\D/g, ''));
  const all = await shown();

  await turnOn(page, 'Break 3 rows');

  await page.getByRole('button', { name: '3 rows left out' }).click();
  const report = page.getByRole('dialog', { name: 'Rows that were left out' });
  expect(await report.locator('tbody code').allInnerTexts()).toEqual(
    expect.arrayContaining(['status', 'title', 'dueDate']),
  );
  await page.keyboard.press('Escape');
  expect(await shown()).toBe(all - 3);
});

test('the counts of a project include a change that is still in flight', async () => {
  const { id } = await harbor.given({ title: 'Counted while pending' });
  const page = await harbor.open('/table?q=Counted+while');
  await row(page, id).waitFor(visible);
  const count = (): Promise<number> => countOf(page.locator('.sidebar a[href="/board/ANC"]'));
  const before = await count();
  const write = await hold(page, isWrite('PATCH', `/api/issues/${id}`), 'before');

  await row(page, id).getByLabel(`Status of ${id}`).selectOption('Done');
  await write.arrived;

  expect(await count()).toBe(before - 1);
  await write.release();
  await row(page, id).getByText('Saving').waitFor({ state: 'detached' });
  expect(await count()).toBe(before - 1);
});

test('the whole table can be used on a phone', async () => {
  const page = await harbor.open('/table?orderBy=createdAt', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const first = tableOf(page).locator('[data-row]').first();
  await first.waitFor(visible);
  expect(await layoutShiftOf(page)).toBeLessThan(0.1);
  await first.getByRole('checkbox').tap();
  await page.getByRole('toolbar', { name: '1 selected' }).waitFor(visible);
  await page.getByRole('toolbar').getByRole('button', { name: 'Clear the selection' }).tap();
  await first.locator('.row-title').tap();

  await page.getByRole('article').waitFor(visible);
  expect(await side(page).count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
