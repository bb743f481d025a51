// The types of local queries: fields and results follow from the endpoint.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { local, watchLocal } from 'holdfast/local';
import { useLocal } from 'holdfast/local/react';
import { expectTypeOf, test } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = '';
}

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  done = false;
  votes = 0;
  createdAt = new Date(0);
  user = User.fromJS();
  static override schema = { user: User, createdAt: Date };
}

const { getList, get } = createResource({
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId: string },
});
const paged = getList.extend({ schema: { todos: new schema.Collection([Todo]), next: '' } });
const controller = new Controller();

test('the result of a query is a list of the items, and that of a fold is its value', () => {
  const todos = local(getList);
  const args = { userId: '1' };

  expectTypeOf(useLocal(todos, args).data).toEqualTypeOf<readonly Todo[]>();
  expectTypeOf(useLocal(local(paged), args).data).toEqualTypeOf<readonly Todo[]>();
  expectTypeOf(useLocal(todos.count({ done: false }), args).data).toEqualTypeOf<number>();
  expectTypeOf(useLocal(todos.min('createdAt'), args).data).toEqualTypeOf<Date | undefined>();
  expectTypeOf(useLocal(todos.groupBy('done'), args).data).toEqualTypeOf<
    ReadonlyMap<boolean, readonly Todo[]>
  >();
  expectTypeOf(useLocal(todos.groupBy('title').sum('votes'), args).data).toEqualTypeOf<
    ReadonlyMap<string, number>
  >();
  expectTypeOf(watchLocal(controller, todos, args).read().data).toEqualTypeOf<readonly Todo[] | undefined>();
  expectTypeOf(watchLocal(controller, todos, args).isComplete()).toEqualTypeOf<boolean>();
});

test('a nested row is named by its primary key, and a number may be a string', () => {
  local(getList, { where: { user: '5', votes: '3', createdAt: new Date() }, orderBy: 'votes', limit: 2 });
  local(getList, { orderBy: (left, right) => left.votes - right.votes });
});

test('undeclared fields, wrong values, missing arguments and an endpoint without a list are refused', () => {
  // @ts-expect-error no such field
  local(getList, { where: { titel: 'tea' } });
  // @ts-expect-error a boolean is no string
  local(getList, { where: { done: 'no' } });
  // @ts-expect-error no such field
  local(getList, { orderBy: 'titel' });
  // @ts-expect-error a title has no sum
  local(getList).sum('title');
  // @ts-expect-error a row is no value to group by
  local(getList).groupBy('user');
  // @ts-expect-error the endpoint requires an argument
  useLocal(local(getList));
  // @ts-expect-error one todo is no list
  local(get, { where: { done: false } });
  // @ts-expect-error a function of the response returns a boolean
  new schema.Collection([Todo], { complete: () => 1 });
  // @ts-expect-error `false` is the default: nothing is known
  new schema.Collection([Todo], { complete: false });
});
