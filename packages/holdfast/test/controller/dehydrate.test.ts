import {
  Controller,
  createResource,
  dehydrate,
  Endpoint,
  Entity,
  ExpiryStatus,
  HttpError,
  hydrate,
  RestEndpoint,
  ValidationError,
  savedState,
  watchQuery,
} from 'holdfast';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { breathe, failureOf, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class User extends Entity {
  static override key = 'User';
  id = 0;
  name = '';
}

class Todo extends Entity {
  static override key = 'Todo';
  static override indexes = ['title'] as const;
  id: number | string = 0;
  title = '';
  status = '';
  due = new Date(0);
  owner: User | undefined = undefined;
  extra: unknown = undefined;
  static override schema = { owner: User, due: Date };
}

let server: TestServer;
let world: FakeWorld;
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  const rows = [1, 2, 3].map((id) => ({
    id,
    title: `t${id}`,
    status: 'open',
    due: '2026-01-02T03:04:05.000Z',
    owner: { id: 9, name: 'Ada' },
  }));
  server.on('GET', '/todos', { body: rows });
  server.on('GET', '/todos/:id', ({ params }) => {
    const row = rows[Number(params['id']) - 1];
    return row ? { body: row } : { status: 404, body: { detail: 'a secret of the server' } };
  });
  server.on('DELETE', '/todos/:id', { status: 204 });
});
afterEach(() => server.close());
const create = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

async function fill(controller: Controller) {
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, {});
  await controller.fetch(TodoResource.delete, { id: 2 });
  await failureOf(controller.fetch(TodoResource.get, { id: 77 }));
  await controller.set(
    Todo,
    { id: 'ü' },
    {
      id: 'ü',
      title: '</script>',
      extra: { big: 10n, ever: Infinity, none: undefined, at: new Date(5), $: 'row', ['__proto__']: 1 },
    },
  );
  return TodoResource;
}

for (const [how, carry] of [
  ['as it is', (state: unknown) => state],
  ['through JSON', (state: unknown) => JSON.parse(JSON.stringify(state)) as unknown],
  ['as a text', (state: unknown) => JSON.stringify(state)],
  ['through structured clone', (state: unknown) => structuredClone(state)],
] as const) {
  test(`a state that was transported ${how} reads the same: rows, lists, deletions, dates, failures, freshness`, async () => {
    const from = new Controller(world.options);
    const TodoResource = await fill(from);
    const to = new Controller(world.options);

    hydrate(to, carry(dehydrate(from)));

    for (const controller of [from, to]) {
      const list = controller.getResponse(TodoResource.getList, {});
      expect(list.data?.map((todo) => todo.id)).toEqual([1, 3]);
      expect(list.data?.[0]).toBeInstanceOf(Todo);
      expect(list.data?.[0]?.due.toISOString()).toBe('2026-01-02T03:04:05.000Z');
      expect(list.data?.[0]?.owner).toBe(list.data?.[1]?.owner);
      expect(list.expiryStatus).toBe(3);
      expect(controller.get(Todo, { id: 2 })).toBeUndefined();
      expect(controller.get(Todo, { title: 't3' })?.id).toBe(3);
      const error = controller.getError(TodoResource.get, { id: 77 });
      expect(error).toBeInstanceOf(HttpError);
      expect(error).toMatchObject({ status: 404, code: 'HTTP_ERROR' });
    }
    expect(to.get(Todo, { id: 'ü' })?.extra).toEqual(from.get(Todo, { id: 'ü' })?.extra);
    expect(Object.hasOwn(to.get(Todo, { id: 'ü' })?.extra as object, '__proto__')).toBe(true);
    expect(to.getResponse(TodoResource.getList, {}).expiresAt).toBe(
      from.getResponse(TodoResource.getList, {}).expiresAt,
    );
    for (const controller of [from, to])
      expect(JSON.stringify(dehydrate(controller))).not.toContain('a secret of the server');
  });
}

