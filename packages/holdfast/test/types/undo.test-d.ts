// The types of transactions and histories.
import { Controller, createResource, Entity } from 'holdfast';
import { history, transaction, type TransactionError } from 'holdfast/edit';
import { expectTypeOf, test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const controller = new Controller();

test('a transaction creates rows with the type of their endpoint', () => {
  const { done } = transaction(controller, (tx) => {
    const todo = tx.create(TodoResource.getList.push, { title: 'tea' });
    expectTypeOf(todo).toEqualTypeOf<Todo>();
    expectTypeOf(tx.fetch(TodoResource.partialUpdate, { id: todo.id }, { title: 'cup' })).toBeVoid();
  });

  expectTypeOf(done).toEqualTypeOf<Promise<void>>();
  expectTypeOf<TransactionError['left']>().toEqualTypeOf<readonly history.Left[]>();
  expectTypeOf<TransactionError['failed'][number]>().toEqualTypeOf<transaction.Failure>();
});

test('wrong arguments of a call and unknown options of a transaction are refused', () => {
  transaction(controller, (tx) => {
    // @ts-expect-error the row is not named
    tx.fetch(TodoResource.partialUpdate, {}, { title: 'cup' });
    // @ts-expect-error a title is a string
    tx.create(TodoResource.getList.push, { title: 5 });
  });
  // @ts-expect-error either undo or keep
  transaction(controller, () => undefined, { onFailure: 'ignore' });
});

test('a history returns what it has done, and the value of a group', () => {
  const past = history(controller, { resources: [TodoResource], limit: 10, holdMs: 5_000 });

  expectTypeOf(past.group('Count', () => 5)).toEqualTypeOf<number>();
  expectTypeOf(past.undo()).resolves.toEqualTypeOf<history.Result>();
  expectTypeOf(past.read()).toEqualTypeOf<{ readonly undo?: string; readonly redo?: string }>();
  expectTypeOf<history.Left['why']>().toEqualTypeOf<'changed' | 'gone' | 'no-inverse' | 'refused'>();
});

test('a history without resources, or with something else, is refused', () => {
  // @ts-expect-error no resources
  history(controller, {});
  // @ts-expect-error an endpoint is no resource
  history(controller, { resources: [TodoResource.get] });
});
