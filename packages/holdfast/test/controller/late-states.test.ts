// A saved state that arrives after something has happened here: it counts as a read that was sent before all of that.
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  hydrate,
  RestEndpoint,
  savedState,
  schema,
  versionBy,
} from 'holdfast';
import { createServerRender } from 'holdfast/react/server';
import { beforeEach, expect, test } from 'vitest';
import { breathe, failureOf, FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  body = '';
  isDone = false;
}
const urlPrefix = 'http://api.test';
const {
  get,
  getList,
  partialUpdate,
  delete: remove,
} = createResource({
  urlPrefix,
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { isDone?: boolean; limit?: number } | undefined,
});
const byName = new RestEndpoint({
  urlPrefix,
  path: '/names',
  schema: new schema.Collection(new schema.Values(Todo)),
});

interface Row {
  readonly id: string;
  title: string;
  body: string;
  isDone: boolean;
}
let rows: Map<string, Row>;
/** The responses to writes: all of them succeed. */
let status: number;
beforeEach(() => {
  rows = new Map(['1', '2'].map((id) => [id, { id, title: `t${id}`, body: 'b', isDone: false }]));
  status = 200;
});

const answer = (body: unknown, code: number): Response =>
  code === 204 ? new Response(null, { status: code }) : Response.json(body, { status: code });

async function serve(url: string | URL, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
  const { pathname, searchParams } = new URL(url);
  const id = pathname.split('/')[2] ?? '';
  const said = typeof body === 'string' ? (JSON.parse(body) as Partial<Row>) : {}; // cast: what the tests send
  const isDone = searchParams.get('isDone');
  const all = [...rows.values()].filter((one) => isDone === null || String(one.isDone) === isDone);
  if (pathname === '/names') return answer(Object.fromEntries(all.map((one) => [`n${one.id}`, one])), 200);
  if (method === 'GET')
    return answer(id ? rows.get(id) : all.slice(0, Number(searchParams.get('limit') ?? 9)), 200);
  if (method === 'DELETE') rows.delete(id);
  else rows.set(id || '9', { title: '', body: '', isDone: false, ...rows.get(id), ...said, id: id || '9' });
  return answer(method === 'DELETE' ? {} : rows.get(id || '9'), method === 'DELETE' ? 204 : status);
}

const create = (world = new FakeWorld(), more: object = {}) =>
  new Controller({ ...world.options, fetch: serve, ...more });

type Ask = Parameters<Controller['fetch']>;
/** A state with the responses to these calls. */
async function stateOf(world: FakeWorld, ...asks: readonly unknown[][]): Promise<string> {
  const server = create(world);
  for (const ask of asks) await server.fetch(...(ask as Ask)); // cast: of several endpoints
  return JSON.stringify(dehydrate(server));
}

const isFresh = (controller: Controller, ...ask: unknown[]) =>
  !(controller.fetchIfStale(...(ask as never as [typeof get, { id: string }])) instanceof Promise); // cast: as above
const idsOf = (controller: Controller, args?: object) =>
  controller.getResponse(getList, args).data?.map(({ id }) => id);

test.each<[string, (controller: Controller) => Promise<unknown>]>([
  ['an acknowledged creation', (controller) => controller.fetch(getList.push, { title: 'new' })],
  [
    'a message about a created row',
    (controller) => {
      rows.set('9', { id: '9', title: 'told', body: '', isDone: false });
      return controller.setResponse(
        getList.push,
        {},
        {},
        { id: '9', title: 'told', body: '', isDone: false },
      );
    },
  ],
])('a list of a state that arrives after %s is read again', async (_name, write) => {
  const world = new FakeWorld();
  for (const args of [[], [{ isDone: false }], [{ limit: 2 }]]) {
    rows.delete('9');
    const state = await stateOf(world, [getList, ...args]);
    const controller = create(world);
    await write(controller);

    hydrate(controller, state);

    expect(isFresh(controller, getList, ...args)).toBe(false);
  }
});

test('a list in a part of a page that arrives after a creation shows the created row', async () => {
  const world = new FakeWorld();
  const states = [await stateOf(world, [get, { id: '2' }])];
  const list = await stateOf(world, [getList]);
  const initialState = savedState({ at: (index) => states[index], ended: new Promise(() => undefined) });
  const controller = create(world, { initialState });
  await controller.fetch(getList.push, { title: 'new' });
  states.push(list);

  const stop = controller.watch(getList).subscribe(() => undefined);
  await breathe();

  expect(idsOf(controller)).toEqual(['1', '2', '9']);
  stop();
});

