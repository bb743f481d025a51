// A restored list that is incomplete is stale.
import { Controller, createResource, dehydrate, Endpoint, Entity, savedState, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  kind = '';
}

test.each([
  ['a Collection', new schema.Collection([Todo])],
  ['an array', [Todo]],
  ['a map in an envelope', { todos: new schema.Values(Todo) }],
])('%s with a row that could not be saved is stale when it is restored', async (name, of) => {
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const list = new Endpoint(async (_args: object) => ({}) as never, { name: 'list', schema: of as never }); // cast: loose here
  const rows = [{ id: '1' }, { id: '2', file: new Blob(['x']) }, { id: '3' }];
  const answer = name.includes('map')
    ? { todos: Object.fromEntries(rows.map((row) => [row.id, row])) }
    : rows;
  await controller.setResponse(list, {}, answer as never); // cast: as above
  expect(controller.getResponse(list, {}).expiresAt).toBeGreaterThan(world.time.clock.now());

  const restored = new Controller({
    ...world.options,
    initialState: savedState(JSON.stringify(dehydrate(controller))),
  });

  expect(restored.getResponse(list, {}).data).toBeDefined();
  expect(restored.getResponse(list, {}).expiresAt).toBe(0);
});

test('a restored list over several types gets a row that is created before the list is read', async () => {
  class Note extends Todo {
    static override key = 'Note';
  }
  const world = new FakeWorld();
  const controller = new Controller(world.options);
  const of = new schema.Collection([new schema.Union({ todo: Todo, note: Note }, 'kind')]);
  const list = new Endpoint(async (_args: object) => ({}) as never, { name: 'list', schema: of });
  const todos = createResource({ path: '/todos/:id', schema: Todo });
  await controller.setResponse(list, {}, [{ id: '1', kind: 'todo' }] as never); // cast: loose here
  const restored = new Controller({
    ...world.options,
    initialState: savedState(JSON.stringify(dehydrate(controller))),
  });

  await restored.setResponse(todos.getList.push, {}, { id: '2', kind: 'todo' } as never); // cast: as above

  expect(restored.getResponse(list, {}).expiresAt).toBe(0);
});
