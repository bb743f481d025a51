// Views that are rebuilt from the children that changed: to which depth, and in which order of changes. The laws are in
// test/property; here are the edge cases that random tests do not reach.
import { Cache, Entity, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { kindOf } from '../../src/schema/kinds/kind-of.ts';
import { isSameGraph } from '../property/same-graph.ts';
import { createBench } from '../support/engine.ts';
import type { EngineBench } from '../support/engine.ts';
import { Mood, Tag } from '../support/moods.ts';

class Pal extends Entity {
  static override key = 'Pal';
  id = '';
  name = '';
  tag: Tag | undefined = undefined;
  must = Tag.fromJS();
  mood: Mood | undefined = undefined;
  friend: Pal | undefined = undefined;
  pals: Pal[] = [];
  static override schema: Record<string, unknown> = {};
}
Pal.schema = { tag: Tag, must: Tag, mood: Mood, friend: Pal, pals: [Pal] };

const gone = new schema.Invalidate(Tag);
const changes: readonly (readonly [what: string, kind: unknown, value: unknown])[] = [
  ['a tag changes', Tag, { id: 't', label: 'b' }],
  ['a hook throws', Mood, { id: 'm', state: 'throws' }],
  ['a tag changes under the error', Tag, { id: 't', label: 'c' }],
  ['a hook recovers', Mood, { id: 'm', state: 'well' }],
  ['a part cannot be shown', Mood, { id: 'm', state: 'absent' }],
  ['a part can be shown', Mood, { id: 'm', state: 'better' }],
  ['a part is deleted', gone, 't'],
  ['a part is back', Tag, { id: 't', label: 'd' }],
  ['a required part is deleted', gone, 'n'],
  ['another changes meanwhile', Tag, { id: 't', label: 'e' }],
  ['a required part is back', Tag, { id: 'n' }],
];

/** Reads the rows in turn, with memo and without, and returns those that differ. */
function findDifferent({ get, getFresh }: EngineBench, ids: readonly string[]): string[] {
  const outcome = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      return (error as Error).message; // cast: a hook's own
    }
  };
  return ids.filter((id) => {
    const [memo, fresh] = [get, getFresh].map((read) => outcome(() => read(Pal, id)));
    return !isSameGraph(memo, fresh);
  });
}

// patches recurse sixteen levels on the call stack, and use a loop from there on
test.each(
  [1, 2, 14, 15, 16, 17, 18, 19, 33, 40].flatMap((depth) =>
    [false, true].map((isRound) => ({ depth, isRound })),
  ),
)('rows $depth deep show a change in the innermost row; in a circle: $isRound', ({ depth, isRound }) => {
  for (const first of [0, Math.floor(depth / 2), depth - 1]) {
    const bench = createBench();
    let at = 0;
    const write = (kind: unknown, value: unknown): void => {
      at += 2;
      bench.write({ sent: at, settled: at + 1, schema: kind, value });
    };
    write([Tag], [{ id: 't', label: 'a' }, { id: 'n' }]);
    write(Mood, { id: 'm', state: 'well' });
    const rows = Array.from({ length: depth }, (_, index) => {
      const next = String((index + 1) % depth);
      const isLast = index === depth - 1;
      return {
        id: String(index),
        ...(isLast && { tag: 't', must: 'n', mood: 'm' }),
        ...((!isLast || isRound) && (index % 3 === 1 ? { pals: [next, next] } : { friend: next })),
      };
    });
    write([Pal], rows);
    const ids = [first, 0, depth - 1].map(String);
    expect(findDifferent(bench, ids), 'at the start').toEqual([]);
    for (const [what, kind, value] of changes) {
      write(kind, value);
      expect(findDifferent(bench, ids), what).toEqual([]);
    }
  }
});

// the nightly run has more
const depth = Number(process.env['HOLDFAST_DEPTH'] ?? 25_000);

