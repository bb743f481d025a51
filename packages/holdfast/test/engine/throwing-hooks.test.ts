// Custom merges and filters that throw: the payload is refused with a coded error and leaves the store unchanged. A hook of
// another payload, or of an optimistic update, never breaks the write during which it runs.
import { Cache, Controller, createResource, Entity, schema, ValidationError } from 'holdfast';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { breathe, failureOf, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  status = '';
}
class Picky extends Todo {
  static override key = 'Picky';
  static override merge(existing: Todo, incoming: Todo): object {
    if (incoming.title === 'bad') throw new Error('no bad titles');
    return { ...existing, ...incoming };
  }
}
class PickyList extends schema.Collection<(typeof Todo)[]> {
  override merge(existing: string[], incoming: string[]): string[] {
    if (incoming.includes('bad')) throw new Error('no bad rows');
    return [...new Set([...existing, ...incoming])];
  }
}

const todos = new schema.Collection([Todo]);
const picky = new schema.Collection([Picky]);

/** The coded refusal of a payload; no readable data has changed, and no listener was notified. */
function refusal(cache: Cache, reads: readonly (() => unknown)[], write: () => void): ValidationError {
  const before = reads.map((read) => read());
  const heard = vi.fn();
  for (const list of [todos, picky]) cache.subscribe(list, [], heard);
  let caught: unknown;
  try {
    write();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(ValidationError);
  for (const [at, read] of reads.entries()) expect(read()).toBe(before[at]);
  expect(heard).not.toHaveBeenCalled();
  return caught as ValidationError; // cast: checked above
}

test('a merge that throws refuses the whole payload, whatever preceded it', () => {
  const cache = new Cache();
  cache.write(picky, [
    { id: '1', title: 'a' },
    { id: '2', title: 'b' },
  ]);

  const error = refusal(
    cache,
    [() => cache.read(picky), () => cache.read(Picky, ['1']), () => cache.read(Picky, ['3'])],
    () =>
      cache.write(picky, [
        { id: '1', title: 'changed' },
        { id: '3', title: 'new' },
        { id: '2', title: 'bad' },
      ]),
  );

  expect(error.code).toBe('HOOK_THREW');
  expect(error.params).toMatchObject({ entity: 'Picky', hook: 'merge' });
  expect((error.cause as Error).message).toBe('no bad titles');
  cache.write(picky, [{ id: '2', title: 'good' }]);
  expect(cache.read(Picky, ['2'])).toMatchObject({ title: 'good' });
});

test('a row that occurs twice in a payload is merged twice, in order', () => {
  const cache = new Cache();
  cache.write(Picky, { id: '1', title: 'a', status: 'x' });

  cache.write(
    [Picky],
    [
      { id: '1', title: 'b' },
      { id: '1', status: 'y' },
    ],
  );

  expect(cache.read(Picky, ['1'])).toMatchObject({ title: 'b', status: 'y' });
});

test('a merge of a Collection that throws refuses the rows too', () => {
  const cache = new Cache();
  const list = new PickyList([Todo]);
  cache.write(list, [{ id: '1', title: 'a' }]);

  const error = refusal(
    cache,
    [() => cache.read(list), () => cache.read(Todo, ['1']), () => cache.read(Todo, ['bad'])],
    () => cache.write(list, [{ id: '1', title: 'changed' }, { id: 'bad' }]),
  );

  expect(error.code).toBe('HOOK_THREW');
  cache.write(list, [{ id: '2' }]);
  expect(cache.read(list)?.map((todo) => todo.id)).toEqual(['1', '2']);
});

test('a merge or a filter of a creation that throws refuses the created row', () => {
  const cache = new Cache();
  cache.write(todos, [{ id: '1', title: 'a' }]);
  const merging = todos.addWith(() => {
    throw new Error('cannot merge');
  });
  const filtering = todos.addWith(
    (present: string[], added: string[]) => [...present, ...added],
    () => () => {
      throw new Error('cannot tell');
    },
  );

  for (const creation of [merging, filtering]) {
    const error = refusal(cache, [() => cache.read(todos), () => cache.read(Todo, ['9'])], () =>
      cache.write(creation, [{ id: '9' }]),
    );
    expect(error.code).toBe('HOOK_THREW');
  }
});

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller(new FakeWorld().options);
  server.on('GET', '/todos', {
    body: [
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ],
  });
});
afterEach(() => server.close());

