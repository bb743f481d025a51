// Clauses C of the contract: schema.Collection, through the public cache. The clauses about endpoints are tested over a real
// server in the files beside this one.
import { Cache, Collection, Entity, RestEndpoint, schema } from 'holdfast';
import { describe, expect, test, vi } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  userId = '';
  title = '';
}
class User extends Entity {
  static override key = 'User';
  id = '';
  todos: Todo[] = [];
}

const ids = (items: readonly { readonly id: string }[] | undefined): unknown => items?.map((item) => item.id);

describe('C-1 definitions', () => {
  test.each([
    ['[Entity]', new schema.Collection([Todo])],
    ['schema.Array', new schema.Collection(new schema.Array(Todo))],
  ])('C-1 a Collection over %s reads as an array', (_name, list) => {
    const cache = new Cache();
    cache.write(list, [{ id: '1' }, { id: '2' }], [{ userId: '1' }]);

    expect(ids(cache.read(list, [{ userId: '1' }]))).toEqual(['1', '2']);
    expect(cache.read(list, [{ userId: '2' }])).toBeUndefined();
  });

  test('C-1 a Collection over schema.Values reads as a map', () => {
    const cache = new Cache();
    const map = new schema.Collection(new schema.Values(Todo));
    cache.write(map, { x: { id: '1' } });

    expect(Object.keys(cache.read(map) ?? {})).toEqual(['x']);
    expect(cache.read(map)?.['x']).toBe(cache.read(Todo, ['1']));
  });

  test('C-1 a Collection is stored like an entity: two payloads write one list', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write({ first: list, second: list }, { first: [{ id: '1' }], second: [{ id: '1' }, { id: '2' }] });

    expect(ids(cache.read(list))).toEqual(['1', '2']);
  });
});

describe('C-2 extenders', () => {
  test('C-2 push adds at the end and unshift at the start', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '2' }]);

    cache.write(list.push, { id: '3' });
    cache.write(list.unshift, { id: '1' });

    expect(ids(cache.read(list))).toEqual(['1', '2', '3']);
  });

  test('C-2 several members that are added at once keep their order', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '3' }]);

    cache.write(list.push, [{ id: '4' }, { id: '5' }]);
    cache.write(list.unshift, [{ id: '1' }, { id: '2' }]);

    expect(ids(cache.read(list))).toEqual(['1', '2', '3', '4', '5']);
  });

  test('C-2 assign merges members by their keys', () => {
    const cache = new Cache();
    const map = new schema.Collection(new schema.Values(Todo));
    cache.write(map, { x: { id: '1' }, y: { id: '2' } });

    cache.write(map.assign, { y: { id: '3' }, z: { id: '4' } });

    const read = cache.read(map) ?? {};
    expect(Object.keys(read)).toEqual(['x', 'y', 'z']);
    expect(read['y']?.id).toBe('3');
  });
});

test('C-3 argsKey gives the object that identifies the list from the arguments', () => {
  const cache = new Cache();
  const list = new schema.Collection([Todo], {
    argsKey: ({ userId }: { userId: string; page?: number }) => ({ userId }),
  });
  cache.write(list, [{ id: '1' }], [{ userId: 'a', page: 1 }]);

  expect(ids(cache.read(list, [{ userId: 'a', page: 2 }]))).toEqual(['1']);
  expect(cache.read(list, [{ userId: 'b' }])).toBeUndefined();
});

describe('C-4 nested lists', () => {
  const todos = new schema.Collection([Todo], { nestKey: (parent: User) => ({ userId: parent.id }) });
  class Owner extends User {
    static override key = 'Owner';
    static override schema = { todos };
  }

  test('C-4 nestKey gives the object from the parent and the field', () => {
    const cache = new Cache();
    const seen: unknown[] = [];
    const list = new schema.Collection([Todo], {
      nestKey: (parent: User, key) => {
        seen.push([parent.id, key]);
        return { userId: parent.id };
      },
    });
    class Person extends User {
      static override key = 'Person';
      static override schema = { todos: list };
    }
    cache.write(
      [Person],
      [
        { id: 'a', todos: [{ id: '1' }] },
        { id: 'b', todos: [{ id: '2' }] },
      ],
    );

    expect(ids(cache.read(Person, ['a'])?.todos)).toEqual(['1']);
    expect(ids(cache.read(Person, ['b'])?.todos)).toEqual(['2']);
    expect(seen).toEqual([
      ['a', 'todos'],
      ['b', 'todos'],
    ]);
  });

  test('C-4 a creation enters the nested list, and the list requested by arguments is the same one', () => {
    const cache = new Cache();
    cache.write(
      [Owner],
      [
        { id: 'a', todos: [{ id: '1' }] },
        { id: 'b', todos: [] },
      ],
    );

    cache.write(todos.push, { id: '2', userId: 'b' }, [{ userId: 'b' }]);

    expect(ids(cache.read(Owner, ['b'])?.todos)).toEqual(['2']);
    expect(ids(cache.read(Owner, ['a'])?.todos)).toEqual(['1']);
    expect(cache.read(todos, [{ userId: 'b' }])).toBe(cache.read(Owner, ['b'])?.todos);
  });
});

