// The board: where cards come to stand, by mouse, finger and keys, and that they stay there.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { card, column, countOf, hold, isWrite, PATIENT, startHarbor } from './support/harbor.ts';

// so many that a column is long
const harbor = startHarbor({ seed: { issues: 2_500 } });
const visible = { state: 'visible' } as const;

/** The ids of the first cards of a column, from top to bottom. */
async function idsOf(page: Page, name: string, most = 6): Promise<(string | null)[]> {
  const all = await column(page, name)
    .locator('[data-card]')
    .evaluateAll((cards) => cards.map((one) => one.getAttribute('data-card')));
  return all.slice(0, most);
}

/** Three new cards on top of Doing; the last one is the first. */
async function givenThree(): Promise<[string, string, string]> {
  const [third, second, first] = [await harbor.given(), await harbor.given(), await harbor.given()];
  return [first.id, second.id, third.id];
}

test('a card that is dropped between two others stays there after a reload', async () => {
  const [first, second, third] = await givenThree();
  const page = await harbor.open('/board/ANC');
  await card(page, first).waitFor(visible);
  expect(await idsOf(page, 'Doing', 3)).toEqual([first, second, third]);

  const target = await card(page, third).boundingBox();
  const from = await card(page, first).boundingBox();
  if (!target || !from) throw new Error('the cards are not on screen');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + 60, target.y + 20, { steps: 4 });
  await page.mouse.move(target.x + 60, target.y + 8);
  expect(await page.locator('.drop-line').isVisible()).toBe(true);
  await page.mouse.up();

  await expect.poll(() => idsOf(page, 'Doing', 3), PATIENT).toEqual([second, first, third]);
  expect(await page.locator('.drop-line').count()).toBe(0);
  await page.locator('.card.is-pending').waitFor({ state: 'detached' });
  await page.reload();
  await card(page, first).waitFor(visible);
  expect(await idsOf(page, 'Doing', 3)).toEqual([second, first, third]);
});

test('a card can be moved up and down in its column by keys, and keeps the focus', async () => {
  const [first, second, third] = await givenThree();
  const page = await harbor.open('/board/ANC');
  const link = card(page, first).locator('.card-title');
  await link.focus();

  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => idsOf(page, 'Doing', 3), PATIENT).toEqual([second, first, third]);
  await expect.poll(() => link.evaluate((element) => element === document.activeElement), PATIENT).toBe(true);
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => idsOf(page, 'Doing', 3), PATIENT).toEqual([second, third, first]);
  await page.keyboard.press('Shift+ArrowUp');

  await expect.poll(() => idsOf(page, 'Doing', 3), PATIENT).toEqual([second, first, third]);
});

test('a new card is on top of its column and visible, and is counted before the server has responded', async () => {
  const page = await harbor.open('/board/BRK');
  const doing = column(page, 'Doing');
  await doing.locator('[data-card]').first().waitFor(visible);
  await doing.locator('.cards').evaluate((cards) => cards.scrollTo({ top: 900 }));
  const before = await countOf(doing);
  const answer = await hold(page, isWrite('POST', '/api/issues'), 'before');

  await page.getByLabel('Add an issue to Doing').fill('On top of all');
  await page.keyboard.press('Enter');
  await answer.arrived;

  const fresh = doing.locator('[data-card]').first();
  await expect.poll(() => fresh.innerText(), PATIENT).toContain('On top of all');
  await expect.poll(() => countOf(doing), PATIENT).toBe(before + 1);
  expect(await doing.locator('.cards').evaluate((cards) => cards.scrollTop)).toBe(0);
  await answer.release();
  await expect.poll(() => fresh.getAttribute('data-card'), PATIENT).toMatch(/^BRK-\d+$/);
  expect(await fresh.innerText()).toContain('On top of all');
  expect(await countOf(doing)).toBe(before + 1);
});