test('an optimistic update whose merge throws shows the plain fields; the response is refused and the row is read again', async () => {
  const resource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Picky,
    body: {} as Partial<Todo>,
    optimistic: true,
  });
  await controller.fetch(resource.getList, {});
  const held = server.hold('PATCH', '/todos/1');
  const changing = failureOf(controller.fetch(resource.partialUpdate, { id: '1' }, { title: 'bad' }));
  const patch = await held.next();
  expect(controller.get(Picky, { id: '1' })?.title).toBe('bad');

  server.on('GET', '/todos', { body: [{ id: '1', title: 'a', status: 'done' }] });
  controller.invalidate(resource.getList, {});
  await controller.fetch(resource.getList, {});
  expect(controller.get(Picky, { id: '1' })).toMatchObject({ title: 'bad', status: 'done' });
  patch.release({ body: { id: '1', title: 'bad' } });

  expect(await changing).toMatchObject({ code: 'HOOK_THREW' });
  expect(controller.get(Picky, { id: '1' })).toMatchObject({ title: 'a', status: 'done' });
  expect(controller.getResponse(resource.get, { id: '1' }).expiresAt).toBe(0);
});

test('a filter that throws for a list requested before the creation keeps the row out of the list', async () => {
  let isBroken = false;
  const list = new schema.Collection([Todo], {
    createCollectionFilter: () => () => {
      if (isBroken) throw new Error('cannot tell');
      return true;
    },
  });
  const resource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo }).extend({
    getList: { schema: list },
  });
  const held = server.hold('GET', '/todos');
  const listing = controller.fetch(resource.getList, {});
  const answer = await held.next();
  await controller.setResponse(resource.getList.push, { id: '9' }, { id: '9', title: 'new' });
  isBroken = true;

  answer.release();

  expect((await listing).map((todo) => todo.id)).toEqual(['1', '2']);
  await breathe();
  expect(controller.getError(resource.getList, {})).toBeUndefined();
});

test('a row whose instance cannot be made throws to its readers, and they recover when it can be made', () => {
  class Brittle extends Entity {
    static override key = 'Brittle';
    id = '';
    size = 0;
    static override createIfValid(props: Partial<Brittle>): object | undefined {
      if (props.size === 13) throw new Error('thirteen');
      return super.createIfValid(props);
    }
  }
  class Box extends Entity {
    static override key = 'Box';
    id = '';
    inner: Brittle | undefined = undefined;
    static override schema = { inner: Brittle };
  }
  const cache = new Cache();
  const list = new schema.Collection([Brittle]);
  const boxes = new schema.Collection([Box]);
  const sizes = (): unknown => [
    cache.read(list)?.map(({ size }) => size),
    cache.read(boxes)?.map(({ inner }) => inner?.size),
  ];
  const all = ['1', '2', '3'].map((id) => ({ id, size: 1 }));
  cache.write(list, all);
  cache.write(
    boxes,
    all.map((inner) => ({ id: inner.id, inner })),
  );
  sizes();

  cache.write(Brittle, { id: '2', size: 13 });
  for (const read of [() => cache.read(list), () => cache.read(boxes), () => cache.read(Brittle, ['2'])])
    for (const _again of [1, 2]) expect(read).toThrow('thirteen');
  cache.write(Brittle, { id: '3', size: 3 });
  expect(() => cache.read(list)).toThrow('thirteen');

  cache.write(Brittle, { id: '2', size: 2 });
  expect(sizes()).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  cache.write(Brittle, { id: '2', size: 4 });
  expect(sizes()).toEqual([
    [1, 4, 3],
    [1, 4, 3],
  ]);
});

test('listeners are notified of a row whose instance cannot be made, and get the error when they read', async () => {
  class Brittle extends Entity {
    static override key = 'Brittle';
    id = '';
    size = 0;
    static override createIfValid(props: Partial<Brittle>): object | undefined {
      if (props.size === 13) throw new Error('thirteen');
      return super.createIfValid(props);
    }
  }
  const resource = createResource({ urlPrefix: server.url, path: '/brittle/:id', schema: Brittle });
  server.on('GET', '/brittle/1', { body: { id: '1', size: 1 } });
  await controller.fetch(resource.get, { id: '1' });
  const observer = controller.watch(resource.get, { id: '1' });
  const heard = vi.fn();
  const stop = observer.subscribe(heard);

  await controller.set(Brittle, { id: '1', size: 13 });
  expect(heard).toHaveBeenCalledTimes(1);
  expect(() => observer.readShown()).toThrow('thirteen');

  await controller.set(Brittle, { id: '1', size: 2 });
  expect(heard).toHaveBeenCalledTimes(2);
  expect(observer.readShown().data).toMatchObject({ size: 2 });
  stop();
});

