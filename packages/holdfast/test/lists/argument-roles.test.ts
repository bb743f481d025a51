// What each role of an argument means for writes: which lists a row enters or leaves without a request, and which are read again.
import { byRole, Controller, createResource, dehydrate, Entity, hydrate, orderBy, schema } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Task extends Entity {
  static override key = 'RoleTask';
  id = '';
  state = '';
  title = '';
  rank = 0;
  updatedAt = new Date(0);
  static override schema = { updatedAt: (text: string) => new Date(text) };
}

type Args = Record<string, string | number>;
type Fields = { id: string; state: string; title: string; rank: number; updatedAt: string };

const argumentRoles = byRole({
  q: 'search',
  sort: 'order',
  per_page: 'limit',
  page: 'page',
  expand: 'shape',
  since: { field: 'updatedAt', test: (value: Date, since: string) => value >= new Date(since) },
});

const row = (id: string, fields: Partial<Fields> = {}): Fields => ({
  id,
  state: 'open',
  title: `t${id}`,
  rank: Number(id),
  updatedAt: '2026-02-01',
  ...fields,
});
const rows = [row('1'), row('2'), row('3', { state: 'closed' })];

function start(options: object = { argumentRoles }) {
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const tasks = createResource({
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as Args,
    body: {} as Partial<Fields>,
    ...options,
  });
  const read = (args: Args, of = controller) => of.getResponse(tasks.getList, args);
  return {
    world,
    controller,
    tasks,
    load: (args: Args, given: readonly Fields[] = rows) =>
      controller.setResponse(tasks.getList, args, given as never), // cast: rows in their wire form
    ids: (args: Args, of = controller) =>
      read(args, of)
        .data?.map(({ id }) => id)
        .join(''),
    isFresh: (args: Args, of = controller) => read(args, of).expiresAt > world.time.clock.now(),
    create: (fields: Fields) => controller.setResponse(tasks.getList.push, fields as never, fields as never), // cast: as above
    change: (id: string, fields: Partial<Fields>) => {
      const whole = { ...rows.find((one) => one.id === id)!, ...fields };
      return controller.setResponse(tasks.partialUpdate, { id }, fields as never, whole as never); // cast: as above
    },
    remove: (id: string) => controller.setResponse(tasks.delete, { id }, { id }),
  };
}

/** The ids of a list after a creation, a change of a title and a deletion, with `?` behind lists that became stale. */
async function afterEach(args: Args, given = rows): Promise<string> {
  const writes = [
    async (world: ReturnType<typeof start>) => world.create(row('9')),
    async (world: ReturnType<typeof start>) => world.change('1', { title: 'new' }),
    async (world: ReturnType<typeof start>) => world.remove('1'),
  ];
  const results = await Promise.all(
    writes.map(async (write) => {
      const world = start();
      await world.load(args, given);
      await world.load({ state: 'none' }, []);
      await write(world);
      return `${world.ids(args)}${world.isFresh(args) ? '' : '?'}`;
    }),
  );
  return results.join(' ');
}

describe('a created row, another title, a deleted row', () => {
  test.each([
    ['without arguments', {}, rows, '1239 123 23'],
    ['filter', { state: 'open' }, rows.slice(0, 2), '129 12 2'],
    ['search', { q: 't' }, rows, '123? 123? 23'],
    ['order by another field', { sort: 'rank' }, rows, '1239? 123 23'],
    ['order by the field', { sort: '-title' }, rows, '1239? 123? 23'],
    ['limit, not reached', { per_page: 10 }, rows, '1239 123 23'],
    ['limit, reached', { per_page: 3 }, rows, '123? 123 23?'],
    ['page', { page: 2 }, rows, '123? 123 23?'],
    ['shape', { expand: 'author' }, rows, '1239 123 23'],
    ['a test that the rows pass', { since: '2026-01-01' }, rows, '1239 123 23'],
    ['a test that they fail', { since: '2027-01-01' }, [], '  '],
  ] as const)('%s: %j', async (_, args, given, expected) => {
    expect(await afterEach(args, [...given])).toBe(expected);
  });
});

test('a row that fails a test and a search leaves alone is no reason to read the list', async () => {
  const { create, load, ids, isFresh } = start();
  await load({ since: '2026-03-01', q: 'x' }, []);

  await create(row('9', { updatedAt: '2026-01-01' }));

  expect([ids({ since: '2026-03-01', q: 'x' }), isFresh({ since: '2026-03-01', q: 'x' })]).toEqual([
    '',
    true,
  ]);
});

test('a changed field that a test reads moves the row into the list and out of it', async () => {
  const { change, load, ids, isFresh } = start();
  await load({ since: '2026-03-01' }, [row('2', { updatedAt: '2026-03-02' })]);
  await load({});

  await change('1', { updatedAt: '2026-04-01' });
  await change('2', { updatedAt: '2026-01-01' });

  expect([ids({ since: '2026-03-01' }), isFresh({ since: '2026-03-01' })]).toEqual(['1', true]);
});

