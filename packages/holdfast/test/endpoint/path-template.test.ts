import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillTemplate, parsePath } from '../../src/endpoint/path-template.ts';
import { RestEndpoint } from '../../src/endpoint/rest-endpoint.ts';
import { testKey } from '../../src/endpoint/test-key.ts';

function build(path: string, params: Record<string, unknown> = {}): string {
  const [start = '', ...pieces] = fillTemplate(parsePath(path), params);
  const query = pieces.filter(Boolean).join('&');
  return start + (query && `?${query}`);
}

const matches = (path: string, url: string): boolean => testKey(new RestEndpoint({ path }), `GET ${url}`);
const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
};

describe('filling', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['/u/:id', { id: 'a/b c' }, '/u/a%2Fb%20c'],
    ['/u/:id', { id: 0 }, '/u/0'],
    ['/u/:id', { id: false }, '/u/false'],
    ['/u/:id', { id: 12n }, '/u/12'],
    ['/u/:id', { id: 1e21 }, '/u/1e%2B21'],
    ['/u{/:id}', {}, '/u'],
    ['/u{/:id}', { id: 5 }, '/u/5'],
    ['/a/:b?', {}, '/a'],
    ['/a/:b?', { b: 'x' }, '/a/x'],
    ['/a/:b?/c', {}, '/a/c'],
    ['/file.:ext?', {}, '/file'],
    ['/f/*path', { path: ['a', 'b c'] }, '/f/a/b%20c'],
    ['{/:a}{-:b}', { b: 1 }, '-1'],
    ['/:a{/:b{/:c}}', { a: 1, b: 2 }, '/1/2'],
    ['/:a-:b', { a: 1, b: 2 }, '/1-2'],
    [String.raw`/x\:y/:id`, { id: 1 }, '/x:y/1'],
    ['/:"my-name"', { 'my-name': 3 }, '/3'],
    ['https://host:8080/u/:id', { id: 1 }, 'https://host:8080/u/1'],
    [String.raw`/s\?q=:q`, { q: 'a&b=c' }, '/s?q=a%26b%3Dc'],
    ['/s?q=:q?&page=:page', { page: 2 }, '/s?page=2'],
    ['/s?q=:q?', {}, '/s'],
    ['/s?fixed=1&q=:q', { q: 'x' }, '/s?fixed=1&q=x'],
    ['/a b/:id', { id: 1 }, '/a%20b/1'],
    ['/größe/\u{1F600}/:id', { id: 1 }, '/gr%C3%B6%C3%9Fe/%F0%9F%98%80/1'],
    ['/:constructor', { constructor: 'c' }, '/c'],
    ['/:größe/:名前-:$x_1', { größe: 1, 名前: 2, $x_1: 3 }, '/1/2-3'],
  ])('%s with %o gives %s', (path, params, url) => {
    expect(build(path, params)).toBe(url);
  });

  test('a lone surrogate is replaced instead of throwing', () => {
    expect(build('/u/:id', { id: '\uD800' })).toBe('/u/%EF%BF%BD');
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['an empty string', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['an encoded dot', '%2e'],
    ['a half encoded pair of dots', '.%2E'],
    ['an object', {}],
    ['an array', []],
    ['a line break', 'a\nb'],
    ['NUL', '\0'],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
  ])('%s is refused as a parameter', (_, value) => {
    expect(codeOf(() => build('/u/:id', { id: value }))).toBe('PATH_PARAM_INVALID');
    expect(codeOf(() => build('/u/:id?', { id: value }))).toBe('PATH_PARAM_INVALID');
  });

  test.each([[[]], 'a/b', [['..']], [['a', '']], [['a', null]]])('%j is refused as a wildcard', (value) => {
    expect(codeOf(() => build('/f/*path', { path: value }))).toBe('PATH_PARAM_INVALID');
    expect(() => build('/f/*path', { path: value })).toThrow(/\*path in \/f\/\*path\. Pass an array/);
  });

  test('the error about a missing parameter names it', () => {
    expect(() => build('/u/:id', {})).toThrow(/PATH_PARAM_MISSING.*id/);
    expect(() => build('/u/:id', { id: undefined })).toThrow(/PATH_PARAM_MISSING/);
  });

  test('inherited properties are no parameters', () => {
    expect(codeOf(() => build('/u/:toString', {}))).toBe('PATH_PARAM_MISSING');
    expect(build('/u{/:toString}', {})).toBe('/u');
  });

  test.each([
    '/a/../b',
    './x',
    '/a/.',
    'https://:host/x',
    '//:host/x',
    'https://x.com:8{:a}',
    '/a{',
    '/a}',
    '/a{?q=:q}',
    '/s?x={:q}',
  ])('the template %s is refused', (path) => {
    expect(codeOf(() => parsePath(path))).toBe('PATH_INVALID');
  });

  test('an omitted group cannot change the host or the folder', () => {
    expect(codeOf(() => build('/{:a}/evil.com'))).toBe('PATH_INVALID');
    expect(codeOf(() => build('/x/..{:a}'))).toBe('PATH_INVALID');
  });
});

