// The types of local queries and of picked classes: fields and results follow from the endpoint and the class.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { local, pick, watchLocal } from 'holdfast/local';
import { useCovered, useLocal } from 'holdfast/local/react';
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

const TodoRow = pick(Todo, ['id', 'title', 'user']);
const getRows = getList.extend({ schema: new schema.Collection([TodoRow]) });

test('a picked class has the named fields, with their types', () => {
  const row = new Controller().get(TodoRow, { id: '1' })!;

  expectTypeOf(row.title).toEqualTypeOf<string>();
  expectTypeOf(row.user).toEqualTypeOf<User>();
  expectTypeOf(new Controller().getResponse(getRows, { userId: '1' }).data?.[0]).toEqualTypeOf<
    pick.Instance<typeof Todo, 'id' | 'title' | 'user'> | undefined
  >();
  expectTypeOf(useLocal(local(getRows), { userId: '1' }).data[0]!.title).toEqualTypeOf<string>();
  expectTypeOf(TodoRow.fromJS({ title: 'tea' }).title).toEqualTypeOf<string>();
});

test('a field that is not picked is refused, and so is the name of no field', () => {
  const row = new Controller().get(TodoRow, { id: '1' })!;
  // @ts-expect-error `votes` was not picked
  void row.votes;
  // @ts-expect-error `votes` was not picked
  local(getRows, { orderBy: 'votes' });
  // @ts-expect-error no such field
  pick(Todo, ['id', 'titel']);
  // @ts-expect-error a method is no field
  pick(Todo, ['id', 'pk']);
});

test('what is missing of a row are names of its fields', () => {
  const { data, missing } = useCovered(get, { id: '1' });

  expectTypeOf(data).toEqualTypeOf<Partial<Todo> | undefined>();
  expectTypeOf(missing).toEqualTypeOf<
    readonly ('id' | 'title' | 'done' | 'votes' | 'createdAt' | 'user')[]
  >();
  useCovered(get.extend({ sparse: 'fields[todos]' }), { id: '1' });
  // @ts-expect-error no such field
  missing.includes('titel');
  // @ts-expect-error the field may be missing
  data!.title.length.toFixed();
  // @ts-expect-error a list is no row
  useCovered(getList, { userId: '1' });
  // @ts-expect-error the endpoint requires an argument
  useCovered(get);
});
