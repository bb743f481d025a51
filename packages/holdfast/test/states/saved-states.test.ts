// States that were saved by earlier builds, one file each. Each change of the format adds a file, and no file is ever changed,
// because users have such states in their storage. The last file by name is what the present sources write.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Controller,
  createResource,
  dehydrate,
  Entity,
  HttpError,
  hydrate,
  RestEndpoint,
  savedState,
  schema,
} from 'holdfast';
import { beforeEach, expect, test, vi } from 'vitest';
import { failureOf, FakeWorld } from '../support/fake-world.ts';

class User extends Entity {
  static override key = 'User';
  id = 0;
  name = '';
}

class Todo extends Entity {
  static override key = 'Todo';
  id: number | string = 0;
  title = '';
  status = '';
  due = new Date(0);
  owner: User | undefined = undefined;
  extra: unknown = undefined;
  static override schema = { owner: User, due: Date };
}

const TodoResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
  searchParams: {} as { status?: string },
});
const getMore = TodoResource.getList.paginated('cursor');
const getTeam = new RestEndpoint({ path: '/team', schema: { members: new schema.Values(User), at: 0 } });

const ada = { id: 9, name: 'Ada' };
const row = (id: number, status = 'open') => ({
  id,
  title: `t${id}`,
  status,
  due: '2026-01-02T03:04:05.000Z',
  owner: ada,
});
const ANSWERS: Readonly<Record<string, unknown>> = {
  'GET /todos': [row(1), row(2), row(3, 'done')],
  'GET /todos?status=open': [row(1), row(2)],
  'GET /todos?cursor=2': [row(4), row(5, 'done')],
  'GET /todos/5': row(5, 'done'),
  'POST /todos': row(6),
  'DELETE /todos/2': null,
  'GET /team': { members: { lead: ada, second: { id: 10, name: 'Bo' } }, at: 7 },
};

let world: FakeWorld;
let asked: string[];
const create = (given: object = {}): Controller =>
  new Controller({
    ...world.options,
    fetch: async (url, { method = 'GET' } = {}) => {
      const request = `${method} ${url}`;
      asked.push(request);
      return request in ANSWERS
        ? Response.json(ANSWERS[request])
        : Response.json({ detail: 'not here' }, { status: 404 });
    },
    ...given,
  });
beforeEach(() => {
  world = new FakeWorld();
  asked = [];
});

/** Rows, lists with a filter and without, a second page, a map, a draft that got its name, a deletion, a failure, and what JSON lacks. */
async function fill(controller: Controller): Promise<void> {
  await controller.fetch(TodoResource.getList);
  await controller.fetch(TodoResource.getList, { status: 'open' });
  await controller.fetch(getMore, { cursor: '2' });
  await controller.fetch(getTeam);
  await controller.fetch(TodoResource.getList.push, { title: 't6', status: 'open' });
  await controller.fetch(TodoResource.delete, { id: 2 });
  await failureOf(controller.fetch(TodoResource.get, { id: 77 }));
  await controller.set(Todo, { id: 'ü' }, { id: 'ü', title: '</script>', extra });
  controller.invalidate(TodoResource.get, { id: 5 });
}

/** Values that JSON has no form for, or another one. */
const extra = {
  big: 10n,
  ever: Infinity,
  at: new Date(5),
  map: new Map([['a', 1]]),
  set: new Set([2]),
  $: 'row',
};

function expectAll(controller: Controller): void {
  const titles = (args?: { status: string }): unknown => {
    const { data } = args
      ? controller.getResponse(TodoResource.getList, args)
      : controller.getResponse(TodoResource.getList);
    return data?.map(({ title }) => title);
  };
  expect(titles()).toEqual(['t1', 't3', 't4', 't5', 't6']);
  expect(titles({ status: 'open' })).toEqual(expect.arrayContaining(['t1', 't6']));
  expect(controller.get(Todo, { id: 1 })).toBeInstanceOf(Todo);
  expect(controller.get(Todo, { id: 1 })?.due).toEqual(new Date('2026-01-02T03:04:05.000Z'));
  expect(controller.get(Todo, { id: 1 })?.owner).toBe(controller.get(User, { id: 9 }));
  expect(controller.get(Todo, { id: 2 })).toBeUndefined();
  expect(controller.getResponse(getTeam).data).toMatchObject({
    members: { lead: ada, second: { name: 'Bo' } },
    at: 7,
  });
  const error = controller.getError(TodoResource.get, { id: 77 });
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ status: 404, code: 'HTTP_ERROR' });
  expect(controller.get(Todo, { id: 'ü' })).toMatchObject({
    title: '</script>',
    extra,
  });
}

const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .toSorted();

test('the state that is saved today equals the last file: a change of the format adds a file', async () => {
  const controller = create();

  await fill(controller);

  expectAll(controller);
  const text = `${JSON.stringify(dehydrate(controller), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(files.at(-1) ?? 'version-3.json');
});

test.for(files)(
  '%s shows the data that was saved, or is refused with a code and changes nothing',
  async (file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);

    const controller = create({ initialState: savedState(text) });

    const warned = warn.mock.calls.map(([words]) => String(words));
    warn.mockRestore();
    if (warned.length === 0) {
      expectAll(controller);
      expect(asked).toEqual([]);
      return;
    }
    expect(warned).toEqual([expect.stringContaining('STATE_UNREADABLE')]);
    await fill(controller);
    expectAll(controller);
  },
);

test.for(files)('%s removes nothing from a controller that has data', async (file) => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const controller = create();
  await fill(controller);
  await controller.set(Todo, { id: 1 }, { id: 1, title: 'mine' });

  hydrate(controller, text);

  expect(controller.get(Todo, { id: 1 })).toMatchObject({ title: 'mine', status: 'open' });
  await controller.set(Todo, { id: 1 }, { id: 1, title: 't1' });
  expectAll(controller);
});

test('a state of an unknown version is refused with a code, and the present data stays', async () => {
  const controller = create();
  await fill(controller);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);

  hydrate(controller, { ...dehydrate(controller), version: 1_000, tables: [], slots: [] });

  expect(String(warn.mock.calls[0]?.[0])).toContain('STATE_UNREADABLE');
  warn.mockRestore();
  expectAll(controller);
});