test('a row that was changed before its lists arrive leaves and enters these lists', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [getList, { isDone: false }], [getList, { isDone: true }]);
  const controller = create(world);
  await controller.fetch(partialUpdate, { id: '1' }, { isDone: true });

  hydrate(controller, state);

  expect(idsOf(controller, { isDone: false })).toEqual(['2']);
  expect(isFresh(controller, getList, { isDone: false })).toBe(true);
  expect(idsOf(controller, { isDone: true })).toEqual(['1']);
});

test('a read that shows a row elsewhere removes it from a list that arrives later', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [getList, { isDone: false }]);
  rows.get('1')!.isDone = true; // it is there
  const controller = create(world);
  await controller.fetch(get, { id: '1' });

  hydrate(controller, state);

  expect(idsOf(controller, { isDone: false })).toEqual(['2']);
});

test.each([204, 500])(
  'a change with response %i, of a row that was not stored, is not undone by a state',
  async (code) => {
    const world = new FakeWorld();
    const state = await stateOf(world, [getList], [get, { id: '1' }]);
    const controller = create(world);
    status = code;
    await controller.fetch(partialUpdate, { id: '1' }, { title: 'mine' }).catch(() => undefined);

    hydrate(controller, state);

    for (const ask of [[getList], [get, { id: '1' }]]) expect(isFresh(controller, ...ask)).toBe(false);
    await controller.fetch(get, { id: '1' });
    expect(controller.get(Todo, { id: '1' })?.title).toBe('mine');
    expect(isFresh(controller, get, { id: '1' })).toBe(true);
  },
);

test('a state that adds a field to a row leaves the row stale after a write that ended unknown', async () => {
  const elsewhere = create();
  await elsewhere.fetch(get, { id: '1' });
  const state = dehydrate(elsewhere);
  const here = create(undefined, {
    fetch: async (url: string, init?: RequestInit) => {
      const response = await serve(url, init);
      return init?.method === undefined || init.method === 'GET'
        ? Response.json([{ id: '1', title: 'new' }])
        : response;
    },
  });
  await here.fetch(getList);
  status = 500;
  await failureOf(here.fetch(partialUpdate, { id: '1' }, { body: 'changed' }));
  await here.fetch(getList);

  hydrate(here, state);

  expect(here.getResponse(get, { id: '1' })).toMatchObject({ data: { title: 'new' }, expiresAt: 0 });
});

test('a row that was deleted here does not enter lists that arrive later, and a list with a limit is read again', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [getList], [getList, { limit: 2 }]);
  const controller = create(world);
  await controller.fetch(remove, { id: '1' });

  hydrate(controller, state);

  expect(idsOf(controller)).toEqual(['2']);
  expect(isFresh(controller, getList)).toBe(true);
  expect(isFresh(controller, getList, { limit: 2 })).toBe(false);
});

test('a map whose keys were given to other rows before it arrives is read again', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [byName]);
  const controller = create(world);
  await controller.setResponse(byName.assign, {}, { n1: { id: '2', title: 'moved' } });

  hydrate(controller, state);

  expect(isFresh(controller, byName)).toBe(false);
});

test('a list from which a row was removed before the list arrives is read again', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [getList]);
  const controller = create(world);
  await controller.setResponse(getList.remove, { id: '1' } as never, { id: '1' } as never); // cast: as above

  hydrate(controller, state);

  expect(isFresh(controller, getList)).toBe(false);
});

test('a written row that was removed from memory is not restored to its former fields by a state', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [getList]);
  const controller = create(world, { retentionMs: 1_000, dataExpiryLength: 1e9 });
  controller.start();
  await controller.fetch(partialUpdate, { id: '1' }, { title: 'mine' });
  await world.pass(5_000);
  expect(controller.get(Todo, { id: '1' })).toBeUndefined();

  hydrate(controller, state);

  expect(isFresh(controller, getList)).toBe(false);
  controller.stop();
});

// ── versions ─────────────────────────────────────────────────────────────────────────────────────

class Article extends Entity {
  static override key = 'Article';
  static override version = versionBy('count');
  id = '';
  text = '';
  count = 0;
}
const articles = createResource({ urlPrefix, path: '/articles/:id', schema: Article });
const article = (count: number) => ({ id: '1', text: `v${count}`, count });

async function articleState(world: FakeWorld, count: number): Promise<string> {
  const server = create(world);
  await server.setResponse(articles.get, { id: '1' }, article(count));
  return JSON.stringify(dehydrate(server));
}

