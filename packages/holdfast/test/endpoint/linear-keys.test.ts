// Comparing a key with those of a path costs time that is linear in its length, whatever the path allows.
import { RestEndpoint, testKey } from 'holdfast';
import { expect, test } from 'vitest';
import { countOperations } from '../support/operations.ts';

test.each([
  ['/posts/:year-:month-:day', 'posts/', '1-'],
  ['/posts/:year{-:month}{-:day}', 'posts/', '1-'],
  ['/c/:a...:b', 'c/', '.'],
  ['/f{/:a}{/:b}{/:c}/z', 'f/', 'x/'],
  ['/f/*a-*b-*c', 'f/', '1-'],
  ['/f/*a/x/*b/:c', 'f/', 'x/'],
  ['/a?q=:q-:r-:s', 'a?q=', '1-'],
])(
  'a key four times as long is distinguished from those of %s at five times the cost at most',
  async (path, start, repeated) => {
    const endpoint = new RestEndpoint({ path });
    const cost = (length: number): Promise<number> =>
      countOperations(async () => {
        expect(testKey(endpoint, `GET /${start}${repeated.repeat(length)} other`)).toBe(false);
      });
    await cost(1); // one-time work

    const few = await cost(500);
    const many = await cost(2_000);

    expect(few).toBeGreaterThan(500);
    expect(many / few).toBeLessThanOrEqual(5);
  },
);
