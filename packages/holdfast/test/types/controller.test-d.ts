// The controller's signatures: what its writers take, and what its readers refuse.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}

test('set takes a row with or without its name, a list with or without its arguments, or a function of either', () => {
  const controller = new Controller();
  const todos = new schema.Collection([Todo]);

  void controller.set(Todo, { id: '1' }, { title: 'a' });
  void controller.set(Todo, { id: '1' }, (todo) => ({ title: todo.title.trim() }));
  void controller.set(todos, [{ id: '1' }]);
  void controller.set(todos, { userId: '1' }, [{ id: '1' }]);
  void controller.set(todos, { userId: '1' }, (list) => [...list, { id: '1' }]);
  // @ts-expect-error a row is an object
  void controller.set(Todo, { id: '1' }, 5);
  // @ts-expect-error nothing is set
  void controller.set(todos);
});

test('what watches, and what fetches when it must, takes no mutation', () => {
  const controller = new Controller();
  const resource = createResource({ path: '/todos/:id', schema: Todo });

  controller.watch(resource.get, { id: '1' });
  // @ts-expect-error a mutation is not read
  controller.watch(resource.update, { id: '1' }, {});
  // @ts-expect-error a mutation is not read
  void controller.fetchIfStale(resource.update, { id: '1' }, {});
});