test(`the outermost row of ${depth} nested rows shows that the innermost one changes, throws or is deleted`, () => {
  const cache = new Cache();
  const inner = { tag: { id: 't', label: 'a' }, mood: { id: 'm', state: 'well' } };
  cache.write(
    [Pal],
    Array.from({ length: depth }, (_, at) => ({
      id: String(at),
      ...(at + 1 < depth ? { friend: String(at + 1) } : inner),
    })),
  );
  const last = (): Pal | undefined => {
    let pal = cache.read(Pal, ['0']);
    while (pal?.friend) pal = pal.friend;
    return pal;
  };
  expect(last()?.tag?.label).toBe('a');
  cache.write(Tag, { id: 't', label: 'b' });
  expect(last()?.tag?.label).toBe('b');
  cache.write(Mood, { id: 'm', state: 'throws' });
  expect(last).toThrow('in a bad mood');
  cache.write(Mood, { id: 'm', state: 'well' });
  cache.write(gone, 't');
  expect(last()?.id).toBe(String(depth - 1));
  expect(last()?.tag).toBeUndefined();
  cache.write(new schema.Invalidate(Pal), String(depth - 1));
  expect(last()?.id).toBe(String(depth - 2));
});

test.each([10, 511, 512, 513, 700])(
  '%i rows of a list change at once, in its order and against it',
  (count) => {
    const cache = new Cache();
    const list = new schema.Collection([Tag]);
    const ids = Array.from({ length: 1000 }, (_, at) => String(at));
    cache.write(
      list,
      ids.map((id) => ({ id, label: 'a' })),
    );
    let shown = cache.read(list) as readonly Tag[]; // cast: written just now
    const changed = ids.filter((_, at) => at % Math.floor(1000 / count) === 0).slice(0, count);
    for (const [label, order] of [
      ['b', changed],
      ['c', changed.toReversed()],
    ] as const) {
      cache.batch(() => {
        for (const id of order) cache.write(Tag, { id, label });
      });
      const now = cache.read(list) as readonly Tag[]; // cast: as above
      const isRight = (tag: Tag, at: number): boolean =>
        changed.includes(tag.id)
          ? tag.label === label && tag === cache.read(Tag, [tag.id])
          : tag === shown[at];
      expect(now.filter((tag, at) => !isRight(tag, at))).toEqual([]);
      expect(now.map((tag) => tag.id)).toEqual(ids);
      shown = now;
    }
  },
);

test.each([
  ['leaves from the middle', ['a', 'b', 'd', 'e']],
  ['moves to the front', ['c', 'a', 'b', 'd', 'e']],
  ['moves to the end', ['a', 'b', 'd', 'e', 'c']],
  ['is replaced', ['a', 'b', 'x', 'd', 'e']],
  ['gets neighbours', ['a', 'b', 'x', 'c', 'y', 'd', 'e']],
  ['is the only one that stays', ['c']],
])('a row %s while it and the others change', (_what, members) => {
  for (const order of ['abcde', 'edcba', 'c', 'ae', 'bd', 'db']) {
    const cache = new Cache();
    const list = new schema.Collection([Tag]);
    cache.write(
      list,
      [...'abcde'].map((id) => ({ id, label: 'old' })),
    );
    const before = cache.read(list) as readonly Tag[]; // cast: written just now
    cache.batch(() => {
      for (const id of order) cache.write(Tag, { id, label: 'new' });
      cache.write(
        list,
        members.map((id) => (/[xy]/.test(id) ? { id, label: 'in' } : id)),
      );
    });
    const after = cache.read(list) as readonly Tag[]; // cast: as above
    const labelOf = (id: string): string => (/[xy]/.test(id) ? 'in' : order.includes(id) ? 'new' : 'old');
    expect(after.map(({ id, label }) => `${id} ${label}`)).toEqual(
      members.map((id) => `${id} ${labelOf(id)}`),
    );
    for (const tag of after) expect(before.includes(tag)).toBe(labelOf(tag.id) === 'old');
    // once more, for the present rows of the list
    cache.write(Tag, { id: 'c', label: 'last' });
    const isThere = members.includes('c');
    expect(cache.read(list)?.some(({ label }) => label === 'last')).toBe(isThere);
  }
});

