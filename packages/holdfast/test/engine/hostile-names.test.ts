// Any string is a legal name: every name on the built-in prototypes and a few worse ones, in each of nine positions.
import { Cache, Entity, RestEndpoint, schema } from 'holdfast';
import { describe, expect, test } from 'vitest';

const builtIns = [Object.prototype, Function.prototype, Array.prototype].flatMap((one) =>
  Object.getOwnPropertyNames(one),
);
const names = [
  ...new Set([
    ...builtIns,
    '',
    '__proto__',
    'prototype',
    'constructor.prototype',
    'x'.repeat(10_000),
    '\uD800',
    'a\u0000b',
    '\u202Eabc',
    ' ',
    '.',
    '0',
    'undefined',
    'null',
    'NaN',
    'local:1',
    '{}',
    '["a"]',
  ]),
];
/** An object with one own property of any name. */
const object = (name: string, value: unknown, rest: object = {}): Record<string, unknown> =>
  Object.fromEntries([...Object.entries(rest), [name, value]]);

class Item extends Entity {
  static override key = 'Item';
  static override indexes = ['label'] as const;
  id = '';
  label = '';
}

/** Lone surrogates become U+FFFD, as in every URL. */
const wellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

const shorten = (name: string): string => JSON.stringify(name.length > 20 ? `${name.slice(0, 8)}…` : name);

describe.each(names.map((name) => [shorten(name), name]))('the string %s', (_title, name) => {
  test('works as a primary key', () => {
    const cache = new Cache();
    if (name === '') {
      expect(() => cache.write(Item, { id: name })).toThrow('ENTITY_WITHOUT_PK');
      return;
    }
    expect(cache.read(Item, [name])).toBeUndefined();
    cache.write(
      [Item],
      [
        { id: name, label: 'own' },
        { id: 'other', label: 'other' },
      ],
    );

    expect(cache.read(Item, [name])?.label).toBe('own');
    expect(cache.read(Item, [{ id: name }])?.id).toBe(name);
    expect(cache.read(Item, ['other'])?.label).toBe('other');
    cache.write(new schema.Invalidate(Item), name);
    expect(cache.read(Item, [name])).toBeUndefined();
  });

  test('works as the key of an entity type', () => {
    class Named extends Entity {
      static override key = name;
      id = '';
      own = '';
    }
    const cache = new Cache();
    cache.write(new schema.Collection([Named]), [{ id: '1', own: 'yes' }]);

    expect(cache.read(Named, ['1'])?.own).toBe('yes');
    expect(cache.read(new schema.All(Named))).toHaveLength(1);
    expect(cache.read(Item, ['1'])).toBeUndefined();
  });

  test('works as a field, plain and with a schema', () => {
    class Holder extends Entity {
      static override key = 'Holder';
      id = '';
      static override schema = object(name, Item);
    }
    const cache = new Cache();
    if (name === 'id') return;
    cache.write(Item, object(name, 'own', { id: '1' }));
    cache.write(Holder, object(name, { id: '2', label: 'nested' }, { id: 'h' }));

    const item = cache.read(Item, ['1']);
    expect(Object.getPrototypeOf(item)).toBe(Item.prototype);
    expect(Object.getOwnPropertyDescriptor(item, name)?.value).toBe('own');
    const holder = cache.read(Holder, ['h']);
    expect(Object.getPrototypeOf(holder)).toBe(Holder.prototype);
    expect(Object.getOwnPropertyDescriptor(holder, name)?.value).toBe(cache.read(Item, ['2']));
    expect(Object.hasOwn(cache.read(Item, ['2']) ?? {}, name)).toBe(
      name in Item.fromJS() && Object.hasOwn(Item.fromJS(), name),
    );
  });

  test('works as the value of an index', () => {
    const cache = new Cache();
    expect(cache.read(Item, [{ label: name }])).toBeUndefined();
    cache.write(
      [Item],
      [
        { id: '1', label: name },
        { id: '2', label: 'other' },
      ],
    );

    expect(cache.read(Item, [{ label: name }])?.id).toBe('1');
  });

  test('works as a key of Values, alone and in a Collection', () => {
    class Holder extends Entity {
      static override key = 'Holder';
      id = '';
      map: Record<string, Item> = {};
      static override schema = { map: new schema.Values(Item) };
    }
    const cache = new Cache();
    const map = new schema.Collection(new schema.Values(Item));
    cache.write(Holder, { id: 'h', map: object(name, { id: '1' }) });
    cache.write(map, {});
    cache.write(map.assign, object(name, { id: '1' }));

    for (const read of [cache.read(Holder, ['h'])?.map, cache.read(map)]) {
      expect(Object.keys(read ?? {})).toEqual([name]);
      expect(Object.getOwnPropertyDescriptor(read, name)?.value).toBe(cache.read(Item, ['1']));
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    }
  });

  test('works as the tag of a union', () => {
    class Tagged extends Entity {
      static override key = 'Tagged';
      id = '';
      kind = '';
    }
    const cache = new Cache();
    const list = new schema.Collection([new schema.Union(object(name, Tagged), 'kind' as never)]); // cast: not declared
    const bare = new schema.Collection([new schema.Union({ known: Tagged }, 'kind')]);
    cache.write(list, [{ id: '1', kind: name }]);

    expect((cache.read(list) as Tagged[] | undefined)?.[0]).toBeInstanceOf(Tagged); // cast: of the mapping
    cache.write(bare, [{ id: '2', kind: name }]);
    expect(cache.read(bare)?.[0]).toEqual({ id: '2', kind: name });
    expect(cache.read(Tagged, ['2'])).toBeUndefined();
  });

  test('works as an argument of a Collection, name and value', () => {
    const cache = new Cache();
    const list = new schema.Collection([Item]);
    const key = object(name, name);
    const isFilter = !name.startsWith('order');
    cache.write(list, [], [key]);
    cache.write(list, [], [object(name, 'other value')]);
    cache.write(list.push, { id: '1' }, [key]);

    expect(cache.read(list, [key])).toHaveLength(1);
    expect(cache.read(list, [object(name, 'other value')])).toHaveLength(isFilter ? 0 : 1);
    expect(cache.read(list, [{}])).toBeUndefined();
    expect(JSON.parse(list.pk([], undefined, '', [key]))).toEqual(JSON.parse(JSON.stringify(key)));
  });

  test('works as a path parameter and as a query name', () => {
    const get = new RestEndpoint({ path: '/items/:id', schema: Item });
    const url = (params: Record<string, unknown>): URL =>
      new URL((get.url as (given: object) => string)(params), 'https://a.example'); // cast: any query name
    if (name === '' || name === '.' || name.includes('\u0000')) {
      expect(() => url({ id: name })).toThrow('PATH_PARAM_INVALID');
    } else {
      const { pathname, origin } = url({ id: name });
      expect(origin).toBe('https://a.example');
      expect(pathname.split('/')).toHaveLength(3);
      expect(decodeURIComponent(pathname.split('/')[2]!)).toBe(wellFormed(name)); // three parts, above
    }
    if (name === 'id') return;
    expect(url(object(name, 'v', { id: '1' })).searchParams.get(wellFormed(name))).toBe('v');
  });
});

test('changes no built-in prototype', () => {
  expect({}).not.toHaveProperty('own');
  expect(Object.keys(Object.prototype)).toEqual([]);
});