test('a controller that starts with initialState needs no request', async () => {
  const from = new Controller(world.options);
  const TodoResource = await fill(from);
  server.forget();

  const to = new Controller({ ...world.options, initialState: savedState(dehydrate(from)) });
  const observer = to.watch(TodoResource.getList, {});
  const stop = observer.subscribe(() => undefined);

  expect(observer.read().data?.map((todo) => todo.title)).toEqual(['t1', 't3']);
  expect(server.requests).toHaveLength(0);
  stop();
});

test('a hydrated state fills gaps and never replaces data: every response of this controller is newer, also one in flight', async () => {
  const from = new Controller(world.options);
  const TodoResource = await fill(from);
  const state = dehydrate(from);
  const to = new Controller(world.options);
  await to.set(Todo, { id: 1 }, { id: 1, title: 'mine' });
  const held = server.hold('GET', '/todos/3');
  const reading = to.fetch(TodoResource.get, { id: 3 });
  const get = await held.next();
  world.time.stepBack(3_600_000);

  hydrate(to, state);
  expect(to.get(Todo, { id: 1 })).toMatchObject({ title: 'mine', status: 'open' });
  get.release({ body: { id: 3, title: 'newer' } });
  await reading;

  expect(to.get(Todo, { id: 3 })?.title).toBe('newer');
  server.on('GET', '/todos/:id', { body: { id: 1, title: 'newest' } });
  await to.fetch(TodoResource.get, { id: 1 });
  expect(to.get(Todo, { id: 1 })?.title).toBe('newest');
});

test('creations and moves change a hydrated list like any other list', async () => {
  const from = new Controller(world.options);
  const TodoResource = create();
  await from.fetch(TodoResource.getList, { status: 'open' } as never);
  const to = new Controller({ ...world.options, initialState: savedState(JSON.stringify(dehydrate(from))) });
  const shown = () =>
    to.getResponse(TodoResource.getList, { status: 'open' } as never).data?.map((todo) => todo.id);

  await to.setResponse(TodoResource.getList.push, { status: 'open' } as never, {
    id: 4,
    title: 't4',
    status: 'open',
  });
  expect(shown()).toEqual([1, 2, 3, 4]);
  await to.set(Todo, { id: 1 }, { id: 1, status: 'done' });
  expect(shown()).toEqual([2, 3, 4]);
  await to.setResponse(TodoResource.delete, { id: 2 }, { id: 2 });
  expect(shown()).toEqual([3, 4]);
});

test('mounted readers are notified of a state that arrives later', async () => {
  const from = new Controller(world.options);
  await fill(from);
  const to = new Controller(world.options);
  let heard = 0;
  const stop = watchQuery(to, Todo, { id: 1 }).subscribe(() => (heard += 1));

  hydrate(to, dehydrate(from));
  expect(heard).toBe(1);
  hydrate(to, dehydrate(from));
  expect(heard).toBe(1);
  stop();
});

test('a value that is no state, or a state of another version, is dropped with one warning, and the application starts empty', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const from = new Controller(world.options);
  await fill(from);
  const state = dehydrate(from);
  for (const bad of [
    '{"version":',
    'null',
    { ...state, version: state.version + 1 },
    { ...state, version: undefined },
    7,
  ]) {
    const to = new Controller(world.options);
    warn.mockClear();
    hydrate(to, bad);
    hydrate(to, bad);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(String(warn.mock.calls[0]?.[0])).toContain('STATE_UNREADABLE');
    expect(to.size).toBe(0);
  }
  warn.mockRestore();
});

test('hydrating any saved state and reading from it does not throw', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const from = new Controller(world.options);
  const TodoResource = await fill(from);
  const text = JSON.stringify(dehydrate(from));
  const runs = Number(process.env['FUZZ_RUNS'] ?? 1_000);
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(20),
      fc.string({ maxLength: 6 }),
      fc.jsonValue(),
      (at, length, put, value) => {
        const inner = JSON.parse(text) as {
          tables: { rows: { fields: unknown }[] }[];
          slots: { stored?: unknown }[];
        };
        const row = inner.tables[0]?.rows[0];
        const slot = inner.slots[at % inner.slots.length];
        if (row && at % 2) row.fields = { $: 'row', of: value, table: value, pk: put };
        else if (slot) slot.stored = value;
        for (const state of [text.slice(0, at) + put + text.slice(at + length), inner, value]) {
          const to = new Controller(world.options);
          hydrate(to, state);
          for (const read of [
            () => to.getResponse(TodoResource.getList, {}),
            () => to.get(Todo, { id: 1 }),
            () => JSON.stringify(dehydrate(to)),
          ]) {
            try {
              read();
            } catch (error) {
              if (!(error instanceof ValidationError)) throw error;
            }
          }
        }
      },
    ),
    { numRuns: runs, seed: 20_260_115 },
  );
  warn.mockRestore();
});