test('a list of arrays is notified of every row in them', () => {
  const cache = new Cache();
  const list = new schema.Collection([[Tag]]);
  const shown = (): string[] | undefined =>
    cache.read(list)?.map((tags) => tags.map(({ id, label }) => `${id}${label}`).join(' '));
  // as many rows as arrays, but not one in each
  cache.write(list, [[{ id: 'a' }, { id: 'b' }], []]);
  expect(shown()).toEqual(['a b', '']);
  cache.write(list, [['a', 'b'], [{ id: 'c' }]]);
  expect(shown()).toEqual(['a b', 'c']);
  cache.write(Tag, { id: 'b', label: '!' });
  expect(shown()).toEqual(['a b!', 'c']);
});

test('a list of rows is notified of the row in an object that was added later', () => {
  const cache = new Cache();
  const item = new schema.Union({ tag: Tag, box: { inner: Tag } }, ({ inner }: { inner?: Tag }) =>
    inner ? 'box' : 'tag',
  );
  const list = new schema.Collection([item]);
  cache.write(list, [{ id: 't' }]);
  expect(cache.read(list)).toMatchObject([{ id: 't' }]);
  cache.write(list, [{ id: 't' }, { inner: { id: 'u', label: 'a' } }]);
  expect(cache.read(list)).toMatchObject([{ id: 't' }, { inner: { label: 'a' } }]);
  cache.write(Tag, { id: 'u', label: 'b' });
  expect(cache.read(list)).toMatchObject([{ id: 't' }, { inner: { label: 'b' } }]);
});

test('a class in an array that gets its schema late is read with the schema from the next change on', () => {
  class Late extends Entity {
    static override key = 'Late';
    id = '';
    name = '';
    tag: Tag | string = '';
    static override schema: Record<string, unknown> = {};
  }
  class Holder extends Entity {
    static override key = 'Holder';
    id = '';
    all: Late[] = [];
    static override schema = { all: [Late] };
  }
  const cache = new Cache();
  cache.write(Tag, { id: 't', label: 'a' });
  cache.write(Holder, { id: '1', all: [{ id: '1', tag: 't' }] });
  expect(cache.read(Holder, ['1'])?.all[0]?.tag).toBe('t');

  Late.schema = { tag: Tag };
  cache.write(Late, { id: '1', name: 'new' });
  expect(cache.read(Holder, ['1'])?.all[0]).toMatchObject({ name: 'new', tag: { label: 'a' } });
  cache.write(Tag, { id: 't', label: 'b' });
  expect(cache.read(Holder, ['1'])?.all[0]?.tag).toMatchObject({ label: 'b' });
});

test('a read without memo leaves out rows that lack a required part, in a circle too', () => {
  const { get, getFresh, write } = createBench();
  write({ sent: 1, settled: 2, schema: Tag, value: { id: 'n' } });
  const rows = [
    { id: '0', must: 'n', friend: '3' },
    { id: '1', must: 'n', friend: '3', pals: ['1', '0'] },
    { id: '3', must: 'unknown', friend: '1' },
  ];
  write({ sent: 3, settled: 4, schema: [Pal], value: rows });
  const all = new schema.All(Pal);
  const fresh = getFresh(all) as readonly Pal[]; // cast: an All's
  expect(fresh.map(({ id, friend }) => [id, friend])).toEqual([
    ['0', undefined],
    ['1', undefined],
  ]);
  expect(isSameGraph(fresh, get(all))).toBe(true);
});

test('a row that lacks a required part still lacks it at the second read', () => {
  const { engine, get, write } = createBench();
  write({ sent: 1, settled: 2, schema: Pal, value: { id: '1', must: { id: 'n' }, tag: { id: 't' } } });
  expect(get(Pal, '1')).toMatchObject({ id: '1' });
  write({ sent: 3, settled: 4, schema: gone, value: 'n' });
  expect(get(Pal, '1')).toBeUndefined();

  const row = engine.tableOf(kindOf(Pal) as never).rows.get('1')!; // cast: an entity's kind owns a table; written above
  engine.store.mark(row);
  expect(get(Pal, '1')).toBeUndefined();
  write({ sent: 5, settled: 6, schema: Tag, value: { id: 't', label: 'new' } });
  expect(get(Pal, '1')).toBeUndefined();
});
