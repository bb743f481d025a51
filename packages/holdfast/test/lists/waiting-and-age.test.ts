// Readers wait for missing data, and fields that a response omits keep their age.
import { Controller, dehydrate, Endpoint, Entity, savedState, schema } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  body: string | undefined = undefined;
}
class Team extends Entity {
  static override key = 'Team';
  id = '';
  name = '';
}

const start = () => {
  const world = new FakeWorld();
  return { world, controller: new Controller(world.options) };
};
type Args = { id?: string };
const endpointOf = <const S extends object>(name: string, of: S, dataExpiryLength = 60_000) =>
  new Endpoint(async (_args: Args) => ({}) as never, { name, schema: of as never, dataExpiryLength }); // cast: loose here
const isWaiting = (controller: Controller, endpoint: ReturnType<typeof endpointOf>, args: Args = {}) => {
  const observer = controller.watch(endpoint, args);
  return observer.read().data === undefined;
};

describe('an endpoint whose schema', () => {
  const all = new schema.All(Todo);
  const byTitle = new schema.Query(all, (todos: readonly Todo[]) => todos.map(({ title }) => title));

  test.each([
    ['is All', all],
    ['holds All', { todos: all, total: 0 }],
    ['is a query over All', byTitle],
  ])('%s waits for its first response; a query does not', async (_name, of) => {
    const { controller } = start();
    const endpoint = endpointOf('all', of);
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });

    expect(isWaiting(controller, endpoint)).toBe(true);
    expect(controller.get(all)).toHaveLength(1);
    expect(controller.get(byTitle)).toEqual(['a']);

    await controller.setResponse(endpoint, {}, (of === all || of === byTitle ? [] : { todos: [] }) as never); // cast: loose here
    expect(isWaiting(controller, endpoint)).toBe(false);
  });

  test.each(['Todo', 'nothing'])(
    'has a property that the store cannot supply waits where %s is known',
    async (known) => {
      const { controller } = start();
      const endpoint = endpointOf('pair', { todo: Todo, team: Team });
      if (known === 'Todo') await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });

      expect(isWaiting(controller, endpoint, { id: '1' })).toBe(true);

      await controller.set(Team, { id: '1' }, { id: '1', name: 'b' });
      expect(isWaiting(controller, endpoint, { id: '1' })).toBe(known === 'nothing');
    },
  );

  test('is an envelope around a row that is known from a list shows it at once', async () => {
    const { controller } = start();
    const endpoint = endpointOf('wrapped', { data: Todo, note: '' });
    await controller.setResponse(endpointOf('list', [Todo]), {}, [{ id: '1', title: 'a' }] as never); // cast: as above

    expect(controller.watch(endpoint, { id: '1' }).read().data).toMatchObject({
      data: { title: 'a' },
      note: '',
    });
  });

  test('has an optional property that is not known shows the rest', async () => {
    const { controller } = start();
    const endpoint = endpointOf(
      'pair',
      new schema.Object({ todo: Todo, team: Team }, { optional: ['team'] }),
    );
    await controller.set(Todo, { id: '1' }, { id: '1', title: 'a' });

    expect(controller.watch(endpoint, { id: '1' }).read().data).toMatchObject({ todo: { title: 'a' } });
  });
});

test('fields that a response omits keep their age', async () => {
  const { world, controller } = start();
  const detail = endpointOf('detail', Todo, 1_000);
  const list = endpointOf('list', [Todo], 1_000);
  const other = endpointOf('other', Todo, 1_000);
  await controller.setResponse(detail, { id: '1' }, { id: '1', title: 'a', body: 'long' } as never); // cast: as above
  world.time.advance(5_000);
  await controller.setResponse(list, {}, [{ id: '1', title: 'a' }] as never); // cast: as above

  const { data, expiresAt } = controller.getResponse(other, { id: '1' });
  expect(data).toMatchObject({ body: 'long' });
  expect(expiresAt).toBeLessThan(world.time.clock.now());

  await controller.setResponse(detail, { id: '1' }, { id: '1', title: 'a', body: 'new' } as never); // cast: as above
  expect(controller.getResponse(other, { id: '1' }).expiresAt).toBeGreaterThan(world.time.clock.now());
});

test('a saved row is as old as its oldest fields', async () => {
  const { world, controller } = start();
  const detail = endpointOf('detail', Todo, 1_000);
  const other = endpointOf('other', Todo);
  await controller.setResponse(detail, { id: '1' }, { id: '1', title: 'a', body: 'long' } as never); // cast: as above
  await controller.setResponse(endpointOf('list', [Todo]), {}, [{ id: '1', title: 'b' }] as never); // cast: as above
  const { expiresAt } = controller.getResponse(other, { id: '1' });

  const restored = new Controller({
    ...world.options,
    initialState: savedState(JSON.stringify(dehydrate(controller))),
  });

  expect(restored.getResponse(other, { id: '1' })).toMatchObject({ data: { title: 'b' }, expiresAt });
  expect(expiresAt).toBe(world.time.clock.now() + 1_000);
});
