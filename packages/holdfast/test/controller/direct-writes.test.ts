// Writes without a request: `set` on rows and lists, and the values that it refuses.
import { Controller, createResource, Entity, schema, viewKey } from 'holdfast';
import { expect, test } from 'vitest';
import { failureOf, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  userId = '';
}
class Seat extends Entity {
  static override key = 'Seat';
  row = 0;
  place = 0;
  guest = '';
  override pk(): string {
    return `${this.row}-${this.place}`;
  }
}

const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const create = () => new Controller(new FakeWorld().options);

test('the value for a row may omit the arguments that identify the row', async () => {
  const controller = create();

  await controller.set(Todo, { id: '1' }, { title: 'a' });
  await controller.set(Seat, { row: 3, place: 4 }, { guest: 'Ada' });

  expect(controller.get(Todo, { id: '1' })).toMatchObject({ id: '1', title: 'a' });
  expect(controller.get(Seat, { row: 3, place: 4 })?.guest).toBe('Ada');
});

test('a value with another key than the arguments identify is refused, and nothing is stored', async () => {
  const controller = create();

  const error = await failureOf(controller.set(Todo, { id: '1' }, { id: '99', title: 'a' }));

  expect(error).toMatchObject({ code: 'WRONG_SHAPE' });
  expect(controller.get(Todo, { id: '99' })).toBeUndefined();
});

test('a list is set as a whole, with its arguments, or by a function of its present value', async () => {
  const controller = create();
  const list = TodoResource.getList.schema;

  await controller.set(list, [{ id: '1', title: 'a' }]);
  await controller.set(list, { userId: '7' }, [{ id: '2', title: 'b', userId: '7' }]);
  await controller.set(list, { userId: '7' }, (todos) => [...todos, { id: '3', title: 'c', userId: '7' }]);

  expect(controller.get(list)?.map(({ id }) => id)).toEqual(['1']);
  expect(controller.get(list, { userId: '7' })?.map(({ id }) => id)).toEqual(['2', '3']);
});

test('a body with a circular reference fails with a code, as it does in a direct call', async () => {
  const controller = create();
  const body: Record<string, unknown> = { title: 'a', twins: [] };
  (body['twins'] as unknown[]).push(body, body);

  const error = await failureOf(controller.fetch(TodoResource.partialUpdate, { id: '1' }, body as never));

  expect(error).toMatchObject({ code: 'BODY_NOT_SERIALIZABLE' });
});

test.each([
  ['', false],
  [', which an optimistic update or another delete already hides', true],
])(
  'a delete without a body removes the row of a union that only one of its types has%s',
  async (_, optimistic) => {
    class Cat extends Entity {
      static override key = 'Cat';
      id = '';
      type = 'cat';
    }
    class Dog extends Entity {
      static override key = 'Dog';
      id = '';
      type = 'dog';
    }
    const server = await startServer();
    server.on('DELETE', '/pets/:id', { status: 204 });
    const PetResource = createResource({
      urlPrefix: server.url,
      path: '/pets/:id',
      schema: new schema.Union({ cat: Cat, dog: Dog }, 'type'),
      optimistic,
    });
    const controller = create();
    await controller.setResponse(PetResource.getList, [
      { id: '1', type: 'cat' },
      { id: '2', type: 'dog' },
    ]);

    const held = server.hold('DELETE', '/pets/2');
    const deletes = [1, 2].map(() => controller.fetch(PetResource.delete, { id: '2' }));
    for (const one of deletes) {
      (await held.next()).release();
      await one;
      expect(controller.getResponse(PetResource.getList).data?.map(({ id }) => id)).toEqual(['1']);
    }
    await server.close();
  },
);

test('a payload with a property named like a method does not hide the method', async () => {
  const controller = create();
  await controller.set(Todo, { id: '1', title: 'a', pk: 'not a function' });

  expect(viewKey(controller.get(Todo, { id: '1' })!)).toBe('1');
});

test('a response that a snapshot has read follows later writes', async () => {
  const controller = create();
  await controller.setResponse(TodoResource.getList, [{ id: '1', title: 'a', userId: '7' }]);

  const before = controller.snapshot().getResponse(TodoResource.get, { id: '1' }).data?.title;
  await controller.set(Todo, { id: '1' }, { title: 'b' });

  expect(before).toBe('a');
  expect(controller.getResponse(TodoResource.get, { id: '1' }).data?.title).toBe('b');
  expect(controller.snapshot().getResponse(TodoResource.get, { id: '1' }).data?.title).toBe('b');
});