describe('C-5 the filter', () => {
  test('C-5 createCollectionFilter decides for push, unshift and addWith', () => {
    const cache = new Cache();
    const calls: unknown[] = [];
    const list = new schema.Collection([Todo], {
      createCollectionFilter: (urlParams: object, body?: object) => (key) => {
        calls.push([urlParams, body, key]);
        return key['team'] === 'red';
      },
    });
    cache.write(list, [], [{ team: 'red' }]);
    cache.write(list, [], [{ team: 'blue' }]);

    cache.write(list.push, { id: '1' }, [{ a: 1 }, { b: 2 }]);
    cache.write(list.unshift, { id: '2' }, [{ a: 1 }, { b: 2 }]);
    cache.write(
      list.addWith((collection: string[], creation: string[]) => [...collection, ...creation]),
      { id: '3' },
      [{ a: 1 }, { b: 2 }],
    );

    expect(ids(cache.read(list, [{ team: 'red' }]))).toEqual(['2', '1', '3']);
    expect(ids(cache.read(list, [{ team: 'blue' }]))).toEqual([]);
    expect(calls).toContainEqual([{ a: 1 }, { b: 2 }, { team: 'red' }]);
  });

  test('C-5 createCollectionFilter decides for assign', () => {
    const cache = new Cache();
    const map = new schema.Collection(new schema.Values(Todo), {
      createCollectionFilter: () => (key) => key['team'] === 'red',
    });
    cache.write(map, {}, [{ team: 'red' }]);
    cache.write(map, {}, [{ team: 'blue' }]);

    cache.write(map.assign, { x: { id: '1' } }, [{}]);

    expect(Object.keys(cache.read(map, [{ team: 'red' }]) ?? {})).toEqual(['x']);
    expect(Object.keys(cache.read(map, [{ team: 'blue' }]) ?? {})).toEqual([]);
  });
});

describe('C-6 the default filter', () => {
  const cases: readonly [
    title: string,
    key: object,
    params: object | undefined,
    body: object,
    matches: boolean,
  ][] = [
    ['an empty key matches everything', {}, {}, {}, true],
    ['a parameter of that name', { userId: '1' }, { userId: '1' }, {}, true],
    ['a body member of that name', { userId: '1' }, {}, { userId: '1' }, true],
    ['a number equals its text', { userId: 1 }, { userId: '1' }, {}, true],
    ['text equals its number', { userId: '1' }, {}, { userId: 1 }, true],
    ['text equals another spelling of the number', { userId: '1.0' }, {}, { userId: 1 }, true],
    ['true equals its text', { done: true }, {}, { done: true }, true],
    ['true equals 1, as == says', { done: 1 }, {}, { done: true }, true],
    ['another value', { userId: '1' }, { userId: '2' }, {}, false],
    ['a missing value', { userId: '1' }, {}, {}, false],
    ['the parameter differs, the body agrees', { userId: '1' }, { userId: '2' }, { userId: '1' }, true],
    [
      'names that start with order do not filter',
      { userId: '1', orderBy: 'x', order: 'y' },
      { userId: 1 },
      {},
      true,
    ],
    ['one of two entries differs', { userId: '1', done: true }, { userId: '1' }, { done: false }, false],
    ['every entry must agree', { userId: '1', done: true }, { userId: '1' }, { done: true }, true],
    ['missing parameters are an empty object', { userId: '1' }, undefined, { userId: '1' }, true],
    ['null equals null', { parent: null }, {}, { parent: null }, true],
    ['lists and objects agree by content', { tags: ['a', 'b'] }, {}, { tags: ['a', 'b'] }, true],
  ];
  test.each(cases)('C-6 %s', (_title, key, params, body, matches) => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [], [key]);

    cache.write(list.push, { id: '1' }, [params, body]);

    expect(ids(cache.read(list, [key]))).toEqual(matches ? ['1'] : []);
  });
});

