import { Collection, Controller, createResource, Entity, RestEndpoint, schema, testKey } from 'holdfast';
import type { HoldfastError, RestOptions } from 'holdfast';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyTest } from '../../src/support/key-pattern.ts';
import type { PatternPart } from '../../src/support/key-pattern.ts';
import { createRandom } from '../simulation/random.ts';

class Thing extends Entity {
  static override key = 'Thing';
  id = '';
}
class Other extends Entity {
  static override key = 'Other';
  id = '';
}

describe('keys', () => {
  test('are the method and the URL', () => {
    expect(new RestEndpoint({ urlPrefix: 'https://x.com/api', path: '/u' }).key()).toBe(
      'GET https://x.com/api/u',
    );
    expect(new RestEndpoint({ path: '/u/:id', method: 'PUT' }).key({ id: 5 })).toBe('PUT /u/5');
  });

  test('equal arguments in any order make one key', () => {
    const list = new RestEndpoint({ path: '/u', searchParams: {} as Record<string, unknown> });
    expect(list.key({ a: 1, b: { c: 2, d: 3 } })).toBe(list.key({ b: { d: 3, c: 2 }, a: 1 }));
    expect(list.key({ a: undefined })).toBe(list.key({}));
  });

  test('the key of a read contains its body, that of a mutation does not', () => {
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as Record<string, unknown>,
    });
    expect(search.key({ q: 'a', page: 1 })).toBe(search.key({ page: 1, q: 'a' }));
    expect(search.key({ q: 'a' })).not.toBe(search.key({ q: 'b' }));
    expect(search.key({ n: null })).not.toBe(search.key({ n: Number.NaN }));
    const create = search.extend({ sideEffect: true });
    expect(create.key({ q: 'a' })).toBe(create.key({ q: 'b' }));
  });

  test('two schemas on one URL have two keys, the same schema has one', () => {
    const shapes = [
      undefined,
      Thing,
      Other,
      [Thing],
      { thing: Thing },
      { other: Thing },
      { thing: Thing, total: 0 },
      new Collection([Thing]),
      { results: new Collection([Thing]) },
      new schema.Union({ a: Thing, b: Other }, 'id'),
      new schema.Union({ c: Thing, d: Other }, 'id'),
      new schema.Values(Thing),
      new schema.Array(Thing),
      new schema.All(Thing),
      new schema.Invalidate(Thing),
      new schema.Lazy(Thing),
      new schema.Query(new schema.All(Thing), (all) => all.length),
      new schema.Array({ a: Thing, b: Other }, 'id'),
      new schema.Values({ a: Thing, b: Other }, 'id'),
      new schema.Object({ a: Thing, b: Other }),
      new schema.Object({ c: Thing, d: Other }),
      new Collection(new schema.Values(Thing)),
    ].map((each) => new RestEndpoint({ path: '/u', schema: each }).key());
    expect(new Set(shapes).size).toBe(shapes.length);
    const again = new RestEndpoint({ path: '/u', schema: { thing: Thing, total: 0 } });
    expect(shapes).toContain(again.key());
  });

  test('an array and a map of the same entity on one URL do not share a slot', async () => {
    const answers: Record<string, unknown> = { list: [{ id: '1' }], map: { one: { id: '1' } } };
    let asked = 'list';
    const fetch = async (): Promise<Response> => Response.json(answers[asked]);
    const controller = new Controller({ fetch });
    const list = new RestEndpoint({ path: '/u', schema: new schema.Array(Thing) });
    const map = new RestEndpoint({ path: '/u', schema: new schema.Values(Thing) });

    await controller.fetch(list);
    expect(controller.getResponse(map).data).toBeUndefined();
    asked = 'map';
    await controller.fetch(map);
    expect(controller.getResponse(list).data).toEqual([expect.objectContaining({ id: '1' })]);
    expect(controller.getResponse(map).data).toEqual({
      one: expect.objectContaining({ id: '1' }) as unknown,
    });
  });

  test('the short way to a key gives what the long way gives', () => {
    // an override of any step takes the long way
    class Long<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
      override url(params?: Readonly<Record<string, unknown>>): string {
        return super.url(params);
      }
    }
    const outcome = (make: () => string): string => {
      try {
        return make();
      } catch (error) {
        return (error as HoldfastError).code;
      }
    };
    const value = fc.oneof(
      fc.constantFrom(
        '',
        '.',
        '..',
        '%2e',
        'a',
        '5',
        'a b',
        'ä',
        '\uD800',
        null,
        undefined,
        true,
        -0,
        NaN,
        Infinity,
      ),
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.bigInt(),
      fc.object(),
    );
    const params = fc.dictionary(fc.constantFrom('id', 'other', '__proto__', 'constructor'), value);
    const path = fc.constantFrom(
      '/things/:id',
      '/things/:id/parts',
      '/:id',
      '/a/:id?',
      '/a/:other/:id',
      '/:id.json',
      '/a{/:id}',
      '/a?q=:id',
      '/a\\:b/:id',
    );
    fc.assert(
      fc.property(path, params, (template, given) => {
        const options = { urlPrefix: 'https://api.example.com/', path: template as string, schema: Thing };
        const short = outcome(() => new RestEndpoint(options).key(given));
        expect(short).toBe(outcome(() => new Long(options).key(given)));
      }),
      { numRuns: 1000 },
    );
    const inherited = Object.create({ page: 2 }, { id: { value: '1', enumerable: true } }) as { id: string };
    expect(new RestEndpoint({ path: '/things/:id' }).key(inherited)).toBe('GET /things/1');
  });

  test('reads with different bytes in the body have different keys, and reads with the same bytes the same key', () => {
    const search = new RestEndpoint({ path: '/search', method: 'QUERY', body: {} as unknown as BodyInit });
    const bytes = new Uint8Array([1, 2, 3]);
    const forms = (end: number): BodyInit[] => [
      bytes.slice(0, end),
      bytes.slice(0, end).buffer,
      new DataView(bytes.buffer, 0, end),
    ];
    expect(new Set(forms(3).map((body) => search.key(body)))).toEqual(new Set([search.key(bytes)]));
    expect(new Set(forms(2).map((body) => search.key(body)))).toEqual(new Set([search.key(forms(2)[0]!)]));
    expect(search.key(bytes.buffer)).not.toBe(search.key(forms(2)[1]!));
  });

  test('a key may contain any string without throwing', () => {
    const get = new RestEndpoint({ path: '/u/:id', schema: Thing });
    expect(get.key({ id: '\uD800' })).toBe('GET /u/%EF%BF%BD Thing');
  });
});

