// A look-up sends no request and causes no event, but it leaves an entry: in an empty store with no collection scheduled, this
// entry is removed like everything else.
import { Controller, createResource, Entity, schema, watchQuery } from 'holdfast';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class User extends Entity {
  static override key = 'User';
  id = 0;
  name = '';
}

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  owner: User | undefined = undefined;
  related: readonly Todo[] = [];
  static override schema = { owner: User, related: [Todo] };
}

const RETENTION_MS = 300_000;
const AllTodos = new schema.All(Todo);
const TodoResource = createResource({ urlPrefix: 'http://model.test', path: '/todos/:id', schema: Todo });
const { get, getList, partialUpdate } = TodoResource;
// its first part is well: the row in it is known by the time the second part is refused
const refused = { id: 1, owner: { id: 7 }, related: [{ title: 'without a key' }] };
const guessing = partialUpdate.extend({ getOptimisticResponse: () => refused as never });

let world: FakeWorld;
let controller: Controller;
beforeEach(() => {
  world = new FakeWorld();
  controller = new Controller({ ...world.options, fetch: async () => Response.error() });
  controller.start();
});
afterEach(() => controller.stop());

async function rest(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await world.pass(RETENTION_MS);
}

const lookUps: Readonly<Record<string, () => unknown>> = {
  'get by a query': () => controller.get(new schema.Query(Todo, (todo) => todo), { id: 1 }),
  'get of all rows': () => controller.get(AllTodos),
  'get of a list': () => controller.get(getList.schema, {}),
  'getResponse of a row': () => controller.getResponse(get, { id: 1 }),
  'getResponse of a list': () => controller.getResponse(getList, {}),
  getError: () => controller.getError(get, { id: 1 }),
  'get in a snapshot': () => controller.snapshot().get(Todo, { id: 1 }),
  'getResponse in a snapshot': () => controller.snapshot().getResponse(get, { id: 1 }),
  'an observer that is never read': () => controller.watch(get, { id: 1 }),
  'an observer that is read': () => controller.watch(get, { id: 1 }).read(),
  'an observer that is left at once': () =>
    controller.watch(getList, {}).subscribePassively(() => undefined)(),
  'a query that is read': () => watchQuery(controller, Todo, { id: 1 }).read(),
  'a query that is left at once': () => watchQuery(controller, AllTodos).subscribe(() => undefined)(),
  'a value that is refused': () => controller.set(Todo, { id: 1 }, refused as never),
  'an answer that is refused': () => controller.setResponse(get, { id: 1 }, refused),
  'a guess that is refused': () => controller.fetch(guessing, { id: 1 }, {} as never),
};

for (const [name, lookUp] of Object.entries(lookUps))
  test(`the remains of ${name} are collected when nothing else happens`, async () => {
    await rest();
    expect([controller.size, world.time.pendingTimers]).toEqual([0, 0]);
    await Promise.resolve(lookUp()).catch(() => undefined);
    expect(controller.size).toBeGreaterThan(0);

    await rest();

    expect([controller.size, world.time.pendingTimers]).toEqual([0, 0]);
  });

test('an observer and a snapshot that are kept leave nothing behind, however late they are read', async () => {
  const observer = controller.watch(get, { id: 1 });
  const query = watchQuery(controller, Todo, { id: 2 });
  const snapshot = controller.snapshot();
  for (const look of [observer.read, query.read, () => snapshot.get(Todo, { id: 3 })]) {
    await rest();
    expect(controller.size).toBe(0);
    look();
    expect(controller.size).toBeGreaterThan(0);
  }

  await rest();

  expect([controller.size, world.time.pendingTimers]).toEqual([0, 0]);
});

test('look-ups schedule one collection, however many they are', async () => {
  await rest();
  const plan = vi.spyOn(world.time.timers, 'set');

  for (let id = 1; id <= 1_000; id += 1) {
    controller.get(Todo, { id });
    controller.getResponse(get, { id });
    controller.watch(get, { id }).read();
  }

  expect(plan).toHaveBeenCalledTimes(1);
});

test('a look-up by a key without a row, and an update of no row, keep nothing, whether the controller runs or not', async () => {
  const idle = new Controller({ ...world.options });
  for (const one of [controller, idle]) {
    const before = one.size;
    for (let id = 1; id <= 1_000; id += 1) expect(one.get(Todo, { id })).toBeUndefined();
    await one.set(Todo, { id: 1 }, () => ({ title: 'x' }));

    expect(one.size).toBe(before);
  }
});

test('a row that was looked up in vain is found when it arrives, and its observers are notified', async () => {
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  let heard = 0;
  const stop = watchQuery(controller, Todo, { id: 1 }).subscribe(() => (heard += 1));
  expect(controller.get(Todo, { id: 1 })).toBeUndefined();

  await controller.set(Todo, { id: 1 }, { id: 1, title: 'here' });

  expect(controller.get(Todo, { id: 1 })?.title).toBe('here');
  expect(heard).toBe(1);
  stop();
});
