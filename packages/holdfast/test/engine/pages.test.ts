// Pages of a list are segments: they are stored in page order whatever arrived first, survive a refetch of the first page, and
// contain each row once.
import { Entity, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { paginateSchema } from '../../src/schema/collection/collections-in.ts';
import { createBench } from '../support/engine.ts';

class Post extends Entity {
  static override key = 'Post';
  id = '';
  type = 'post';
}
class Ad extends Entity {
  static override key = 'Ad';
  id = '';
  type = 'ad';
}

const without =
  (name: string) =>
  (args: readonly unknown[]): readonly unknown[] => {
    const { [name]: _cursor, ...rest } = (args[0] ?? {}) as Record<string, unknown>; // cast: parameters
    return [rest, ...args.slice(1)];
  };
const paged = <S>(list: S): S => paginateSchema(list, without('page'));
const rows = (...ids: readonly number[]): object[] => ids.map((id) => ({ id: String(id) }));
const ids = (items: unknown): unknown => (items as Post[] | undefined)?.map((item) => item.id); // cast: lists of posts

test('a page is appended to the list', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([Post]);
  read({ schema: list, value: rows(1, 2), sent: 1, settled: 2, args: [{ tag: 'a' }] });
  read({ schema: paged(list), value: rows(3, 4), sent: 3, settled: 4, args: [{ tag: 'a', page: 2 }] });

  expect(ids(get(list, { tag: 'a' }))).toEqual(['1', '2', '3', '4']);
});

test('pages are stored in page order whatever the order of arrival', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([Post]);
  const page = paged(list);
  read({ schema: page, value: rows(5, 6), sent: 3, settled: 4, args: [{ page: 3 }] });
  read({ schema: page, value: rows(3, 4), sent: 2, settled: 5, args: [{ page: 2 }] });
  read({ schema: list, value: rows(1, 2), sent: 1, settled: 6, args: [{}] });
  read({ schema: page, value: rows(90), sent: 7, settled: 8, args: [{ page: 10 }] });

  expect(ids(get(list, {}))).toEqual(['1', '2', '3', '4', '5', '6', '90']);
});

test('pages with cursors that are no numbers are stored in the order in which they were requested', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([Post]);
  const page = paginateSchema(list, without('cursor'));
  read({ schema: list, value: rows(1), sent: 1, settled: 2, args: [{}] });
  read({ schema: page, value: rows(3), sent: 4, settled: 5, args: [{ cursor: 'aa' }] });
  read({ schema: page, value: rows(2), sent: 3, settled: 6, args: [{ cursor: 'zz' }] });

  expect(ids(get(list, {}))).toEqual(['1', '2', '3']);
});

test('a refetch of the first page keeps the later ones', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([Post]);
  read({ schema: list, value: rows(1, 2), sent: 1, settled: 2, args: [{}] });
  read({ schema: paged(list), value: rows(3, 4), sent: 3, settled: 4, args: [{ page: 2 }] });
  read({ schema: list, value: rows(0, 1), sent: 5, settled: 6, args: [{}] });

  expect(ids(get(list, {}))).toEqual(['0', '1', '3', '4']);
});

test('a row that moved to an earlier page is removed from the later one', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([Post]);
  read({ schema: list, value: rows(1, 2), sent: 1, settled: 2, args: [{}] });
  read({ schema: paged(list), value: rows(3, 4), sent: 3, settled: 4, args: [{ page: 2 }] });
  read({ schema: list, value: rows(3, 1), sent: 5, settled: 6, args: [{}] });

  expect(ids(get(list, {}))).toEqual(['3', '1', '4']);
});

test('a push appends behind the last page, and an unshift inserts before the first', () => {
  const { read, write, get } = createBench();
  const list = new schema.Collection([Post]);
  read({ schema: list, value: rows(1), sent: 1, settled: 2, args: [{}] });
  read({ schema: paged(list), value: rows(2), sent: 3, settled: 4, args: [{ page: 2 }] });
  write({ schema: list.push, value: { id: '9' }, sent: 5, settled: 6, args: [{}] });
  write({ schema: list.unshift, value: { id: '0' }, sent: 7, settled: 8, args: [{}] });

  expect(ids(get(list, {}))).toEqual(['0', '1', '2', '9']);
});

test('a deleted row leaves every page', () => {
  const { read, write, get } = createBench();
  const list = new schema.Collection([Post]);
  read({ schema: list, value: rows(1, 2), sent: 1, settled: 2, args: [{}] });
  read({ schema: paged(list), value: rows(2, 3), sent: 3, settled: 4, args: [{ page: 2 }] });
  write({ schema: new schema.Invalidate(Post), value: { id: '2' }, sent: 5, settled: 6 });

  expect(ids(get(list, {}))).toEqual(['1', '3']);
});

test('a list of a union grows by pages without repeated rows', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([new schema.Union({ post: Post, ad: Ad }, 'type')]);
  const item = (id: string, type: string): object => ({ id, type });
  read({ schema: list, value: [item('1', 'post'), item('1', 'ad')], sent: 1, settled: 2, args: [{}] });
  read({
    schema: paged(list),
    value: [item('1', 'ad'), item('2', 'post')],
    sent: 3,
    settled: 4,
    args: [{ page: 2 }],
  });

  expect((get(list, {}) as Post[]).map((one) => one.constructor.name + one.id)).toEqual([
    'Post1',
    'Ad1',
    'Post2',
  ]);
});

test('a map grows by pages', () => {
  const { read, get } = createBench();
  const map = new schema.Collection(new schema.Values(Post));
  read({ schema: map, value: { x: { id: '1' } }, sent: 1, settled: 2, args: [{}] });
  read({ schema: paged(map), value: { y: { id: '2' } }, sent: 3, settled: 4, args: [{ page: 2 }] });

  expect(Object.keys(get(map, {}) as object)).toEqual(['x', 'y']);
});

test('a list inside a query, an object or a class grows by pages', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([Post]);
  const wrapped = new schema.Object({
    deep: { results: new schema.Query(list, (posts: Post[]) => posts.toReversed()) },
    next: '',
  });
  const value = (...numbers: number[]): object => ({ deep: { results: rows(...numbers) }, next: 'x' });
  read({ schema: wrapped, value: value(1, 2), sent: 1, settled: 2, args: [{}] });
  read({ schema: paged(wrapped), value: value(3), sent: 3, settled: 4, args: [{ page: 2 }] });

  expect(ids(get(list, {}))).toEqual(['1', '2', '3']);
  expect(ids((get(wrapped, {}) as { deep: { results: unknown } }).deep.results)).toEqual(['3', '2', '1']);
});

test('a page that arrives twice is stored once, and a later-sent one replaces it', () => {
  const { read, get } = createBench();
  const list = new schema.Collection([Post]);
  const page = paged(list);
  read({ schema: list, value: rows(1), sent: 1, settled: 2, args: [{}] });
  read({ schema: page, value: rows(2, 3), sent: 5, settled: 6, args: [{ page: 2 }] });
  read({ schema: page, value: rows(2), sent: 3, settled: 7, args: [{ page: '2' }] });

  expect(ids(get(list, {}))).toEqual(['1', '2', '3']);
});
