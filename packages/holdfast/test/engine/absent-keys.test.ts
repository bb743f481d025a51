// Keys with a missing part, payloads of a row that are no object, and values that are no row at all.
import { Cache, Controller, createResource, Entity, schema } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Member extends Entity {
  static override key = 'Member';
  org: string | null = '';
  id: string | number | null = '';
  override pk(): string {
    return `${this.org}:${this.id}`;
  }
}

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as { code?: unknown }).code; // cast: asking is the check
  }
  return undefined;
};

describe('E-2 a key with a part that is', () => {
  test.each([
    ['absent', { org: 'a' }],
    ['undefined', { org: 'a', id: undefined }],
    ['null', { org: null, id: '1' }],
    ['absent beside a field that holds the word', { org: 'undefined' }],
  ])('%s is refused, and the store is unchanged', (_name, row) => {
    const cache = new Cache();
    cache.write([Member], [{ org: 'a', id: '1' }]);

    expect(codeOf(() => cache.write([Member], [{ org: 'a', id: '2' }, row]))).toBe('ENTITY_WITHOUT_PK');

    expect(cache.read(new schema.All(Member))).toHaveLength(1);
  });

  test.each([
    ['undefined', { org: 'undefined', id: 'null' }, 'undefined:null'],
    ['a word that holds it', { org: 'nullable', id: 1 }, 'nullable:1'],
  ])('the string %s is stored', (_name, row, pk) => {
    const cache = new Cache();

    cache.write(Member, Object.freeze(row));

    expect(cache.read(Member, [pk])?.pk()).toBe(pk);
  });
});

test('a key that pk() makes of a Date is checked and stored', () => {
  class Day extends Entity {
    static override key = 'Day';
    at = new Date(0);
    note: string | null = null;
    override pk(): string {
      return `null-${this.at.getTime()}`;
    }
  }
  const cache = new Cache();

  cache.write(Day, { at: new Date(5), note: null });

  expect(cache.read(Day, ['null-5'])).toBeInstanceOf(Day);
});

test('an optimistic creation whose key lacks a part is a draft until the server gives its id', async () => {
  const world = new FakeWorld();
  const controller = new Controller({ ...world.options, fetch: () => new Promise(() => undefined) });
  const { getList } = createResource({
    urlPrefix: 'http://api.test',
    path: '/orgs/:org/members/:id',
    schema: Member,
    optimistic: true,
  });
  await controller.setResponse(getList, { org: 'a' }, []);

  void controller.fetch(getList.push, { org: 'a' }, {});

  expect(controller.getResponse(getList, { org: 'a' }).data).toHaveLength(1);
});

// ── process ──────────────────────────────────────────────────────────────────────────────────────

class Level extends Entity {
  static override key = 'Level';
  price = '';
  size = 0;
  override pk(): string {
    return this.price;
  }
  static override process(input: object | string): object {
    if (typeof input === 'string') {
      const [price, size] = input.split('@');
      return { price, size: Number(size) };
    }
    const [price, size] = input as [string, number]; // cast: the server sends pairs
    return { price, size };
  }
}

test.each([
  [
    'pairs',
    [
      ['10.5', 3],
      ['11', 4],
    ],
  ],
  ['texts', ['10.5@3', '11@4']],
])('process() gets items that are %s and returns their fields', (_name, payload) => {
  const cache = new Cache();
  const book = new schema.Collection([Level]);

  cache.write(book, payload);

  expect(cache.read(book)?.map(({ price, size }) => [price, size])).toEqual([
    ['10.5', 3],
    ['11', 4],
  ]);
});

class Author extends Entity {
  static override key = 'Author';
  id = '';
  name = '';
  label = '';
}
class Labelled extends Author {
  static override process(input: Author): object {
    return { ...input, label: input.name.toUpperCase() };
  }
}
class Spread extends Author {
  static override process(input: object, _parent: unknown, _key: string, args: readonly unknown[]): object {
    return { ...(args[0] as object | undefined), ...input }; // cast: the parameters of the call
  }
}

test.each([
  ['throws at', Labelled],
  ['takes apart', Spread],
])('a string that process() %s is the key of a row', (_name, type) => {
  class Post extends Entity {
    static override key = 'Post';
    id = '';
    author: Author | undefined = undefined;
    static override schema = { author: type };
  }
  const cache = new Cache();
  cache.write(type, { id: 'u1', name: 'Ada' }, [{ id: 'u1' }]);

  cache.write(Post, { id: '1', author: 'u1' }, [{ id: '1' }]);

  expect(cache.read(Post, ['1'])?.author).toMatchObject({ id: 'u1', name: 'Ada' });
  expect(cache.read(new schema.All(type))).toHaveLength(1);
});

// ── nothing ──────────────────────────────────────────────────────────────────────────────────────

class Task extends Entity {
  static override key = 'Task';
  id = '';
  owner: Author | undefined = undefined;
  static override schema = { owner: Author };
}

test.each(['', false])('%j in place of the key of a row is no row', (none) => {
  const cache = new Cache();
  const list = new schema.Collection([Task]);

  cache.write(list, [{ id: '1', owner: none }, none, { id: '2', owner: { id: 'u', name: 'Ada' } }]);

  expect(cache.read(list)?.map(({ id }) => id)).toEqual(['1', '2']);
  expect(cache.read(Task, ['1'])?.owner).toBeUndefined();
  expect(cache.read(Task, ['2'])?.owner?.name).toBe('Ada');
  expect(codeOf(() => cache.write(Task, { id: '3', owner: true }))).toBe('ENTITY_WITHOUT_PK');
});

test.each([
  ['All', new schema.All(Task)],
  ['All in a map', { tasks: new schema.All(Task) }],
  ['All over a mapping', new schema.All({ task: Task }, 'type')],
])('null among the items of %s, or in place of the list, is absent', (_name, all) => {
  const cache = new Cache();
  const wrap = (value: unknown) => ('tasks' in all ? { tasks: value } : value);

  cache.write(all, wrap([null, { id: '1', type: 'task' }, undefined, '', false]));
  cache.write(all, wrap(null));

  expect(cache.read(new schema.All(Task))?.map(({ id }) => id)).toEqual(['1']);
});

test.each([{ error: 'busy' }, { message: 'not now', code: 5 }, { detail: 'slow down' }])(
  'L-3 an object that may be an error is read as the list of its values, with a warning in development: %j',
  (complaint) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const cache = new Cache();
    const list = new schema.Collection([Task]);

    cache.write(list, complaint);
    cache.write(list, complaint);
    cache.write(list, { first: 'a', second: 'b' });

    expect(warn.mock.calls).toEqual([[expect.stringContaining('[LIST_NOT_SENT]')]]);
    warn.mockRestore();
  },
);

test('an item for which `process` returns nothing and that has no key is left out, and the rest of the response is stored', () => {
  class Ad extends Entity {
    static override key = 'Ad';
    id = '';
    static override process(input: { id?: string; isEmpty?: boolean }) {
      return input.isEmpty ? undefined : input;
    }
  }
  const cache = new Cache();
  cache.write(
    { all: [Ad], one: Ad },
    { all: [{ id: '1' }, { isEmpty: true }, { id: '2' }], one: { isEmpty: true } },
  );

  expect(cache.read(new schema.All(Ad))?.map(({ id }) => id)).toEqual(['1', '2']);

  // one with a key is gone
  cache.write([Ad], [{ id: '1', isEmpty: true }]);
  expect(cache.read(new schema.All(Ad))?.map(({ id }) => id)).toEqual(['2']);
});
