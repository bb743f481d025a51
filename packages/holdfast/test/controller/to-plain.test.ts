import { BigNumber } from 'bignumber.js';
import { Controller, createResource, Entity, EntityMixin, schema, toPlain } from 'holdfast';
import { expect, test } from 'vitest';
import { startServer } from '../support/server.ts';

class User extends Entity {
  id = '';
  name = '';
  todos: Todo[] = [];
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
class Todo extends Entity {
  id = '';
  title = '';
  dueAt = new Date(0);
  price = new BigNumber(0);
  tags: string[] = [];
  place: { city: string; at?: { x: number } } = { city: '' };
  author = User.fromJS();
  static override key = 'Todo';
  static override schema = { dueAt: Date, price: BigNumber, author: User };
  get isLong(): boolean {
    return this.title.length > 10;
  }
}
User.schema = { todos: new schema.Collection([Todo]) };

const row = {
  id: '1',
  title: 'milk',
  dueAt: '2030-01-01T00:00:00Z',
  price: '1.50',
  tags: ['shop'],
  place: { city: 'Oslo', at: { x: 1 } },
  author: { id: '7', name: 'Ada', todos: ['1'] },
};

async function load() {
  const server = await startServer();
  server.on('GET', '/todos/:id', () => ({ body: row }));
  const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
  const controller = new Controller();
  const todo = await controller.fetch(TodoResource.get, { id: '1' });
  await server.close();
  return { controller, todo };
}

test('a plain copy has the fields of the entity and of its nested entities, and no class', async () => {
  const { todo } = await load();

  const { author, price, ...copy } = toPlain(todo);

  expect(copy).toStrictEqual({
    id: '1',
    title: 'milk',
    dueAt: new Date('2030-01-01T00:00:00Z'),
    tags: ['shop'],
    place: { city: 'Oslo', at: { x: 1 } },
  });
  expect(Object.getPrototypeOf(author)).toBe(Object.prototype);
  expect(author.name).toBe('Ada');
  expect(price).toBe(todo.price);
});

test('a change of the copy, at any depth, does not change the store', async () => {
  const { controller, todo } = await load();

  const copy = toPlain(todo);
  copy.title = 'tea';
  copy.dueAt.setFullYear(1999);
  copy.tags.push('new');
  copy.place.at!.x = 2;
  copy.author.name = 'Bo';
  copy.author.todos.length = 0;

  expect(controller.get(Todo, { id: '1' })).toBe(todo);
  expect([todo.title, todo.dueAt.getUTCFullYear(), todo.tags, todo.place.at, todo.author.name]).toEqual([
    'milk',
    2030,
    ['shop'],
    { x: 1 },
    'Ada',
  ]);
  expect(todo.author.todos).toEqual([todo]);
});

test('an object that is shared is shared in the copy, circular references included', async () => {
  const { todo } = await load();

  const copy = toPlain([todo, todo]);

  expect(copy[0]).toBe(copy[1]);
  expect(copy[0]?.author.todos[0]).toBe(copy[0]);
  expect(copy[0]).not.toBe(todo);
});

test('an entity made by a mixin is copied by its fields; values that are no entities are not copied', () => {
  class Money extends EntityMixin(
    class {
      id = '';
      amount = 0;
    },
    { key: 'Money' },
  ) {}
  const map = new Map([[1, 2]]);

  expect(toPlain(Money.fromJS({ id: '1', amount: 2 }))).toStrictEqual({ id: '1', amount: 2 });
  expect([toPlain(undefined), toPlain(null), toPlain('a'), toPlain(Number.NaN), toPlain(map)]).toEqual([
    undefined,
    null,
    'a',
    Number.NaN,
    map,
  ]);
  expect(toPlain({ constructor: 'a field', __proto__: null })).toEqual({ constructor: 'a field' });
});

test('a chain of 100,000 rows is copied', () => {
  class Link extends Entity {
    id = '';
    next: Link | undefined = undefined;
    static override key = 'Link';
  }
  let first = Link.fromJS({ id: 'last' });
  for (let at = 0; at < 100_000; at += 1) first = Link.fromJS({ id: `${at}`, next: first });

  let copy = toPlain(first) as { id: string; next?: unknown } | undefined;
  let count = 0;
  for (; copy; copy = copy.next as typeof copy) count += 1;

  expect(count).toBe(100_001);
});
