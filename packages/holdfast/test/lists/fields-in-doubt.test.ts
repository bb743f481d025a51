// A row whose stored fields may be out of date, because a mutation of the row ended with an unknown outcome: its lists are read
// again, and then another field of the row changes. The fields that no response has confirmed decide about no list.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Task extends Entity {
  static override key = 'DoubtTask';
  id = '';
  ownerId = '';
  rank = 0;
}

interface Stored {
  readonly id: string;
  readonly ownerId: string;
  readonly rank: number;
}

type Filters = Readonly<Partial<Record<'ownerId' | 'rank' | 'fields', string>>>;

const ARGS: readonly Filters[] = [
  { ownerId: '7' },
  { ownerId: '9' },
  { ownerId: '7', rank: '3' },
  { ownerId: '9', rank: '3' },
  { ownerId: '9', rank: '1', fields: 'rank' },
  { ownerId: '9', rank: '5' },
];

/** Task 1 of the owner 7 has the rank 1. Mutations have the response `form`. */
async function start(form: 'sent' | 'whole' | 'nothing' = 'sent') {
  const rows = new Map<string, Stored>([['1', { id: '1', ownerId: '7', rank: 1 }]]);
  const listed = ({ ownerId, rank }: Filters) =>
    [...rows.values()].filter(
      (row) => (!ownerId || row.ownerId === ownerId) && (!rank || String(row.rank) === rank),
    );
  let isLost = false;
  const net = new Moments(({ method, path, query, body }) => {
    const id = path.split('/')[2];
    if (method === 'GET' && query['fields'])
      return { body: listed(query).map(({ id: own, rank }) => ({ id: own, rank })) };
    if (method === 'GET') return { body: id ? rows.get(id) : listed(query) };
    const sent = body as Partial<Stored>;
    rows.set(id!, { ...rows.get(id!)!, ...sent }); // it is there
    if (isLost) return 'lost';
    return form === 'nothing' ? { status: 204 } : { body: form === 'sent' ? { id, ...sent } : rows.get(id!) };
  });
  net.isQuick = true;
  const resource = createResource({
    urlPrefix: 'http://by.hand',
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as Filters,
    body: {} as Partial<Stored>,
    nonFilterArgumentKeys: ['fields'],
  });
  const controller = new Controller({ fetch: net.fetch });
  onTestFinished(() => controller.stop());
  controller.start();
  const read = (args: Filters) => controller.fetch(resource.getList, args);
  const readAll = async () => {
    for (const args of ARGS) await read(args);
  };
  const change = (fields: Partial<Stored>) => controller.fetch(resource.partialUpdate, { id: '1' }, fields);
  const isFresh = (args: Filters) => controller.getResponse(resource.getList, args).expiresAt > Date.now();
  await readAll();
  return {
    controller,
    net,
    rows,
    read,
    readAll,
    change,
    isFresh,
    /** The outcome of the change is unknown, although the server has made it. */
    loseChange: async (fields: Partial<Stored>) => {
      isLost = true;
      await change(fields).catch(() => undefined);
      isLost = false;
    },
    /** The lists that count as fresh and are not those of the server. */
    wrong: () =>
      ARGS.filter((args) => {
        const { data } = controller.getResponse(resource.getList, args);
        const ids = (given: readonly { readonly id?: string }[] = []) => given.map(({ id }) => id).join();
        return isFresh(args) && ids(data) !== ids(listed(args));
      }),
  };
}

const TARGET = { ownerId: '9', rank: '3' };

test.each(['sent', 'nothing'] as const)(
  'a list that the row may have entered is stale after a mutation of another field; the response contains: %s',
  async (form) => {
    const { change, loseChange, read, wrong } = await start(form);
    await loseChange({ ownerId: '9' });
    await read(TARGET);
    expect(wrong()).toEqual([]);
    await change({ rank: 3 });
    expect(wrong()).toEqual([]);
  },
);

test('a list that was requested before the mutation, and arrives after it, is stale', async () => {
  const { change, loseChange, net, read, wrong } = await start();
  await loseChange({ ownerId: '9' });
  net.isQuick = false;
  const late = read(TARGET);
  await calm();
  net.next('GET').handle();
  const changed = change({ rank: 3 });
  await calm();
  await net.next('PATCH').deliver();
  await changed;
  await net.next('GET').deliver();
  await late;
  expect(wrong()).toEqual([]);
});

test.each(['a message', 'a read'])('a list that the row may have entered is stale after %s', async (what) => {
  const { controller, loseChange, read, rows, wrong } = await start();
  await loseChange({ ownerId: '9' });
  await read(TARGET);
  rows.set('1', { ...rows.get('1')!, rank: 3 });
  if (what === 'a read') await read({ fields: 'rank' });
  else await controller.set(Task, { id: '1', rank: 3 });
  expect(wrong()).toEqual([]);
});

test('a list that its response has put the row into keeps the row, or is stale', async () => {
  const { change, loseChange, read, wrong } = await start();
  await loseChange({ ownerId: '9' });
  await read({ ownerId: '9', rank: '1', fields: 'rank' });
  await change({ rank: 1 });
  expect(wrong()).toEqual([]);
});

test('a list that the confirmed fields rule out stays fresh', async () => {
  const { change, isFresh, loseChange, read } = await start();
  await loseChange({ ownerId: '9' });
  await read({ ownerId: '9', rank: '5' });
  await change({ rank: 3 });
  expect(isFresh({ ownerId: '9', rank: '5' })).toBe(true);
});

test('an empty response makes no list stale that a sent field rules out', async () => {
  const { change, isFresh } = await start('nothing');
  await change({ rank: 3 });
  expect([isFresh({ ownerId: '9', rank: '5' }), isFresh({ ownerId: '9' })]).toEqual([true, true]);
});

test.each(['sent', 'whole'] as const)(
  'a mutation of a row that was not stale makes no list of other values stale; the response contains: %s',
  async (form) => {
    const { change, isFresh } = await start(form);
    await change({ rank: 3 });
    expect([isFresh(TARGET), isFresh({ ownerId: '9' })]).toEqual([true, true]);
  },
);
