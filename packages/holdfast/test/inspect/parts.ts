// The rows that the tests of the inspector explain.
import { createResource, Entity } from 'holdfast';

export class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  userId = '';
  ssn = '';
  static override key = 'Todo';
}

export const parts = { urlPrefix: 'http://held.test', path: '/todos/:id', schema: Todo } as const;

export const TodoResource = createResource({
  ...parts,
  searchParams: {} as { userId?: string; token?: string } | undefined,
  body: {} as Partial<Todo>,
  optimistic: true,
});