test('plain data of any depth is saved and restored, through JSON and through structured clone', async () => {
  const plain = new Endpoint(async () => null as unknown, { name: 'plain' });
  const nest = (depth: number): unknown => {
    let value: unknown = { $: 'row', end: new Date(5) };
    for (let at = 0; at < depth; at += 1) value = at % 2 ? [value, at] : { inner: value };
    return value;
  };
  for (const depth of [50, 99, 100, 101, 1_000, 100_000]) {
    const from = new Controller(world.options);
    await from.setResponse(plain, nest(depth));
    await from.set(Todo, { id: 1 }, { id: 1, title: 'deep', extra: nest(depth) });

    for (const carry of [(state: unknown) => JSON.stringify(state), structuredClone]) {
      const to = new Controller(world.options);
      hydrate(to, carry(dehydrate(from)));

      expect(depthOf(to.getResponse(plain).data)).toBe(depth + 1);
      expect(depthOf(to.get(Todo, { id: 1 })?.extra)).toBe(depth + 1);
    }
  }
});

/** The number of containers nested in each other, down to a date, which must exist. */
function depthOf(root: unknown): number {
  let depth = 0;
  let value = root;
  for (; !(value instanceof Date); depth += 1) {
    const [inner] = Object.values(value as object).filter((one) => typeof one === 'object'); // cast: fails if it is none
    value = inner;
  }
  expect(value.getTime()).toBe(5);
  return depth;
}

test('plain data that contains itself is left out of a state', async () => {
  const plain = new Endpoint(async () => null as unknown, { name: 'plain' });
  const from = new Controller(world.options);
  for (const length of [1, 7, 100, 250]) {
    const ring: Record<string, unknown> = {};
    let last = ring;
    for (let at = 1; at < length; at += 1) last = last['next'] = {} as typeof ring; // cast: filled on the way
    last['next'] = ring;
    await from.setResponse(plain, ring);

    expect(dehydrate(from).slots).toHaveLength(0);
  }
});

test('plain data with several circular references is left out of a state, with its row', async () => {
  const plain = new Endpoint(async () => null as unknown, { name: 'plain' });
  const crowd = (size: number): unknown => {
    const all: Record<string, unknown>[] = Array.from({ length: size }, () => ({}));
    for (const one of all) for (const [at, other] of all.entries()) one[`n${at}`] = other;
    return all[0];
  };
  const map = new Map<string, unknown>();
  map.set('a', { map }).set('b', [map]);
  for (const circles of [crowd(2), crowd(40), { map }]) {
    const from = new Controller(world.options);
    await from.setResponse(plain, circles);
    await from.set(Todo, { id: 1 }, { id: 1, title: 'round', extra: circles });

    expect(dehydrate(from).slots).toHaveLength(0);
    expect(dehydrate(from).tables).toHaveLength(0);
  }
});

test('plain data with many shared parts is saved in time linear in the number of parts, and restored', async () => {
  const plain = new Endpoint(async () => null as unknown, { name: 'plain' });
  for (const levels of [3, 60, 300]) {
    let value: unknown = { end: new Date(5) };
    for (let at = 0; at < levels; at += 1)
      value = at % 2 ? [value, value] : { left: value, right: value, at };
    const from = new Controller(world.options);
    await from.setResponse(plain, value);
    const text = JSON.stringify(dehydrate(from));
    const to = new Controller(world.options);

    hydrate(to, text);

    expect(text.length).toBeLessThan(200 * levels + 1_000);
    for (const side of [0, 1]) {
      let shown = to.getResponse(plain).data;
      for (let at = 0; at < levels; at += 1) shown = Object.values(shown as object)[side]; // cast: else it fails
      expect(shown).toEqual({ end: new Date(5) });
    }
  }
});

