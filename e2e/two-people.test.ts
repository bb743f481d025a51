// Two people in two browsers change one issue at the same time: changes of different fields are both kept, about the same field the
// second one is asked, and a deletion of what somebody has just changed asks too.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { look } from './support/axe.ts';
import {
  card,
  hold,
  isWrite,
  main,
  openBeside,
  PATIENT,
  rename,
  side,
  startHarbor,
} from './support/harbor.ts';
import type { Held } from './support/harbor.ts';

const harbor = startHarbor({ seed: { issues: 60 } });
const visible = { state: 'visible' } as const;

interface Fields {
  title: string;
  status: string;
  priority: string;
}

const stateOf = async (id: string): Promise<Fields> => {
  const { title, status, priority } = (await harbor.ask<Fields>('GET', `/api/issues/${id}`)).value;
  return { title, status, priority };
};

/** Two pages with one issue open; the next change of the second page is held before it leaves. */
async function openTwice(method = 'PATCH'): Promise<{ id: string; mira: Page; ravi: Page; held: Held }> {
  const { id } = await harbor.given();
  const [mira, ravi] = await Promise.all([openBeside(harbor, id), openBeside(harbor, id)]);
  const held = await hold(ravi, isWrite(method, `/api/issues/${id}`), 'before');
  return { id, mira, ravi, held };
}

test('changes of different fields are both kept, and nobody is asked', async () => {
  const { id, mira, ravi, held } = await openTwice();

  await rename(side(ravi), 'Renamed by Ravi');
  await held.arrived;
  await card(main(mira), id).getByLabel(`Status of ${id}`).selectOption('Done');
  await expect.poll(async () => (await stateOf(id)).status, PATIENT).toBe('done');
  await held.release();

  await expect.poll(() => stateOf(id), PATIENT).toMatchObject({ title: 'Renamed by Ravi', status: 'done' });
  for (const page of [mira, ravi]) {
    await card(main(page), id).getByText('Renamed by Ravi').waitFor(visible);
    expect(await card(main(page), id).getByLabel(`Status of ${id}`).inputValue()).toBe('done');
    expect(await page.getByText('Somebody else').count()).toBe(0);
  }
});

test.each(['Theirs', 'Mine'])('the same field asks beside the field: %s', async (pick) => {
  const { id, mira, ravi, held } = await openTwice();

  await rename(side(ravi), 'Named by Ravi');
  await held.arrived;
  await rename(side(mira), 'Named by Mira');
  await expect.poll(async () => (await stateOf(id)).title, PATIENT).toBe('Named by Mira');
  await held.release();

  const choice = side(ravi).getByRole('group', { name: 'Conflict: title' });
  await choice.waitFor(visible);
  for (const name of ['Theirs Named by Mira', 'Mine Named by Ravi'])
    expect(await choice.getByRole('button', { name, exact: true }).count()).toBe(1);
  // nothing is replaced before the decision
  expect(await stateOf(id)).toMatchObject({ title: 'Named by Mira' });
  expect(await look(ravi, { part: '.issue-body' })).toEqual([]);
  expect(await look(ravi, { part: '.board' })).toEqual([]);
  await choice.getByRole('button', { name: new RegExp(`^${pick}`) }).click();

  const end = pick === 'Mine' ? 'Named by Ravi' : 'Named by Mira';
  await expect.poll(async () => (await stateOf(id)).title, PATIENT).toBe(end);
  for (const page of [mira, ravi]) {
    await card(main(page), id).getByText(end).waitFor(visible);
    expect(await side(page).getByLabel('Title', { exact: true }).inputValue()).toBe(end);
  }
  await choice.waitFor({ state: 'detached' });
  await side(ravi).getByText('Saving').waitFor({ state: 'detached' });
});

test('a card that is not open says that there is something to decide', async () => {
  const { id, mira, ravi, held } = await openTwice();

  await card(main(ravi), id).getByLabel(`Status of ${id}`).selectOption('Done');
  await held.arrived;
  await card(main(mira), id).getByLabel(`Status of ${id}`).selectOption('In review');
  await expect.poll(async () => (await stateOf(id)).status, PATIENT).toBe('review');
  await side(ravi).getByRole('button', { name: 'Close' }).click();
  await held.release();

  await card(main(ravi), id).getByRole('link', { name: 'Decide' }).click();
  await side(ravi).getByRole('button', { name: 'Theirs In review' }).click();

  await card(main(ravi), id).getByRole('link', { name: 'Decide' }).waitFor({ state: 'detached' });
  expect(await card(main(ravi), id).getByLabel(`Status of ${id}`).inputValue()).toBe('review');
  expect(await stateOf(id)).toMatchObject({ status: 'review' });
});

test('a deletion of an issue that somebody else has just changed asks', async () => {
  const { id, mira, ravi, held } = await openTwice('DELETE');

  await side(ravi)
    .getByRole('button', { name: `Delete ${id}` })
    .click();
  await held.arrived;
  await rename(side(mira), 'Not done yet');
  await expect.poll(async () => (await stateOf(id)).title, PATIENT).toBe('Not done yet');
  await held.release();

  const choice = ravi.getByRole('group', { name: `Deletion of ${id}` });
  await choice.waitFor(visible);
  expect(await look(ravi, { part: '.notices' })).toEqual([]);
  await choice.getByRole('button', { name: 'Keep it' }).click();

  await card(main(ravi), id).getByText('Not done yet').waitFor(visible);
  expect(await stateOf(id)).toMatchObject({ title: 'Not done yet' });
});