describe('testKey', () => {
  test('is exact: no prefix, no other case, no trailing slash', () => {
    const get = new RestEndpoint({ path: '/users/:id' });
    const tried = [
      'GET /users/5',
      'GET /users/5?x=1',
      'GET /Users/5',
      'GET /users/5/',
      'GET /users/5/posts',
      'POST /users/5',
      'GET /users/',
    ];
    expect(tried.filter((key) => testKey(get, key))).toEqual(['GET /users/5', 'GET /users/5?x=1']);
  });

  test('recognizes the prefix, the query part of a path, bodies and shapes', () => {
    const prefixed = new RestEndpoint({ urlPrefix: 'https://x.com/', path: '/u/:id', schema: Thing });
    expect(testKey(prefixed, prefixed.key({ id: 1 }))).toBe(true);
    expect(testKey(prefixed, 'GET https://y.com/u/1 Thing')).toBe(false);
    expect(testKey(prefixed, 'GET https://x.com/u/1 Other')).toBe(false);
    expect(testKey(prefixed, 'GET https://x.com/u/1')).toBe(false);
    const queried = new RestEndpoint({ path: '/s?q=:q', searchParams: {} as { page?: number } });
    expect(testKey(queried, queried.key({ q: 'x', page: 2 }))).toBe(true);
    const search = new RestEndpoint({ path: '/s', method: 'POST', sideEffect: false, schema: [Thing] });
    expect(testKey(search, search.key({ q: 'a b c' }))).toBe(true);
  });

  test('does not recognize keys of other members of the resource', () => {
    const { get, getList, update } = createResource({ path: '/things/:id', schema: Thing });
    expect(testKey(get, getList.key())).toBe(false);
    expect(testKey(getList, get.key({ id: 1 }))).toBe(false);
    expect(testKey(get, update.key({ id: 1 }, {}))).toBe(false);
    expect(testKey(getList, getList.key({ a: 1 }))).toBe(true);
  });

  test('recognizes every key that the endpoint makes', () => {
    const endpoints = [
      new RestEndpoint({ path: '/a/:x', searchParams: {} as Record<string, unknown>, schema: Thing }),
      new RestEndpoint({
        urlPrefix: 'https://x.com',
        path: '/a/:x?/b',
        searchParams: {} as Record<string, unknown>,
      }),
      new RestEndpoint({ path: '/s?q=:x', searchParams: {} as Record<string, unknown>, schema: [Thing] }),
    ];
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(fc.nat(2), text, fc.dictionary(fc.string(), text), (index, x, rest) => {
        const endpoint = endpoints[index] as (typeof endpoints)[0];
        let key: string;
        try {
          key = endpoint.key({ ...rest, x } as never);
        } catch (error) {
          return (error as { code?: string }).code === 'PATH_PARAM_INVALID';
        }
        return (
          testKey(endpoint, key) && !endpoints.some((other) => other !== endpoint && testKey(other, key))
        );
      }),
      { numRuns: 2000 },
    );
  });
});

test('recognizes keys as a regular expression would', () => {
  const sets = ['[^/?\\s]+', '[^?\\s]+', '\\S+', '[^]+'];
  const expressionOf = (part: PatternPart): string => {
    if (typeof part === 'string') return part;
    return typeof part === 'number' ? sets[part]! : `(?:${part.map(expressionOf).join('')})?`; // drawn below
  };
  const random = createRandom(7);
  const draw = (choices: readonly string[], most: number) =>
    Array.from({ length: 1 + Math.floor(random.next() * most) }, () => random.pick(choices)).join('');
  let matched = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const literal = () => draw(['a', '-', '/'], 2);
    const plain = (): PatternPart => (random.chance(0.5) ? literal() : random.pick([0, 1, 2, 3]));
    const group = (): PatternPart => [plain(), random.chance(0.5) ? [plain()] : plain()];
    const parts = Array.from({ length: 4 }, () => (random.chance(0.3) ? group() : plain()));
    const key = draw(['a', '-', '/', ' '], 7);
    const expression = parts.map(expressionOf).join('');

    const isKey = new RegExp(`^${expression}$`).test(key);
    if (isKey) matched += 1;
    if (keyTest(parts)(key) !== isKey) expect.fail(`${expression} and ${JSON.stringify(key)}: ${!isKey}`);
  }
  expect(matched).toBeGreaterThan(1_000);
});