test('an observer of a row that cannot be read has subscribers like any other, and recovers with the row', async () => {
  const world = new FakeWorld();
  controller = new Controller(world.options);
  let isBroken = false;
  class Fragile extends Entity {
    static override key = 'Fragile';
    id = '';
    size = 0;
    constructor() {
      super();
      if (isBroken) throw new Error('not now');
    }
  }
  const { get } = createResource({ urlPrefix: server.url, path: '/fragile/:id', schema: Fragile });
  server.on('GET', '/fragile/1', { body: { id: '1', size: 2 } });
  await controller.set(Fragile, { id: '1', size: 0 });
  isBroken = true;
  const observer = controller.watch(get, { id: '1' });
  const heard = vi.fn();

  const stop = observer.subscribe(heard);
  expect(observer.readShown).toThrow('not now');
  expect(heard).not.toHaveBeenCalled();

  isBroken = false;
  await controller.set(Fragile, { id: '1', size: 1 });
  expect(heard).toHaveBeenCalledTimes(1);
  expect(observer.readShown().data).toMatchObject({ size: 1 });
  controller.invalidate(get, { id: '1' });
  await breathe();
  expect(observer.readShown().data).toMatchObject({ size: 2 });
  await world.pass(61_000);
  expect(server.requests).toHaveLength(2);
  stop();
});

test('a constructor that throws fails the list that shows its rows, until one of them changes', () => {
  let isBroken = false;
  class Fragile extends Entity {
    static override key = 'Fragile';
    id = '';
    title = '';
    constructor() {
      super();
      if (isBroken) throw new Error('not now');
    }
  }
  const list = new schema.Collection([Fragile]);
  const cache = new Cache();
  cache.write(list, [{ id: '1' }, { id: '2' }, { id: '3' }]);
  isBroken = true;
  expect(() => cache.read(list)).toThrow('not now');
  isBroken = false;

  cache.write(Fragile, { id: '1', title: 'new' });

  expect(cache.read(list)?.map((row) => row.title)).toEqual(['new', '', '']);
});

/** Whether a blown fuse throws yet: it can be written before. */
let isChecking = false;
class Fuse extends Entity {
  static override key = 'Fuse';
  id = '';
  isBlown = false;
  static override validate({ isBlown }: { isBlown?: boolean }): undefined {
    if (isChecking && isBlown) throw new Error('blown');
  }
}

test('rows in a circle with a row that cannot be made throw its error too, whichever is read first', () => {
  isChecking = false;
  class Part extends Entity {
    static override key = 'Part';
    id = '';
    other: Part | undefined = undefined;
    last: Part | undefined = undefined;
    fuse: Fuse | undefined = undefined;
    static override schema: Record<string, unknown> = {};
  }
  Part.schema = { other: Part, last: Part, fuse: Fuse };
  const cache = new Cache();
  const last = { id: '3', fuse: { id: 'f', isBlown: true } };
  cache.write(Part, { id: '1', other: { id: '2', other: '1' }, last });
  isChecking = true;
  for (const id of ['1', '2', '3']) expect(() => cache.read(Part, [id])).toThrow('blown');

  cache.write(Fuse, { id: 'f', isBlown: false });

  const [one, two] = [cache.read(Part, ['1']), cache.read(Part, ['2'])];
  expect(one?.other).toBe(two);
  expect(two?.other).toBe(one);
  expect(two?.other?.last?.fuse?.isBlown).toBe(false);
});

test('a listener that got an error is notified of its end, whatever else was read meanwhile', () => {
  isChecking = false;
  class Ring extends Entity {
    static override key = 'Ring';
    id = '';
    name = '';
    next: Ring | undefined = undefined;
    need: unknown = { id: 'required' };
    static override schema: Record<string, unknown> = {};
  }
  Ring.schema = { next: Ring, need: Fuse };
  class Machine extends Entity {
    static override key = 'Machine';
    id = '';
    fuse: Fuse | undefined = undefined;
    ring: Ring | undefined = undefined;
    static override schema = { fuse: Fuse, ring: Ring };
  }
  const cache = new Cache();
  const next = { id: 's', next: 'r', need: { id: 'ok' } };
  cache.write(Machine, { id: 'm', fuse: { id: 'f' }, ring: { id: 'r', next, need: 'missing' } });
  const heard = vi.fn();
  cache.subscribe(Machine, ['m'], heard);
  cache.batch(() => {
    cache.write(Fuse, { id: 'f', isBlown: true });
    cache.write(Ring, { id: 'r', name: 'changed' });
    isChecking = true;
  });
  expect(heard).toHaveBeenCalledTimes(1);
  cache.read(Ring, ['r']);

  cache.write(Fuse, { id: 'f', isBlown: false });

  expect(heard).toHaveBeenCalledTimes(2);
  expect(cache.read(Machine, ['m'])?.fuse?.isBlown).toBe(false);
});
