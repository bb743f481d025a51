// What the response to a list says of its rows, beside what the list shows: where another response has brought a row with other
// fields first, and where the response changes a row itself.
import { byRole, Controller, createResource, Entity } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../support/server.ts';

class Card extends Entity {
  static override key = 'Card';
  id = '';
  title = '';
  state = '';
}

type Params = Readonly<Record<string, string>>;

async function start() {
  const server = await startServer();
  onTestFinished(() => server.close());
  const card = { id: '1', title: 'a', state: 'open' };
  server.on('GET', '/cards', () => ({ body: [{ ...card }] }));
  server.on('GET', '/cards/:id', () => ({ body: { ...card } }));
  const { get, getList } = createResource({
    urlPrefix: server.url,
    path: '/cards/:id',
    schema: Card,
    searchParams: {} as Params,
    argumentRoles: byRole({ word: 'search' }),
  });
  const controller = new Controller();
  const seen = (params: Params) => {
    const { data, expiresAt } = controller.getResponse(getList, params);
    return { titles: data?.map(({ title }) => title), isFresh: expiresAt > Date.now() };
  };
  return { server, card, get, getList, controller, seen };
}

/** The response to a list is computed; the card changes; a newer response brings the card; then the first one arrives. */
async function crossed(params: Params, by: 'list' | 'detail') {
  const { server, card, get, getList, controller, seen } = await start();
  const held = server.hold('GET', '/cards');
  const late = controller.fetch(getList, params);
  const response = await held.next();
  held.stop();
  Object.assign(card, { title: 'b', state: 'shut' });
  await (by === 'list' ? controller.fetch(getList) : controller.fetch(get, { id: '1' }));
  response.release();
  await late;
  return seen(params);
}

test.each(['list', 'detail'] as const)(
  'a row leaves a list whose late response contradicts a newer %s',
  async (by) => {
    expect(await crossed({ state: 'open' }, by)).toEqual({ titles: [], isFresh: true });
  },
);

test.each([{ q: 'a' }, { word: 'a' }, { sort: 'title' }])(
  'a list with %o is stale when its late response contradicts a newer one, because only the server can decide',
  async (params) => {
    expect(await crossed(params, 'list')).toEqual({ titles: ['b'], isFresh: false });
  },
);

test('a list without a filter is fresh when its late response contradicts a newer one', async () => {
  expect(await crossed({}, 'detail')).toEqual({ titles: ['b'], isFresh: true });
});

test('a late response that was requested before a list adds no row to the list, and the list is stale', async () => {
  const { server, card, get, getList, controller, seen } = await start();
  const params = { state: 'open' };
  server.on('GET', '/cards', () => ({ body: card.state === 'open' ? [{ ...card }] : [] }));
  card.state = 'shut';
  await controller.fetch(get, { id: '1' });
  const held = server.hold('GET', '/cards/:id');
  card.state = 'open';
  const late = controller.fetch(get, { id: '1' });
  const response = await held.next();
  held.stop();
  card.state = 'shut';
  await controller.fetch(getList, params);

  response.release();
  await late;

  expect(seen(params)).toEqual({ titles: [], isFresh: false });
});

test.each([{ q: 'a' }, { word: 'a' }, { sort: 'title' }])(
  'a list with %o is fresh after its own response has changed a row, and another such list is not',
  async (params) => {
    const { card, getList, controller, seen } = await start();
    await controller.fetch(getList, params);
    await controller.fetch(getList, { ...params, done: 'false' });
    card.title = 'a2';
    await controller.fetch(getList, params);
    expect(seen(params)).toEqual({ titles: ['a2'], isFresh: true });
    expect(seen({ ...params, done: 'false' }).isFresh).toBe(false);
  },
);

test.each([
  [{ id: '1', title: 'b' }, false],
  [{ id: '1', title: 'b', state: 'open' }, true],
])(
  'a list that a row enters by the response %o is fresh only if the response contains each field that the list filters by',
  async (read, isFresh) => {
    const { get, getList, controller, seen } = await start();
    const params = { title: 'b', state: 'open' };
    await controller.setResponse(get, { id: '1' }, { id: '1', title: 'a', state: 'open' });
    await controller.setResponse(getList, params, []);

    await controller.setResponse(getList, [read]);

    expect(seen(params)).toEqual({ titles: ['b'], isFresh });
  },
);
