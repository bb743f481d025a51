// Law: whatever a storage has done to a saved state, a reader gets the saved data, or nothing, or a part of a list that is
// fetched again. It never gets a value of another type, and never an incomplete list that counts as fresh.
import {
  Controller,
  createResource,
  dehydrate,
  Endpoint,
  Entity,
  ExpiryStatus,
  hydrate,
  schema,
} from 'holdfast';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

const RUNS = Number(process.env['RUNS'] ?? 1_000);
// the same runs every time; the nightly gives other seeds
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const TIME_LIMIT_MS = 600_000;

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}

class Comment extends Entity {
  static override key = 'Comment';
  id = '';
  text = '';
}

class Task extends Entity {
  static override key = 'Task';
  id = '';
  title = '';
  due = new Date(0);
  owner: User | undefined = undefined;
  comments: Comment[] = [];
  extra: unknown = undefined;
  static override schema = { owner: User, due: Date, comments: new schema.Collection([Comment]) };
}

const world = new FakeWorld();
const TaskResource = createResource({ urlPrefix: 'http://api.test', path: '/tasks/:id', schema: Task });
const page = new Endpoint(async (_args: object) => ({}) as never, {
  name: 'page',
  schema: { results: new schema.Collection([Task]), next: '' },
});
const count = new Endpoint(async () => 0, { name: 'count' });
const reads = {
  list: (controller: Controller) => controller.getResponse(TaskResource.getList, {}),
  page: (controller: Controller) => controller.getResponse(page, {}),
  one: (controller: Controller) => controller.getResponse(TaskResource.get, { id: '1' }),
  count: (controller: Controller) => controller.getResponse(count),
};
const ids = ['1', '2', '3'];

let text: string;
let whole: Controller;
beforeAll(async () => {
  const controller = new Controller(world.options);
  const task = (id: string) => ({
    id,
    title: `t${id}`,
    due: '2026-01-02T03:04:05.000Z',
    owner: { id: '9', name: 'Ada' },
    comments: [{ id: `c${id}`, text: 'first' }],
    extra: { list: [1, null, 'x'], at: new Date(5) },
  });
  await controller.setResponse(TaskResource.getList, {}, ids.map(task));
  await controller.setResponse(page, {}, { results: ids.map(task), next: 'two' } as never); // cast: loose here
  await controller.setResponse(TaskResource.get, { id: '1' }, task('1'));
  await controller.setResponse(count, 3);
  await controller.setError(TaskResource.get, { id: '7' }, new Error('no'));
  text = JSON.stringify(dehydrate(controller));
  whole = new Controller(world.options);
  hydrate(whole, text);
});
const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
afterAll(() => warn.mockRestore());

/** The values that readers see, as plain data. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

function checkTask(found: Task, path: string): void {
  const saved = plain(whole.get(Task, { id: found.id })) as Record<string, unknown>; // cast: a task of the state
  const { comments, owner, ...own } = plain(found) as Record<string, unknown>; // cast: as above
  expect(own, path).toEqual({ ...saved, comments: undefined, owner: undefined });
  expect(found.due, path).toBeInstanceOf(Date);
  // a nested row may be lost, and then reads as absent
  if (owner !== undefined) expect(owner, path).toEqual(saved['owner']);
  expect(saved['comments'], path).toEqual(expect.arrayContaining(comments as unknown[])); // cast: fails if it is none
}

function checkReaders(controller: Controller): void {
  const isFresh = (read: { expiryStatus: ExpiryStatus; expiresAt: number }): boolean =>
    read.expiryStatus === ExpiryStatus.Valid && read.expiresAt > world.time.clock.now();
  for (const id of ids) {
    const found = controller.get(Task, { id });
    if (found !== undefined) checkTask(found, `task ${id}`);
  }
  for (const [name, tasks] of [
    ['list', reads.list(controller).data],
    ['page', reads.page(controller).data?.results],
  ] as const) {
    if (tasks === undefined) continue;
    expect(Array.isArray(tasks), name).toBe(true);
    for (const task of tasks) checkTask(task, name);
    const read = reads[name](controller);
    if (isFresh(read))
      expect(
        tasks.map(({ id }) => id),
        name,
      ).toEqual(ids);
  }
  const paged = reads.page(controller);
  // without the response itself, its list is found by the arguments: other properties read as their defaults, and are fetched
  if (paged.data !== undefined) expect(isFresh(paged) ? ['two'] : ['two', '']).toContain(paged.data.next);
  const one = reads.one(controller).data;
  if (one !== undefined) checkTask(one, 'one');
  expect([3, undefined]).toContain(reads.count(controller).data);
  const error = controller.getError(TaskResource.get, { id: '7' });
  if (error !== undefined) expect(error.message).toBe('no');
  // the controller still works: its time is not set to the far future by the state
  expect(reads.list(controller).expiresAt).toBeLessThanOrEqual(reads.list(whole).expiresAt);
  JSON.stringify(dehydrate(controller));
}

/** Every place in a state: the container, and the key in it. */
function placesIn(root: unknown): { readonly at: Record<string, unknown>; readonly name: string }[] {
  const places: { at: Record<string, unknown>; name: string }[] = [];
  const rest = [root];
  for (const value of rest) {
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      places.push({ at: value as Record<string, unknown>, name }); // cast: by name or place
      rest.push((value as Record<string, unknown>)[name]);
    }
  }
  return places;
}

