// The boards of the races: copies that only their visitor knows, in memory.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface Card {
  id: string;
  title: string;
  status: string;
  assigneeId: string;
}

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ seed: { issues: 2000 } });
});
afterAll(() => demo.close());

const ask = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(demo.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });

async function openStage(): Promise<string> {
  const { id } = (await (await ask('POST', '/stages')).json()) as { id: string };
  return `/stages/${id}`;
}
const cardsOf = async (stage: string, headers?: Record<string, string>): Promise<Card[]> =>
  (await (await ask('GET', `${stage}/cards`, undefined, headers)).json()) as Card[];

test('a stage has cards of four columns, and a person sees their own', async () => {
  const stage = await openStage();

  const all = await cardsOf(stage);
  const mine = await cardsOf(stage, { 'stage-user': 'ravi' });

  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['todo', 'doing', 'review', 'done']));
  expect(mine.length).toBeGreaterThan(0);
  expect(mine.length).toBeLessThan(all.length);
  expect(new Set(mine.map(({ assigneeId }) => assigneeId))).toEqual(new Set(['ravi']));
});

test('a change on one stage is neither on another one nor in the issues', async () => {
  const [stage, other] = [await openStage(), await openStage()];
  const [card] = await cardsOf(stage);
  const before = await (await ask('GET', `/api/issues/${card?.id}`)).json();

  await ask('PATCH', `${stage}/cards/${card?.id}`, { title: 'Changed', status: 'done' });

  expect((await cardsOf(stage)).find(({ id }) => id === card?.id)?.title).toBe('Changed');
  expect((await cardsOf(other)).find(({ id }) => id === card?.id)).toEqual(card);
  expect(await (await ask('GET', `/api/issues/${card?.id}`)).json()).toEqual(before);
});

test('cards are created and deleted, and a refused change changes nothing', async () => {
  const stage = await openStage();

  const made = (await (await ask('POST', `${stage}/cards`, { title: 'New' })).json()) as Card;
  const refused = await ask('PATCH', `${stage}/cards/${made.id}`, { title: 'No' }, { 'stage-refuse': '1' });
  const kept = (await (await ask('GET', `${stage}/cards/${made.id}`)).json()) as Card;
  await ask('DELETE', `${stage}/cards/${made.id}`);

  expect(refused.status).toBe(409);
  expect(kept.title).toBe('New');
  expect((await ask('GET', `${stage}/cards/${made.id}`)).status).toBe(404);
  expect((await ask('PATCH', `${stage}/cards/${made.id}`, {})).status).toBe(404);
});

test('a removed stage is gone, and so is an unknown one', async () => {
  const stage = await openStage();

  expect((await ask('DELETE', stage)).status).toBe(204);

  expect((await ask('GET', `${stage}/cards`)).status).toBe(404);
  expect((await ask('GET', '/stages/none/cards')).status).toBe(404);
});

test('a connection without requests stays open for a minute, so a client that was busy loses no request', async () => {
  const response = await fetch(`${demo.url}/stages`, { method: 'POST' });

  expect(response.headers.get('keep-alive')).toBe('timeout=65');
});
