// Law C2: how long a response is fresh. Computed three times: by the library, by a table of RFC 9111 that shares no code with it,
// and by `http-cache-semantics`, which interprets some headers differently and uses less of the age of a response.
import fc from 'fast-check';
import CachePolicy from 'http-cache-semantics';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readExpiry } from '../../src/addons/http/expiry-headers.ts';
import { readHttpDateMs } from '../../src/support/header-values.ts';
import { createSaid, meaningOf } from '../simulation/http-headers.ts';
import { createRandom } from '../simulation/random.ts';

const NOW = Date.UTC(2024, 5, 1, 12);

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const at = { requestedAt: NOW, respondedAt: NOW };
const read = (headers: Record<string, string>, times = at) => readExpiry(new Headers(headers), times);

test('the library reads 5,000 random responses as the table of RFC 9111 does', () => {
  const random = createRandom(9_111);
  let stated = 0;
  for (let count = 0; count < 5_000; count += 1) {
    const said = createSaid(random, NOW);
    const found = readExpiry(new Headers(said.headers), said);

    expect(found, JSON.stringify(said)).toEqual(meaningOf(said));
    if (found?.freshForMs) stated += 1;
  }
  expect(stated).toBeGreaterThan(1_000);
});

// an empty one means "stale" to the library, as every other that cannot be read, and nothing to the other one
const seconds = fc.oneof(fc.nat({ max: 100_000 }).map(String), fc.constantFrom('abc', '-5', '1.5'));
const directive = fc.oneof(
  seconds.map((text) => `max-age=${text}`),
  fc.nat({ max: 500 }).map((count) => `max-age="${count}"`),
  fc.constantFrom(
    'private',
    'public',
    'no-store',
    'no-cache',
    'no-cache="a"',
    'must-revalidate',
    's-maxage=9',
  ),
);
const date = fc.integer({ min: -500, max: 500 }).map((off) => new Date(NOW + off * 1_000).toUTCString());
const headers = fc.record(
  {
    'cache-control': fc
      .uniqueArray(directive, { maxLength: 3, selector: (text) => text.split('=')[0] })
      .map((all) => all.join(', ')),
    expires: fc.oneof(date, fc.constantFrom('0', 'never')),
    age: fc.oneof(fc.nat({ max: 200 }).map(String), fc.constantFrom('x', '')),
    // the other library does not subtract the time between `Date` and the arrival
    date: fc.constant(new Date(NOW).toUTCString()),
    pragma: fc.constant('no-cache'),
    vary: fc.constantFrom('*', 'accept'),
  },
  { requiredKeys: [] },
);

test('the library agrees with `http-cache-semantics`', () => {
  fc.assert(
    fc.property(headers, (said) => {
      const request = { method: 'GET', url: '/', headers: {} };
      const policy = new CachePolicy(
        request,
        { status: 200, headers: said },
        { shared: false, cacheHeuristic: 0 },
      );
      // a fraction of a second is none
      const maxAge = policy.maxAge();

      const isDigits = !/max-age="?[^,"]*[^\d,"=]/.test(said['cache-control'] ?? '');
      fc.pre(isDigits || maxAge === 0);
      expect(read(said)?.freshForMs ?? 0).toBe(Math.max(0, maxAge - policy.age()) * 1_000);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  [{}, undefined],
  [{ 'cache-control': '' }, undefined],
  [{ 'cache-control': 'public' }, undefined],
  [{ 'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT' }, undefined],
  [{ 'cache-control': 'max-age=60' }, 60],
  [{ 'cache-control': 'Max-Age = 60' }, 60],
  [{ 'cache-control': 'max-age=60, max-age=30' }, 30],
  [{ 'cache-control': 'max-age=60, max-age=x' }, 0],
  [{ 'cache-control': 'extension="max-age=5, no-store", max-age=60' }, 60],
  [{ 'cache-control': 'max-age=1.5' }, 0],
  [{ 'cache-control': 'max-age=99999999999999999999' }, 2 ** 31],
  [{ 'cache-control': 'max-age=60', age: '45' }, 15],
  [{ 'cache-control': 'max-age=60', age: '90' }, 0],
  [{ 'cache-control': 'max-age=60', age: '-90' }, 60],
  [{ 'cache-control': 'max-age=60', date: new Date(NOW - 10_000).toUTCString() }, 50],
  [{ 'cache-control': 'max-age=60', date: new Date(NOW - 10_000).toUTCString(), age: '20' }, 40],
  [{ 'cache-control': 'max-age=60', date: new Date(NOW + 10_000).toUTCString() }, 60],
  [{ 'cache-control': 'max-age=60', expires: '0' }, 60],
  [{ 'cache-control': 'no-cache, max-age=60' }, 0],
  [{ expires: new Date(NOW + 30_000).toUTCString() }, 30],
  [{ expires: '0' }, 0],
  [{ pragma: 'no-cache' }, 0],
  [{ pragma: 'no-cache', 'cache-control': 'max-age=60' }, 60],
  [{ vary: '*', 'cache-control': 'max-age=60' }, 0],
])('%o is fresh for %s seconds', (said, left) => {
  expect(read(said)?.freshForMs).toBe(left === undefined ? undefined : left * 1_000);
});

test('the duration of an exchange counts, because the response may have waited on the way', () => {
  expect(
    read({ 'cache-control': 'max-age=60' }, { requestedAt: NOW - 5_000, respondedAt: NOW })?.freshForMs,
  ).toBe(55_000);
  // a clock that was set back meanwhile
  expect(
    read({ 'cache-control': 'max-age=60' }, { requestedAt: NOW + 5_000, respondedAt: NOW })?.freshForMs,
  ).toBe(60_000);
});

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 784_111_777_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 784_111_777_000],
  ['Sun Nov  6 08:49:37 1994', 784_111_777_000],
  ['1994-11-06T08:49:37Z', undefined],
  ['Sun, 06 Nov 1994 08:49:37', undefined],
  ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
  ['0', undefined],
  ['', undefined],
])('the date "%s" is read as %s', (text, ms) => {
  expect(readHttpDateMs(text)).toBe(ms);
});