test.each<[string, (controller: Controller) => Promise<unknown>]>([
  ['a response', (controller) => controller.setResponse(articles.get, { id: '1' }, article(3))],
  ['a message', (controller) => controller.set(Article, article(3))],
])(
  'a state with a higher version replaces the data of %s, and one with a lower version does not',
  async (_name, write) => {
    const world = new FakeWorld();
    const [lower, higher] = [await articleState(world, 2), await articleState(world, 5)];
    const controller = create(world);
    await write(controller);

    for (const [state, text] of [
      [lower, 'v3'],
      [higher, 'v5'],
      [lower, 'v5'],
    ] as const) {
      hydrate(controller, state);
      expect(controller.get(Article, { id: '1' })?.text).toBe(text);
    }
  },
);

test('of two states the higher version wins, whichever was made later, before any class is known', async () => {
  const world = new FakeWorld();
  const first = await articleState(world, 5);
  await world.pass(2_000);
  const second = await articleState(world, 4);
  for (const states of [
    [first, second],
    [second, first],
  ]) {
    const controller = create(world, { initialState: savedState(states[0]!) }); // there are two
    hydrate(controller, states[1]);

    expect(controller.getResponse(articles.get, { id: '1' }).data?.text).toBe('v5');
  }
});

// ── ages ─────────────────────────────────────────────────────────────────────────────────────────

test('fields from an old state make the row as old as they are', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [getList]);
  await world.pass(3_600_000);
  const controller = create(world);
  await controller.set(Todo, { id: '1', title: 'new' });

  hydrate(controller, state);

  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'new', body: 'b' });
  expect(isFresh(controller, get, { id: '1' })).toBe(false);
});

test('a response to a read that was in flight replaces the fields from a state', async () => {
  const world = new FakeWorld();
  const state = await stateOf(world, [getList]);
  let respond: (response: Response) => void = () => undefined;
  const held = new Promise<Response>((resolve) => (respond = resolve));
  const controller = create(world, { fetch: () => held });
  const reading = controller.fetch(get, { id: '1' });
  await breathe();
  await controller.set(Todo, { id: '1', title: 'told' });
  hydrate(controller, state);

  respond(Response.json({ id: '1', title: 'read', body: 'newer' }));
  await reading;

  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'told', body: 'newer' });
});

test.each(['expireAll', 'invalidateAll'] as const)(
  '%s applies to responses that a state brings later',
  async (verb) => {
    const world = new FakeWorld();
    const state = await stateOf(world, [getList], [getList, { isDone: false }], [get, { id: '1' }]);
    const controller = create(world);
    controller[verb](getList);
    controller[verb]({ testKey: (key) => key.endsWith('/names') });

    hydrate(controller, state);

    expect(isFresh(controller, getList)).toBe(false);
    expect(isFresh(controller, getList, { isDone: false })).toBe(false);
    expect(isFresh(controller, get, { id: '1' })).toBe(true);
  },
);

test.each<[string, (controller: Controller) => unknown]>([
  [
    'a write that ended unknown',
    (controller) => {
      status = 500;
      return failureOf(controller.fetch(partialUpdate, { id: '1' }, { title: 'mine' }));
    },
  ],
  ['invalidateAll', (controller) => controller.invalidateAll(getList)],
  ['expireAll', (controller) => controller.expireAll(getList)],
])('%s on the server after a part was sent arrives with the next part', async (_name, age) => {
  const render = createServerRender({ origins: [urlPrefix], fetch: serve });
  await render.controller.fetch(getList);
  const states = [render.takeState()?.text];
  await age(render.controller);
  states.push(render.takeState()?.text);
  expect(states[1]).toBeDefined();
  expect(render.takeState()).toBeUndefined();

  const controller = new Controller({ fetch: serve });
  for (const state of states) hydrate(controller, state);

  expect(isFresh(controller, getList)).toBe(false);
});

test.each([-3, 3])(
  'data of a server whose clock is %i hours off is fresh for no longer than its expiry time',
  async (hours) => {
    const [server, world] = [new FakeWorld(), new FakeWorld()];
    await (hours > 0 ? server : world).pass(Math.abs(hours) * 3_600_000);
    const state = await stateOf(server, [getList]);
    const controller = create(world, { initialState: savedState(state) });
    expect(isFresh(controller, get, { id: '1' })).toBe(hours > 0);

    await world.pass(61_000);

    expect(isFresh(controller, get, { id: '1' })).toBe(false);
    expect(isFresh(controller, getList)).toBe(false);
  },
);
