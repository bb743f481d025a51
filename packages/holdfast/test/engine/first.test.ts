import { Cache, Entity, schema } from 'holdfast';
import { expect, test } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = '';
  name = '';
}
class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  status = '';
  author = User.fromJS();
  createdAt = new Date(0);
  static override schema = { author: User, createdAt: Date };
}

test('reads back what was written, once per entity', () => {
  const cache = new Cache();
  const todos = new schema.Collection([Todo]);
  const payload = [
    { id: 1, title: 'a', status: 'x', author: { id: 'u', name: 'Ada' }, createdAt: '2020-01-01T00:00:00Z' },
    { id: 2, title: 'b', status: 'x', author: { id: 'u', name: 'Ada' } },
  ];
  cache.write(todos, payload, [{ status: 'x' }]);

  const list = cache.read(todos, [{ status: 'x' }]);
  expect(list).toHaveLength(2);
  expect(list?.[0]).toBeInstanceOf(Todo);
  expect(list?.[0]?.author).toBe(list?.[1]?.author);
  expect(list?.[0]?.createdAt).toEqual(new Date('2020-01-01T00:00:00Z'));

  cache.write(todos, structuredClone(payload), [{ status: 'x' }]);
  expect(cache.read(todos, [{ status: 'x' }])).toBe(list);

  let calls = 0;
  cache.subscribe(todos, [{ status: 'x' }], () => {
    calls += 1;
  });
  cache.write(User, { id: 'u', name: 'Grace' });
  expect(calls).toBe(1);
  expect(cache.read(todos, [{ status: 'x' }])?.[1]?.author.name).toBe('Grace');
  expect(cache.read(todos, [{ status: 'y' }])).toBeUndefined();
  cache.write(todos, [], [{ status: 'y' }]);
  cache.write(Todo, { id: 1, status: 'y' });
  expect(cache.read(todos, [{ status: 'y' }])?.map((t) => t.id)).toEqual([1]);
  expect(cache.read(todos, [{ status: 'x' }])?.map((t) => t.id)).toEqual([2]);
  cache.write(todos.push, { id: 3, title: 'c', status: 'y', author: 'u' }, [{ status: 'y' }]);
  expect(cache.read(todos, [{ status: 'y' }])?.map((t) => t.id)).toEqual([1, 3]);
  cache.write(new schema.Invalidate(Todo), { id: 3 });
  expect(cache.read(todos, [{ status: 'y' }])?.map((t) => t.id)).toEqual([1]);
  expect(cache.read(new schema.All(Todo))?.map((t) => t.id)).toEqual([1, 2]);
  expect(() => cache.write([Todo], [{ id: 9 }, { title: 'x' }])).toThrow('ENTITY_WITHOUT_PK');
});
