// `count` and `set`: it does not matter which of two changes is mine, and a change alone stays as it is.
import { count, set } from 'holdfast/http';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const items = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
const sorted = (values: readonly unknown[]): readonly unknown[] =>
  [...values].map(String).sort((left, right) => left.localeCompare(right));

test('C7: merging is symmetric, and one change alone is kept', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer(), (base, mine, theirs) => {
      expect(count(base, mine, theirs)).toBe(count(base, theirs, mine));
      expect(count(base, mine, base)).toBe(mine);
    }),
    { seed: 1 },
  );
  fc.assert(
    fc.property(items, items, items, (base, mine, theirs) => {
      const merged = set(base, mine, theirs);
      expect(sorted(merged)).toEqual(sorted(set(base, theirs, mine)));
      expect(sorted(set(base, mine, base))).toEqual(sorted(mine));
      for (const item of ['a', 'b', 'c', 'd', 'e'] as const) {
        const [was, left, right] = [base, mine, theirs].map((each) => each.includes(item));
        expect(merged.includes(item)).toBe(was ? left && right : left || right);
      }
    }),
    { seed: 1 },
  );
});

test('items are equal by content, and nothing else than numbers and arrays is joined', () => {
  expect(set([{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }])).toEqual([{ id: 1 }, { id: 2 }]);
  expect(set(undefined, ['a'], ['b'])).toEqual(['b', 'a']);
  expect(count(undefined, 1, 2)).toBe(3);
  expect(() => count(1, '2', 3)).toThrow('MERGE_INVALID');
  expect(() => set([], 'a', [])).toThrow('MERGE_INVALID');
});
