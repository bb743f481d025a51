// The controller's signatures: what its writers take, and what its readers refuse.
import { Collection, Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { createMockController } from 'holdfast/testing';
import type { SuccessFixture } from 'holdfast/testing';
import { expectTypeOf, test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}

test('set accepts a row with or without its key, a list with or without its arguments, or a function of either', () => {
  const controller = new Controller();
  const todos = new schema.Collection([Todo]);

  void controller.set(Todo, { id: '1' }, { title: 'a' });
  void controller.set(Todo, { id: '1' }, (todo) => ({ title: todo.title.trim() }));
  void controller.set(todos, [{ id: '1' }]);
  void controller.set(todos, { userId: '1' }, [{ id: '1' }]);
  void controller.set(todos, (list) => [...list, { id: '1' }]);
  void controller.set(todos, { userId: '1' }, (list) => [...list, { id: '1' }]);
  // @ts-expect-error a row is an object
  void controller.set(Todo, { id: '1' }, 5);
  // @ts-expect-error no such field
  void controller.set(Todo, { id: '1' }, { titel: 'a' });
  // @ts-expect-error no such field
  void controller.set(Todo, { id: '1', titel: 'a' });
  // @ts-expect-error a function needs the row that it changes
  void controller.set(Todo, (todo: Todo) => ({ title: todo.title.trim() }));
  // @ts-expect-error nothing is set
  void controller.set(todos);
});

test('watch and fetchIfStale accept no mutation', () => {
  const controller = new Controller();
  const resource = createResource({ path: '/todos/:id', schema: Todo });

  controller.watch(resource.get, { id: '1' });
  // @ts-expect-error a mutation is not read
  controller.watch(resource.update, { id: '1' }, {});
  // @ts-expect-error a mutation is not read
  void controller.fetchIfStale(resource.update, { id: '1' }, {});
});

test('a query whose function takes only the data accepts the arguments of its schema', () => {
  const controller = new Controller();
  const shout = new schema.Query(Todo, (todo) => todo.title.toUpperCase());
  const count = new schema.Query(new schema.Collection([Todo]), (todos) => todos.length);
  const sorted = new schema.Query(new schema.Collection([Todo]), { filter: (todo) => todo.title !== '' });
  const named = new schema.Query(new schema.All(Todo), (todos, { title }: { title: string }) =>
    todos.find((todo) => todo.title === title),
  );

  expectTypeOf(controller.get(shout, { id: '1' })).toEqualTypeOf<string | undefined>();
  expectTypeOf(controller.get(count, { userId: '1' })).toEqualTypeOf<number | undefined>();
  expectTypeOf(controller.get(sorted, { userId: '1' })).toEqualTypeOf<Todo[] | undefined>();
  expectTypeOf(controller.get(named, { title: 'a' })).toEqualTypeOf<Todo | undefined>();
  // @ts-expect-error a row has to be named
  controller.get(shout);
  // @ts-expect-error its function asks for a title
  controller.get(named, { id: '1' });
});

class Post extends Entity {
  id = '';
  tags: string[] = [];
  at = new Date(0);
  static override schema = { at: Date };
}
const getPosts = new RestEndpoint({ path: '/posts', schema: new Collection([Post]) });

test('a call without a fixture fails or is sent, and nothing else', () => {
  createMockController({ fixtures: [], unmatched: 'network' });
  createMockController({ unmatched: 'error' });
  // @ts-expect-error no such value
  createMockController({ fixtures: [], unmatched: 'fetch' });
  // @ts-expect-error a choice of two words
  createMockController({ fixtures: [], unmatched: true });
});

test('the arguments of a fixture that declares its endpoint are checked', () => {
  const { get } = createResource({ path: '/todos/:id', schema: Todo });

  const fixture = { endpoint: get, args: [{ id: 1 }], response: {} } satisfies SuccessFixture<typeof get>;
  createMockController({ fixtures: [fixture] });
  // @ts-expect-error no such parameter
  ({ endpoint: get, args: [{ idd: 1 }], response: {} }) satisfies SuccessFixture<typeof get>;
  const posts = [{ id: '1', tags: ['a'], at: '2020-01-01', more: 5 }];
  ({ endpoint: getPosts, args: [], response: posts }) satisfies SuccessFixture<typeof getPosts>;
  // @ts-expect-error the fields of a response are checked too
  ({ endpoint: getPosts, args: [], response: [{ id: '1', tags: 'a' }] }) satisfies SuccessFixture<
    typeof getPosts
  >;
});