test('a list takes rows until it is as long as its limit, and then becomes stale and not longer', async () => {
  const { ids, isFresh, load, create } = start();
  await load({ per_page: 4 });
  await create(row('9'));
  expect([ids({ per_page: 4 }), isFresh({ per_page: 4 })]).toEqual(['1239', true]);

  await create(row('8'));

  expect([ids({ per_page: 4 }), isFresh({ per_page: 4 })]).toEqual(['1239', false]);
});

test('a limit that the server sets counts when the argument is absent, and `most` when it is larger', async () => {
  const world = start({ argumentRoles: byRole({ per_page: { limit: 3, most: 4 } }) });
  for (const args of [{}, { per_page: 2 }, { per_page: 100 }]) await world.load(args, rows);

  await world.create(row('9'));
  expect(world.ids({})).toBe('123');
  expect(world.isFresh({})).toBe(false);
  expect(world.ids({ per_page: 100 })).toBe('1239');

  await world.create(row('8'));
  expect(world.ids({ per_page: 100 })).toBe('1239');
  expect(world.isFresh({ per_page: 100 })).toBe(false);
});

test('in a full list with a declared order, a row that moves makes the list stale', async () => {
  const list = new schema.Collection([Task], { argumentRoles, order: orderBy('sort') });
  const { tasks, controller, world } = start();
  const getList = tasks.getList.extend({ schema: list });
  const args = { sort: 'rank', per_page: 2 };
  await controller.setResponse(getList, args, rows.slice(0, 2) as never); // cast: rows in their wire form
  expect(controller.getResponse(getList, args).data).toHaveLength(2);

  await controller.setResponse(tasks.partialUpdate, { id: '1' }, {}, { ...rows[0], rank: 9 } as never); // cast: as above

  expect(controller.getResponse(getList, args).expiresAt).toBeLessThanOrEqual(world.time.clock.now());
});

test('a test that throws means unsure, and development says so once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const broken = (): boolean => {
    throw new Error('no date');
  };
  const { create, load, isFresh } = start({
    argumentRoles: byRole({ since: { field: 'updatedAt', test: broken } }),
  });
  await load({ since: 'x' });

  await create(row('9'));
  await create(row('8'));

  expect(isFresh({ since: 'x' })).toBe(false);
  expect(warn.mock.calls.flat().filter((text) => String(text).includes('ROLE_TEST_THREW'))).toHaveLength(1);
  warn.mockRestore();
});

test('roles of another declaration apply to all other arguments, so that a preset can be extended', async () => {
  const { create, load, ids, isFresh } = start({ argumentRoles: byRole({ draft: 'shape' }, argumentRoles) });
  for (const args of [{ draft: 1 }, { q: 't' }]) await load(args);

  await create(row('9'));

  expect([ids({ draft: 1 }), isFresh({ draft: 1 })]).toEqual(['1239', true]);
  expect([ids({ q: 't' }), isFresh({ q: 't' })]).toEqual(['123', false]);
});

test('roles of a Collection take precedence over those of the endpoint', async () => {
  const { controller, tasks, world } = start();
  const list = new schema.Collection([Task], { argumentRoles: byRole({ q: 'shape' }) });
  const getList = tasks.getList.extend({ schema: list, argumentRoles });
  await controller.setResponse(getList, { q: 'x' }, rows as never); // cast: rows in their wire form

  await controller.setResponse(getList.push, {}, row('9') as never); // cast: as above

  const { data, expiresAt } = controller.getResponse(getList, { q: 'x' });
  expect(data).toHaveLength(4);
  expect(expiresAt).toBeGreaterThan(world.time.clock.now());
});

test('a name with a role and among `nonFilterArgumentKeys` is refused at declaration', () => {
  expect(() => start({ argumentRoles, nonFilterArgumentKeys: ['page'] })).toThrow('ROLE_SAID_TWICE');
  expect(() => new schema.Collection([Task], { argumentRoles, nonFilterArgumentKeys: /^per/ })).toThrow(
    'per_page',
  );
});

test('roles that `byRole` did not make are refused at declaration', () => {
  expect(() => start({ argumentRoles: { q: 'search' } as never })).toThrow('ROLES_INVALID'); // cast: the type refuses it too
});

test.each([
  ['a search', { q: 't' }, '123?'],
  ['a full list', { per_page: 3 }, '123?'],
  ['an order', { sort: 'rank' }, '1239?'],
  ['a test', { since: '2026-01-01' }, '123?'],
])(
  '%s that came with a saved state becomes stale, although the state has no functions',
  async (_, args, expected) => {
    const { controller, load, ids, isFresh, world } = start();
    await load(args);
    const other = new Controller(world.options);
    hydrate(other, JSON.parse(JSON.stringify(dehydrate(controller))));

    const created = row('9');
    // another resource object, so that nothing gives the list its functions before the creation
    await other.setResponse(start().tasks.getList.push, created as never, created as never); // cast: rows in their wire form

    expect(`${ids(args, other)}${isFresh(args, other) ? '' : '?'}`).toBe(expected);
  },
);