test('C-7 a creation enters every cached list that matches, and no other', () => {
  const cache = new Cache();
  const list = new schema.Collection([Todo]);
  for (const key of [{ userId: 1 }, {}, { userId: 1, orderBy: 'x' }, { done: true }, { userId: 2 }]) {
    cache.write(list, [], [key]);
  }

  cache.write(list.push, { id: '5' }, [{ userId: '1' }, { done: true }]);

  expect(ids(cache.read(list, [{ userId: 1 }]))).toEqual(['5']);
  expect(ids(cache.read(list, [{}]))).toEqual(['5']);
  expect(ids(cache.read(list, [{ userId: 1, orderBy: 'x' }]))).toEqual(['5']);
  expect(ids(cache.read(list, [{ done: true }]))).toEqual(['5']);
  expect(ids(cache.read(list, [{ userId: 2 }]))).toEqual([]);
});

test('C-7 with no list in the cache only the entity is written', () => {
  const cache = new Cache();
  const list = new schema.Collection([Todo]);
  cache.write(list.push, { id: '5', title: 'a' });

  expect(cache.read(Todo, ['5'])?.title).toBe('a');
  expect(cache.read(list)).toBeUndefined();
});

test('C-8 addWith builds a creation schema from merge(collection, creation)', () => {
  const cache = new Cache();
  const list = new schema.Collection([Todo]);
  cache.write(list, [{ id: '1' }, { id: '3' }]);
  const seen: unknown[] = [];
  const sorted = list.addWith((collection: string[], creation: string[]) => {
    seen.push([collection, creation]);
    return [...collection, ...creation].toSorted();
  });

  cache.write(sorted, { id: '2' });

  expect(seen).toEqual([[['1', '3'], ['2']]]);
  expect(ids(cache.read(list))).toEqual(['1', '2', '3']);
});

test('C-8 addWith accepts its own filter', () => {
  const cache = new Cache();
  const list = new schema.Collection([Todo]);
  cache.write(list, [], [{ team: 'red' }]);
  cache.write(list, [], [{ team: 'blue' }]);
  const toBlue = list.addWith(
    (collection: string[], creation: string[]) => [...creation, ...collection],
    () => (key) => key['team'] === 'blue',
  );

  cache.write(toBlue, { id: '1' }, [{ team: 'red' }]);

  expect(ids(cache.read(list, [{ team: 'red' }]))).toEqual([]);
  expect(ids(cache.read(list, [{ team: 'blue' }]))).toEqual(['1']);
});

describe('C-14 over schema.Values', () => {
  type Names = Record<string, string>;

  test('C-14 addWith(merge) gets and returns maps, keys included', () => {
    const cache = new Cache();
    const map = new schema.Collection(new schema.Values(Todo));
    cache.write(map, { x: { id: '1' }, y: { id: '2' } });
    const seen: unknown[] = [];
    const renamed = map.addWith((collection: Names, creation: Names) => {
      seen.push([collection, creation]);
      return { first: collection['x'], ...creation };
    });

    cache.write(renamed, { z: { id: '3' } });

    expect(seen).toEqual([[{ x: '1', y: '2' }, { z: '3' }]]);
    const read = cache.read(map) ?? {};
    expect(Object.entries(read).map(([name, todo]) => [name, todo.id])).toEqual([
      ['first', '1'],
      ['z', '3'],
    ]);
  });

  test('C-14 a custom merge gets and returns maps, keys included', () => {
    const cache = new Cache();
    const seen: unknown[] = [];
    const Values = schema.Values<typeof Todo>;
    class Growing extends Collection<InstanceType<typeof Values>> {
      static override merge(existing: unknown, incoming: unknown): unknown {
        seen.push([existing, incoming]);
        return { ...(existing as Names), ...(incoming as Names), last: (incoming as Names)['y'] }; // cast: maps of ids
      }
    }
    const map = new Growing(new Values(Todo));
    cache.write(map, { x: { id: '1' } });
    cache.write(map, { y: { id: '2' } });

    expect(seen).toContainEqual([{ x: '1' }, { y: '2' }]);
    const read = cache.read(map) ?? {};
    expect(Object.entries(read).map(([name, todo]) => [name, todo.id])).toEqual([
      ['x', '1'],
      ['y', '2'],
      ['last', '2'],
    ]);
  });

  test('C-14 assign creates members and stores them under their keys', () => {
    const cache = new Cache();
    const map = new schema.Collection(new schema.Values(Todo));
    cache.write(map, { x: { id: '1' } });

    cache.write(map.assign, { x: { id: '3' }, y: { id: '2', title: 'new' } });

    const read = cache.read(map) ?? {};
    expect(Object.entries(read).map(([name, todo]) => [name, todo.id])).toEqual([
      ['x', '3'],
      ['y', '2'],
    ]);
  });
});