describe('the list path', () => {
  test.each([
    ['/:id', '/'],
    ['/users/:id', '/users'],
    ['/a/:b?', '/a'],
    ['/a/:b/c/:d', '/a/:b/c'],
    ['/a{/:b}', '/a'],
    ['/a{/:b}{-:c}', '/a{/:b}'],
    ['/a{/x/:b/y/:c}', '/a'],
    ['/f/*path', '/f'],
    [':id', '/'],
    ['/files/:name.:ext', '/files/:name'],
    ['/users/:id/settings', '/users'],
    [String.raw`/x\:y/:id`, String.raw`/x\:y`],
    [String.raw`/u/:id\?full=:full`, '/u/:id'],
    ['/s?a=:a&b=:b', '/s?a=:a'],
    ['https://host:8080/:id', 'https://host:8080'],
    ['/:"my-name"', '/'],
    ['/settings', '/settings'],
    ['/products/:id/', '/products/'],
    ['/shops/:shop/products/:id/', '/shops/:shop/products/'],
    ['/a{/:b}/', '/a/'],
    ['/:id/', '/'],
    ['/settings/', '/settings/'],
  ])('the list path of %s is %s', (path, list) => {
    expect(parsePath(path).listPath).toBe(list);
  });
});

describe('matching', () => {
  test.each([
    ['/users/:id', '/users/5', true],
    ['/users/:id', '/users/5?x=1', true],
    ['/users/:id', '/users/5/posts', false],
    ['/users/:id', '/users/', false],
    ['/users/:id', '/Users/5', false],
    ['/users/:id', '/users/5/', false],
    ['/u{/:id}', '/u', true],
    ['/u{/:id}', '/u/1', true],
    ['/u{/:id}', '/u/1/2', false],
    ['/f/*path', '/f/a/b', true],
    ['/f/*path', '/f/', false],
    ['/:a-:b-:c', '/1-2-3', true],
    ['/:a-:b-:c', '/1-2', false],
    ['/größe/:id', '/gr%C3%B6%C3%9Fe/1', true],
    ['/s?q=:q', '/s?q=1', true],
    ['/s?q=:q', '/s?q=1&x=2', true],
    ['/s?q=:q', '/s?x=1', false],
    ['/s?q=:q?&r=1', '/s?r=1', true],
    ['/s?q=:q?&r=1', '/s', false],
  ])('the template %s and the path %s give %s', (path, url, expected) => {
    expect(matches(path, url)).toBe(expected);
  });

  test('a megabyte is matched against any template within the time limit: a quadratic match would take days', () => {
    const templates = [
      '/:a-:b-:c-:d',
      '{a}{a}{a}{a}{a}{a}{a}{a}/:x',
      '/*a-*b-*c',
      '/:a{-:b}{-:c}{-:d}',
      '/s?q=:q-:r',
    ];
    const texts = ['/' + 'a'.repeat(1e6), '/' + '-'.repeat(1e6), 'a'.repeat(1e6), `/s?q=${'-a'.repeat(5e5)}`];
    for (const path of templates) {
      const match = (url: string): boolean => matches(path, url);
      for (const text of texts) expect(typeof match(text)).toBe('boolean');
    }
  });

  test('a filled path is recognized, stays in its segment and under the origin', () => {
    const paths = [
      '/u/:id',
      '/a/:b/c/:d',
      '/a/:b?/c',
      '/:a-:b',
      '/f/*path',
      '/u{/:id}{-:b}',
      '/s?q=:q&x=:x?',
      '/:a.:b?',
    ];
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(
        '..',
        '.',
        '%2e%2e',
        '/',
        '//evil.com',
        '\\',
        '?x=1',
        '#',
        '@evil.com',
        'a/../..',
        '\uD800',
        '',
        null,
        {},
        undefined,
      ),
      fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
    );
    const numRuns = Number(process.env['FUZZ_RUNS'] ?? 5000);
    let filled = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.dictionary(fc.constantFrom('id', 'a', 'b', 'd', 'q', 'x', 'path'), value),
        (path, params) => {
          let url: string;
          try {
            url = build(path, params);
          } catch (error) {
            return (error as { code?: string }).code?.startsWith('PATH_');
          }
          filled++;
          const parsed = new URL(`https://api.example.com/v1${url}`);
          expect(parsed.origin).toBe('https://api.example.com');
          expect(parsed.pathname.startsWith('/v1')).toBe(true);
          expect(parsed.href).toBe(`https://api.example.com/v1${url}`);
          const wild = Array.isArray(params['path']) && path.includes('*') ? params['path'].length - 1 : 0;
          const segments = parsed.pathname.split('/').length - 2 - wild;
          const least = path.replace(/\{.*\}|\?.*|\/:\w+\?/g, '').split('/').length - 1;
          const most = path.split('?q')[0]?.split('/').length ?? 0;
          expect(segments).toBeGreaterThanOrEqual(Math.min(least, 1));
          expect(segments).toBeLessThanOrEqual(most - 1);
          return matches(path, url);
        },
      ),
      { numRuns },
    );
    expect(filled).toBeGreaterThan(numRuns / 10);
  });
});
