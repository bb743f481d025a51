// The types of edits: the fields come from the body of the endpoint.
import { Controller, createResource, Entity } from 'holdfast';
import { edit } from 'holdfast/edit';
import { expectTypeOf, test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  votes = 0;
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const Narrow = createResource({ path: '/todos/:id', schema: Todo, body: {} as { title: string } });
const controller = new Controller();

test('the values of an edit have the types of the fields, and each may be missing', () => {
  const { values, state, fieldErrors, changed } = edit(controller, Narrow.update, { id: '1' }).read();

  expectTypeOf(values).toEqualTypeOf<{ readonly title?: string }>();
  expectTypeOf(state).toEqualTypeOf<'clean' | 'dirty' | 'saving' | 'failed'>();
  expectTypeOf(fieldErrors.title).toEqualTypeOf<string | undefined>();
  expectTypeOf(changed).toEqualTypeOf<readonly 'title'[]>();
});

test('a partial update takes any field of the row', () => {
  const todo = edit(controller, TodoResource.partialUpdate, { id: '1' });

  todo.set({ title: 'tea', votes: 2 });
  expectTypeOf(todo.read().values.votes).toEqualTypeOf<number | undefined>();
});

test('an undeclared field, a wrong value and missing parameters are refused', () => {
  const todo = edit(controller, TodoResource.partialUpdate, { id: '1' });

  // @ts-expect-error no such field
  todo.set({ titel: 'tea' });
  // @ts-expect-error a title is a string
  todo.set({ title: 5 });
  // @ts-expect-error the row is not named
  edit(controller, TodoResource.partialUpdate, {});
  // @ts-expect-error a reading endpoint has no body
  edit(controller, TodoResource.get, { id: '1' }).set({ title: 'tea' });
});