const damage = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), place: fc.nat(), value: fc.jsonValue({ maxDepth: 2 }) }),
  fc.record({ kind: fc.constant('lose' as const), place: fc.nat() }),
  fc.record({ kind: fc.constant('swap' as const), place: fc.nat(), other: fc.nat() }),
  fc.record({
    kind: fc.constant('type' as const),
    at: fc.nat(),
    length: fc.nat(12),
    put: fc.string({ maxLength: 6 }),
  }),
);
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(how: Damage): unknown {
  if (how.kind === 'type') {
    const at = how.at % text.length;
    return text.slice(0, at) + how.put + text.slice(at + how.length);
  }
  const state = JSON.parse(text) as unknown;
  const places = placesIn(state);
  const { at, name } = places[how.place % places.length]!; // within its length
  if (how.kind === 'put') at[name] = how.value;
  else if (how.kind === 'swap') {
    const other = places[how.other % places.length]!; // as above
    [at[name], other.at[other.name]] = [other.at[other.name], at[name]];
    // no storage returns a container that contains itself
    try {
      JSON.stringify(state);
    } catch {
      return text;
    }
  } else if (Array.isArray(at)) at.splice(Number(name), 1);
  else delete at[name];
  return state;
}

test(
  'readers of a damaged state get the saved data, or less that is fetched again, and never another type',
  () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 1 }), ([how]) => {
        const controller = new Controller(world.options);
        hydrate(controller, damaged(how!)); // one is given
        checkReaders(controller);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  },
  TIME_LIMIT_MS,
);

interface SavedState {
  readonly last: number;
  readonly stamps: unknown[];
  readonly tables: {
    readonly key: string;
    readonly rows: { pk: string; fields: unknown }[];
    readonly lists: unknown[];
  }[];
  readonly slots: { readonly key: string; stored: unknown }[];
}

const damages: [name: string, damage: (state: SavedState) => void, kept: string[]][] = [
  [
    'a row that is null',
    ({ tables }) => void ((tables.find(({ key }) => key === 'Task')!.rows as unknown[])[0] = null),
    ['2', '3'],
  ],
  [
    'a row that counts as deleted',
    ({ tables }) => void (tables.find(({ key }) => key === 'Task')!.rows[1]!.fields = null),
    ['1', '3'],
  ],
  [
    'a row that is missing',
    ({ tables }) => void tables.find(({ key }) => key === 'Task')!.rows.pop(),
    ['1', '2'],
  ],
  ['a string in place of a response', ({ slots }) => void (slots[0]!.stored = 'text'), ids],
  [
    'a nested list that is missing',
    ({ tables }) => void tables.find(({ key }) => key === 'Comment')!.lists.shift(),
    ['2', '3'],
  ],
];

test.each(damages)('of a state with %s the rest is restored, with one warning', (_name, damage, kept) => {
  const state = JSON.parse(text) as SavedState; // cast: its form, as far as it is damaged here
  damage(state);
  const controller = new Controller(world.options);
  warn.mockClear();

  hydrate(controller, state);

  expect(ids.filter((id) => controller.get(Task, { id }) !== undefined)).toEqual(kept);
  expect(reads.count(controller).data).toBe(3);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(String(warn.mock.calls[0]?.[0])).toContain('STATE_DAMAGED');
});

test('a list with a lost row is shown without it, and is stale', () => {
  const state = JSON.parse(text) as SavedState; // cast: as above
  state.tables.find(({ key }) => key === 'Task')!.rows[1]!.fields = { id: '2', title: 'made up' };
  const controller = new Controller(world.options);

  hydrate(controller, state);

  expect(reads.list(controller).data?.map(({ id }) => id)).toEqual(['1', '3']);
  expect(reads.list(controller).expiresAt).toBe(0);
  expect(reads.one(controller).expiresAt).toBeGreaterThan(world.time.clock.now());
});

test('a state whose storage sorts the properties of objects is complete', () => {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([left], [right]) => (left < right ? 1 : -1))
        .map(([name, inner]) => [name, sorted(inner)]),
    );
  };
  const controller = new Controller(world.options);
  warn.mockClear();

  hydrate(controller, sorted(JSON.parse(text)));

  expect(reads.list(controller).data?.map(({ id }) => id)).toEqual(ids);
  expect(warn).not.toHaveBeenCalled();
});

test('a time in the far future that a storage invented does not become the present', () => {
  const state = { ...(JSON.parse(text) as SavedState), last: 8e15 }; // cast: as above
  const controller = new Controller(world.options);

  hydrate(controller, state);

  expect(dehydrate(controller).last).toBeLessThan(8e15);
});