test('C-15 no creation enters a plain list, only Collections', () => {
  const cache = new Cache();
  const list = new schema.Collection([Todo]);
  cache.write([Todo], [{ id: '1' }]);
  cache.write(list, []);

  cache.write(list.push, { id: '2' });

  expect(ids(cache.read(list))).toEqual(['2']);
});

test('C-15 a plain list has no extenders, in its type and at run time', () => {
  const plain = new RestEndpoint({ path: '/todos', schema: [Todo] });
  for (const name of ['push', 'unshift', 'assign', 'move', 'remove'] as const)
    expect(() => plain[name]).toThrow('COLLECTION_MISSING');
  // @ts-expect-error -- a plain list takes no creation
  const create = (): unknown => plain.push({ title: 'x' });
  expect(create).toThrow('COLLECTION_MISSING');
});

describe('C-9 to C-11 the lifecycle', () => {
  const older = { fetchedAt: 1, date: 2, expiresAt: 3 };
  const newer = { fetchedAt: 2, date: 3, expiresAt: 4 };

  test('C-9 shouldReorder is true when the incoming value was fetched before the existing one', () => {
    const list = new schema.Collection([Todo]);

    expect(list.shouldReorder(newer, older, [], [])).toBe(true);
    expect(list.shouldReorder(older, newer, [], [])).toBe(false);
    expect(Collection.shouldReorder(older, older, [], [])).toBe(false);
  });

  test('C-9 metas have the numbers date and fetchedAt; true swaps the arguments of merge so that existing wins', () => {
    const cache = new Cache();
    const metas: unknown[] = [];
    class Stubborn extends Collection<[typeof Todo]> {
      static override shouldReorder(
        ...[existing, incoming]: Parameters<typeof Collection.shouldReorder>
      ): boolean {
        metas.push(existing, incoming);
        return true;
      }
    }
    const list = new Stubborn([Todo]);
    cache.write(list, [{ id: '1' }]);
    cache.write(list, [{ id: '2' }]);

    expect(ids(cache.read(list))).toEqual(['1']);
    expect(metas).toHaveLength(2);
    for (const meta of metas) {
      expect(meta).toMatchObject({
        date: expect.any(Number) as number,
        fetchedAt: expect.any(Number) as number,
      });
    }
  });

  test('C-10 merge returns incoming: a list that is written again has the members of the second payload', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '1' }, { id: '2' }]);
    cache.write(list, [{ id: '3' }, { id: '1' }]);

    expect(ids(cache.read(list))).toEqual(['3', '1']);
    expect(list.merge(['a'], ['b'])).toEqual(['b']);
    expect(Collection.merge(['a'], ['b'])).toEqual(['b']);
  });

  test('C-10 a custom merge decides the members', () => {
    const cache = new Cache();
    class Growing extends Collection<[typeof Todo]> {
      static override merge(existing: unknown, incoming: unknown): unknown {
        return [...(existing as string[]), ...(incoming as string[])];
      }
    }
    const list = new Growing([Todo]);
    cache.write(list, [{ id: '1' }]);
    cache.write(list, [{ id: '2' }]);

    expect(ids(cache.read(list))).toEqual(['1', '2']);
  });

  test('C-11 mergeWithStore is called when the list is already in the store', () => {
    const cache = new Cache();
    const called = vi.fn<(existing: unknown, incoming: unknown) => void>();
    class Watched extends Collection<[typeof Todo]> {
      override mergeWithStore(...args: Parameters<Collection<[typeof Todo]>['mergeWithStore']>): unknown {
        called(args[2], args[3]);
        return super.mergeWithStore(...args);
      }
    }
    const list = new Watched([Todo]);

    cache.write(list, [{ id: '1' }]);
    expect(called).not.toHaveBeenCalled();

    cache.write(list, [{ id: '2' }]);
    expect(called).toHaveBeenCalledExactlyOnceWith(['1'], ['2']);
    expect(ids(cache.read(list))).toEqual(['2']);
  });
});