// Half a second: a comparison along each way through the ring takes a minute.
const RING_TIMEOUT = { timeout: 10_000 };
test(
  'data that contains itself keeps its reference when it arrives again unchanged, and gets a new one when a part differs',
  RING_TIMEOUT,
  async () => {
    const ring = (length: number, end: string): unknown => {
      const all: Record<string, unknown>[] = Array.from({ length }, () => ({}));
      for (const [at, one] of all.entries())
        Object.assign(one, { next: all[(at + 1) % length], again: one, at });
      Object.assign(all.at(-1)!, { end }); // it is not empty
      return all[0];
    };
    let answer: unknown;
    const plain = new Endpoint(async () => answer, { name: 'plain' });
    const controller = new Controller(world.options);
    const load = async (length: number, end: string) => {
      answer = ring(length, end);
      await controller.fetch(plain);
      return controller.getResponse(plain).data;
    };
    for (const length of [1, 2, 50]) {
      const first = await load(length, 'a');
      expect((await load(length, 'a')) === first).toBe(true);
      expect((await load(length, 'b')) === first).toBe(false);
    }
  },
);

test('a row whose field is named like the marks of a state is restored unchanged', async () => {
  const from = new Controller(world.options);
  await from.set(Todo, { id: 1 }, { id: 1, title: 'marked', $: 'row', pk: '5' } as never); // cast: a field of no class
  const to = new Controller(world.options);

  hydrate(to, JSON.stringify(dehydrate(from)));

  expect(to.get(Todo, { id: 1 })).toMatchObject({ title: 'marked', $: 'row', pk: '5' });
});

test('a response that has no JSON form is left out of a state, so that it is fetched again', async () => {
  const download = new RestEndpoint({ path: '/file', content: 'blob' });
  const controller = new Controller();
  await controller.setResponse(download, new Blob(['abc']));
  expect(controller.getResponse(download).data?.size).toBe(3);

  const restored = new Controller({ initialState: savedState(JSON.stringify(dehydrate(controller))) });

  expect(restored.getResponse(download)).toMatchObject({ data: undefined });
});

test('a reader whose awaited state cannot be shown fetches once the row has changed', async () => {
  let isBroken = false;
  class Fragile extends Entity {
    static override key = 'Fragile';
    id = '';
    name = '';
    constructor() {
      super();
      if (isBroken) throw new Error('not now');
    }
  }
  const { get } = createResource({ urlPrefix: server.url, path: '/fragile/:id', schema: Fragile });
  server.on('GET', '/fragile/1', { body: { id: '1', name: 'fetched' } });
  const from = new Controller(world.options);
  const states = [dehydrate(from)];
  await from.setResponse(get, { id: '1' }, { id: '1', name: 'sent along' });
  states.push(dehydrate(from), dehydrate(from));
  const to = new Controller({ ...world.options, initialState: savedState(states) });
  const observer = to.watch(get, { id: '1' });
  isBroken = true;
  const stop = observer.subscribe(() => undefined);
  await breathe();
  expect(observer.readShown).toThrow('not now');

  isBroken = false;
  await to.set(Fragile, { id: '1', name: 'mended' });
  expect(observer.readShown().data?.name).toBe('mended');
  to.invalidate(get, { id: '1' });
  await breathe();

  expect(observer.readShown().data?.name).toBe('fetched');
  stop();
});

test('a response that was invalidated before it first arrived is requested where the state is hydrated', async () => {
  const { get, getList } = create();
  const first = new Controller(world.options);
  await first.fetch(getList, {});
  first.invalidate(get, { id: 1 });
  const second = new Controller(world.options);
  hydrate(second, JSON.stringify(dehydrate(first)));

  expect(second.getResponse(get, { id: 1 }).expiryStatus).toBe(ExpiryStatus.Invalid);
  await second.fetch(get, { id: 1 });
  expect(second.getResponse(get, { id: 1 }).expiryStatus).toBe(ExpiryStatus.Valid);
});