test('a long column shows its first cards, and loads more while the user scrolls', async () => {
  const page = await harbor.open('/board/LTH');
  const backlog = column(page, 'Backlog');
  await backlog.locator('[data-card]').first().waitFor(visible);

  expect(await backlog.locator('[data-card]').count()).toBe(12);
  expect(await countOf(backlog)).toBeGreaterThan(100);
  for (const wanted of [42, 72, 102]) {
    await backlog.locator('.cards').evaluate((cards) => cards.scrollTo({ top: cards.scrollHeight }));
    await expect.poll(() => backlog.locator('[data-card]').count(), PATIENT).toBe(wanted);
  }
});

test('further cards that failed to load are requested again when the user presses the button, and not repeatedly', async () => {
  const page = await harbor.open('/board/LTH');
  const cards = column(page, 'Backlog').locator('.cards');
  const scrollDown = (): Promise<void> =>
    cards.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  let asked = 0;
  await page.route(
    (url) => url.searchParams.has('cursor'),
    (route) => {
      asked += 1;
      return route.fulfill({ status: 400, json: { title: 'Not today' } });
    },
  );
  for (const wanted of [12, 42, 72, 100]) {
    await expect.poll(() => cards.locator('[data-card]').count(), PATIENT).toBe(wanted);
    await scrollDown();
  }
  const again = cards.getByRole('button', { name: 'Not loaded. Try again' });
  await again.waitFor(visible);
  await page.waitForTimeout(1_000);
  expect(asked).toBe(1);

  await page.unrouteAll();
  await again.click();
  await expect.poll(() => cards.locator('[data-card]').count(), PATIENT).toBeGreaterThan(100);
});

test('going back restores the scroll position of a column', async () => {
  const page = await harbor.open('/board/LTH');
  const cards = column(page, 'Backlog').locator('.cards');
  const positionOf = (): Promise<number> => cards.evaluate(({ scrollTop }) => Math.round(scrollTop));
  for (const wanted of [12, 42, 72]) {
    await expect.poll(() => cards.locator('[data-card]').count(), PATIENT).toBe(wanted);
    if (wanted < 72) await cards.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
  }
  await cards.locator('[data-card]').nth(40).scrollIntoViewIfNeeded();
  const before = await positionOf();
  expect(before).toBeGreaterThan(2_000);
  await page.getByRole('link', { name: 'My work' }).first().click();
  await page.getByText('Everything assigned to').waitFor(visible);

  await page.goBack();

  await expect.poll(() => cards.locator('[data-card]').count(), PATIENT).toBe(72);
  // cards that were never in sight have a guessed height
  await expect.poll(async () => Math.abs((await positionOf()) - before), PATIENT).toBeLessThan(60);
});

test('on a phone a long press drags a card, and a swipe scrolls', async () => {
  const { id } = await harbor.given();
  const page = await harbor.open('/board/ANC', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await column(page, 'Doing').scrollIntoViewIfNeeded();
  await card(page, id).waitFor(visible);
  const box = await card(page, id).boundingBox();
  if (!box) throw new Error('the card is not on screen');
  const touches = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number): Promise<unknown> =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];

  await touch('touchStart', x, y);
  await page.locator('.card-copy').waitFor(visible);
  // at the edge the next column comes; a busy browser scrolls past it, and then the finger goes to the other edge
  const review = column(page, 'In review');
  await expect
    .poll(async () => {
      const { x: left, width } = (await review.boundingBox()) ?? { x: 999, width: 0 };
      if (left > 150) return touch('touchMove', 384, y);
      if (left + width < 240) await touch('touchMove', 6, y);
      await touch('touchMove', 200, 300);
      return review.getAttribute('data-target');
    }, PATIENT)
    .toBe('');
  await touch('touchEnd', 200, 300);

  await card(review, id).waitFor(visible);
  await expect
    .poll(
      async () => (await harbor.ask<{ status: string }>('GET', `/api/issues/${id}`)).value.status,
      PATIENT,
    )
    .toBe('review');

  // sent at once: between answers of a busy browser a finger would rest
  await Promise.all([
    touch('touchStart', 200, 400),
    touch('touchMove', 200, 360),
    touch('touchMove', 200, 320),
  ]);
  expect(await page.locator('.card-copy').count()).toBe(0);
});