describe('C-12 pk', () => {
  const pk = (
    list: Collection<[typeof Todo], never, never>,
    parent: unknown,
    args: readonly unknown[],
  ): string => list.pk([], parent, 'todos', args);
  const argsKey = (params: { userId: unknown }): object => ({ a: params.userId });
  const nestKey = (parent: { id: unknown }): object => ({ n: parent.id });
  const parent = { id: 7 };
  const args = [{ userId: 1 }];

  test('C-12 the key comes from argsKey when it is specified, nested or not', () => {
    const list = new schema.Collection([Todo], { argsKey });

    expect(pk(list as never, parent, args)).toBe('{"a":"1"}');
    expect(pk(list as never, undefined, args)).toBe('{"a":"1"}');
  });

  test('C-12 otherwise the key comes from nestKey, and without a parent it is a copy of the first argument', () => {
    const list = new schema.Collection([Todo], { nestKey });

    expect(pk(list as never, parent, args)).toBe('{"n":"7"}');
    expect(pk(list as never, undefined, args)).toBe('{"userId":"1"}');
  });

  test('C-12 with both specified, argsKey is used at the top and nestKey in a parent', () => {
    const list = new schema.Collection([Todo], { argsKey, nestKey });

    expect(pk(list as never, parent, args)).toBe('{"n":"7"}');
    expect(pk(list as never, undefined, args)).toBe('{"a":"1"}');
  });

  test('C-12 every property of the key is a string, undefined left out, in the order of the object', () => {
    const list = new schema.Collection([Todo]);
    const given = Object.freeze({
      z: 1,
      b: true,
      a: 'text',
      none: undefined,
      n: null,
      deep: [1, { y: 2, x: 1 }],
    });

    expect(pk(list as never, undefined, [given])).toBe(
      '{"z":"1","b":"true","a":"text","n":"null","deep":"[1,{\\"x\\":1,\\"y\\":2}]"}',
    );
  });

  test('C-12 the object of the user is not changed', () => {
    const key = { userId: 1, at: { deep: 2 } };
    const cache = new Cache();
    const list = new schema.Collection([Todo], { argsKey: () => key });
    cache.write(list, [], [{}]);

    expect(key).toEqual({ userId: 1, at: { deep: 2 } });
  });

  test('C-12 two property orders of one key give one list', () => {
    const cache = new Cache();
    const list = new schema.Collection([Todo]);
    cache.write(list, [{ id: '1' }], [{ a: 1, b: { c: 1, d: 2 } }]);

    expect(ids(cache.read(list, [{ b: { d: 2, c: 1 }, a: '1' }]))).toEqual(['1']);
  });
});

describe('C-13 overrides', () => {
  const newest = (existing: unknown, incoming: unknown): unknown => [
    ...(incoming as string[]),
    ...(existing as string[]),
  ];

  test('C-13 methods of a Collection can be overridden as static methods', () => {
    const cache = new Cache();
    class Mine extends Collection<[typeof Todo]> {
      static override pk(): string {
        return '{"only":"one"}';
      }
      static override merge(existing: unknown, incoming: unknown): unknown {
        return newest(existing, incoming);
      }
    }
    const list = new Mine([Todo]);
    cache.write(list, [{ id: '1' }], [{ a: 1 }]);
    cache.write(list, [{ id: '2' }], [{ a: 2 }]);

    expect(ids(cache.read(list, [{ a: 3 }]))).toEqual(['2', '1']);
  });

  test('C-13 methods of a Collection can be overridden as instance methods', () => {
    const cache = new Cache();
    class Mine extends Collection<[typeof Todo]> {
      override pk(): string {
        return '{"only":"one"}';
      }
      override merge(existing: unknown, incoming: unknown): unknown {
        return newest(existing, incoming);
      }
    }
    const list = new Mine([Todo]);
    cache.write(list, [{ id: '1' }], [{ a: 1 }]);
    cache.write(list, [{ id: '2' }], [{ a: 2 }]);

    expect(ids(cache.read(list, [{ a: 3 }]))).toEqual(['2', '1']);
  });

  test.each(['static', 'instance'])(
    'C-13 shouldReorder and mergeWithStore can be overridden as %s methods',
    (form) => {
      class Static extends Collection<[typeof Todo]> {
        static override shouldReorder(): boolean {
          return true;
        }
        static override mergeWithStore(
          this: unknown,
          ...args: Parameters<Collection<[typeof Todo]>['mergeWithStore']>
        ): unknown {
          return Collection.mergeWithStore.call(this as never, ...args);
        }
      }
      class Instance extends Collection<[typeof Todo]> {
        override shouldReorder(): boolean {
          return true;
        }
        override mergeWithStore(...args: Parameters<Collection<[typeof Todo]>['mergeWithStore']>): unknown {
          return super.mergeWithStore(...args);
        }
      }
      const cache = new Cache();
      const list = new (form === 'static' ? Static : Instance)([Todo]);
      cache.write(list, [{ id: '1' }]);
      cache.write(list, [{ id: '2' }]);

      expect(ids(cache.read(list))).toEqual(['1']);
    },
  );
});
