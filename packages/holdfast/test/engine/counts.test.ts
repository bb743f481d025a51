// The counts of the performance targets, exact on any machine: how many references a write changes, which readers it notifies,
// and that its work does not grow with the table.
import { Cache, Entity, schema } from 'holdfast';
import { expect, test, vi } from 'vitest';
import { createBench } from '../support/engine.ts';

class Author extends Entity {
  static override key = 'Author';
  id = '';
  name = '';
}
class Post extends Entity {
  static override key = 'Post';
  id = '';
  title = '';
  status = '';
  meta: { tags: string[] } = { tags: [] };
  author = Author.fromJS();
  static override schema = { author: Author };
}
const posts = new schema.Collection([Post]);
const rows = (count: number): object[] =>
  Array.from({ length: count }, (_none, at) => ({
    id: String(at),
    title: `post ${at}`,
    status: at % 2 === 0 ? 'a' : 'b',
    meta: { tags: ['x', String(at)] },
    author: { id: String(at % 10), name: `author ${at % 10}` },
  }));

test('an identical refetch gives the same list reference and notifies no listener', () => {
  const cache = new Cache();
  cache.write(posts, rows(200));
  const before = cache.read(posts);
  const heard = vi.fn();
  cache.subscribe(posts, [], heard);
  for (const at of [0, 1, 2]) cache.subscribe(Post, [String(at)], heard);

  cache.write(posts, rows(200));

  expect(cache.read(posts)).toBe(before);
  expect(heard).not.toHaveBeenCalled();
});

test('an update that embeds a known, unchanged author changes exactly one reference', () => {
  const cache = new Cache();
  cache.write(posts, rows(100));
  const before = cache.read(posts) ?? [];
  const authors = before.map((post) => post.author);

  cache.write(Post, { id: '7', title: 'new', author: { id: '7', name: 'author 7' } });

  const after = cache.read(posts) ?? [];
  expect(after.filter((post, at) => post !== before[at]).map((post) => post.id)).toEqual(['7']);
  expect(after.every((post, at) => post.author === authors[at])).toBe(true);
  expect(after[7]?.meta).toBe(before[7]?.meta);
});

test('one write notifies exactly the readers whose value changed, each once', () => {
  const cache = new Cache();
  cache.write(posts, rows(1000));
  const woken: string[] = [];
  for (let at = 0; at < 1000; at += 1) cache.subscribe(Post, [String(at)], () => woken.push(String(at)));
  cache.subscribe(posts, [], () => woken.push('list'));
  cache.subscribe(Author, ['3'], () => woken.push('author'));

  cache.write(Post, { id: '5', title: 'new' });
  expect(woken.toSorted()).toEqual(['5', 'list']);

  woken.length = 0;
  cache.write(Author, { id: '3', name: 'new' });
  expect(woken).toHaveLength(100 + 2);
  expect(new Set(woken).size).toBe(102);
});

test('a batch notifies each reader once, after it', () => {
  const cache = new Cache();
  cache.write(posts, rows(10));
  const heard = vi.fn();
  cache.subscribe(posts, [], heard);

  cache.batch(() => {
    for (let at = 0; at < 10; at += 1) cache.write(Post, { id: String(at), title: 'changed' });
    expect(heard).not.toHaveBeenCalled();
  });

  expect(heard).toHaveBeenCalledTimes(1);
});

test('a listener that throws neither stops the other listeners nor breaks the write', () => {
  const cache = new Cache();
  const heard = vi.fn();
  const thrown: unknown[] = [];
  const onUncaught = (error: unknown): void => void thrown.push(error);
  process.once('uncaughtException', onUncaught);
  cache.subscribe(Author, ['1'], () => {
    throw new Error('a listener’s own');
  });
  cache.subscribe(Author, ['1'], heard);

  cache.write(Author, { id: '1' });

  expect(heard).toHaveBeenCalledTimes(1);
  return new Promise<void>((resolve) => {
    setTimeout(() => {
      process.removeListener('uncaughtException', onUncaught);
      expect(thrown).toHaveLength(1);
      resolve();
    }, 0);
  });
});

test.each([100, 100_000])(
  'one write visits and copies its own row alone, with %d rows in the table',
  (size) => {
    const bench = createBench();
    const now = (): { sent: number; settled: number } => {
      const stamp = bench.engine.store.timeline.tick();
      return { sent: stamp, settled: stamp };
    };
    bench.write({ schema: posts, value: rows(size), args: [{}], ...now() });
    bench.write({ schema: posts, value: rows(50), args: [{ status: 'a' }], ...now() });
    bench.get(posts, {});
    const table = bench.engine.store.table('Post');
    const visited = new Set<string>();
    for (const row of table.rows.values()) {
      if (row.pk === '5') continue;
      for (const name of ['base', 'shown', 'stamp'] as const) watch(row, name, () => visited.add(row.pk));
    }
    const author = bench.engine.store.table('Author').rows.get('5');
    const before = { row: table.rows.get('5')?.base, author: author?.base };

    bench.write({ schema: Post, value: { id: '5', title: 'new', author: { id: '5' } }, ...now() });
    bench.write({ schema: posts.push, value: { id: 'new', author: '1' }, args: [{}], ...now() });
    const list = bench.get(posts, {}) as readonly unknown[]; // cast: a list

    expect([...visited]).toEqual([]);
    expect(list).toHaveLength(size + 1);
    expect(table.rows.get('5')?.base).not.toBe(before.row);
    expect(author?.base).toBe(before.author);
  },
  60_000,
);

/** Calls back whenever a property is read. */
function watch<T extends object>(target: T, name: keyof T, onRead: () => void): void {
  const value = target[name];
  Object.defineProperty(target, name, {
    configurable: true,
    get: () => {
      onRead();
      return value;
    },
  });
}

test('look-ups by a date and by its string differ, and so do look-ups by two symbols', () => {
  class Tag extends Entity {
    static override key = 'Tag';
    id = '';
  }
  const given = new schema.Query(new schema.All(Tag), (_all: Tag[], argument: unknown) => ({ argument }));
  const cache = new Cache();
  cache.write(Tag, { id: '1' });
  const read = (argument: unknown) => cache.read(given, [argument])?.argument;
  const date = new Date(0);
  const symbols = [Symbol('a'), Symbol('a')];

  expect(read(date.toISOString())).toBe(date.toISOString());
  expect(read(date)).toBe(date);
  expect(read(new Date(0))).toBe(date);
  expect(read(null)).toBe(null);
  expect(read(new Date(Number.NaN))).toBeInstanceOf(Date);
  expect(symbols.map(read)).toEqual(symbols);
});
