// The options of a Collection apply, whether they come as options, as methods of a subclass, or through an envelope.
import { Controller, createResource, Endpoint, Entity, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  status = '';
}

type Args = Record<string, string | number>;
const rows = [{ id: '1', status: 'open' }];

function start() {
  return new Controller(new FakeWorld().options);
}

test('the `nonFilterArgumentKeys` of a resource apply to the list in an envelope', async () => {
  const { getList } = createResource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as Args,
    body: {} as object,
    nonFilterArgumentKeys: ['limit'],
  }).extend({ getList: { schema: { items: new schema.Collection([Todo]), total: 0 } } });
  const controller = start();
  await controller.setResponse(getList, { limit: 5 }, { items: rows, total: 1 });

  await controller.setResponse(getList.push, { status: 'open' }, { id: '2', status: 'open' });

  expect(controller.getResponse(getList, { limit: 5 }).data?.items?.map(({ id }) => id)).toEqual(['1', '2']);
});

test('the `nonFilterArgumentKeys` of a Collection take precedence over those of the resource', async () => {
  const { getList } = createResource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as Args,
    body: {} as object,
    nonFilterArgumentKeys: ['limit'],
  }).extend({
    getList: { schema: { items: new schema.Collection([Todo], { nonFilterArgumentKeys: ['page'] }) } },
  });
  const controller = start();
  for (const args of [{ limit: 5 }, { page: 1 }])
    await controller.setResponse(getList, args as Args, { items: rows });

  await controller.setResponse(getList.push, { status: 'open' }, { id: '2', status: 'open' });

  const length = (args: Args) => controller.getResponse(getList, args).data?.items?.length;
  expect([length({ limit: 5 }), length({ page: 1 })]).toEqual([1, 2]);
});

function endpointOf(list: schema.Collection<[typeof Todo]>) {
  return new Endpoint(async (_args: Args) => rows as unknown, { name: 'todos', schema: list });
}

test('the `nonFilterArgumentKeys` method of a subclass is called', async () => {
  class Limited extends schema.Collection<[typeof Todo]> {
    nonFilterArgumentKeys(name: string): boolean {
      return name === 'limit';
    }
  }
  const list = new Limited([Todo]);
  const controller = start();
  const getTodos = endpointOf(list);
  await controller.setResponse(getTodos, { status: 'open', limit: 5 }, rows as never); // cast: loose here

  await controller.setResponse(
    new Endpoint(async (_body: object) => ({}), { name: 'create', schema: list.push, sideEffect: true }),
    { status: 'open' },
    { id: '2', status: 'open' } as never, // cast: as above
  );

  expect(controller.getResponse(getTodos, { status: 'open', limit: 5 }).data).toHaveLength(2);
});

test('the `createCollectionFilter` method of a subclass is called with the instance as `this`', async () => {
  class Shelves extends schema.Collection<[typeof Todo]> {
    readonly wanted = 'a';
    createCollectionFilter({
      shelf,
    }: {
      shelf?: string;
    }): (key: Readonly<Record<string, string>>) => boolean {
      return (key) => shelf === 'any' && key['place'] === this.wanted;
    }
  }
  const list = new Shelves([Todo]);
  const controller = start();
  const getTodos = endpointOf(list);
  for (const place of ['a', 'b']) await controller.setResponse(getTodos, { place }, rows as never); // cast: as above

  await controller.setResponse(
    new Endpoint(async (_body: object) => ({}), { name: 'create', schema: list.push, sideEffect: true }),
    { shelf: 'any' },
    { id: '2', status: 'open' } as never, // cast: as above
  );

  expect(controller.getResponse(getTodos, { place: 'a' }).data).toHaveLength(2);
  expect(controller.getResponse(getTodos, { place: 'b' }).data).toHaveLength(1);
});

test('a subclass may replace its extenders: `this.move = this.moveWith(…)`', async () => {
  class ToStart extends schema.Collection<[typeof Todo]> {
    constructor(of: [typeof Todo], options?: object) {
      super(of, options);
      this.move = this.moveWith((present: string[], moved: string[]) => [...moved, ...present]);
    }
  }
  const { getList } = createResource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as Args,
    body: {} as object,
    Collection: ToStart as never, // cast: of one schema
  });
  const controller = start();
  await controller.setResponse(getList, { status: 'open' }, [{ id: '1', status: 'open' }]);
  await controller.setResponse(getList, { status: 'done' }, [{ id: '2', status: 'done' }]);

  await controller.setResponse(getList.move, { id: '1' }, { status: 'done' }, { id: '1', status: 'done' });

  const ids = (status: string) => controller.getResponse(getList, { status }).data?.map(({ id }) => id);
  expect([ids('open'), ids('done')]).toEqual([[], ['1', '2']]);
});

test.each([
  ['an entity', Todo],
  ['a text', 'x'],
  ['an object', { todos: [Todo] }],
  ['All', new schema.All(Todo)],
])('a Collection of %s is refused at its construction', (_name, of) => {
  expect(() => new schema.Collection(of as never)).toThrow('COLLECTION_OF_NO_LIST'); // cast: the type refuses it too
});

test('options that a subclass has as class fields work like its methods', async () => {
  const controller = start();
  class Exempting extends schema.Collection<readonly [typeof Todo]> {
    override nonFilterArgumentKeys = (name: string) => name === 'showAll';
  }
  class Filtering extends schema.Collection<readonly [typeof Todo]> {
    override createCollectionFilter = () => (key: Record<string, unknown>) => key['status'] === 'any';
  }
  const lists = [Exempting, Filtering].map((Kind, nth) =>
    createResource({
      path: `/todos-${nth}/:id`,
      schema: Todo,
      searchParams: {} as Args,
      body: {} as object,
    }).getList.extend({ schema: new Kind([Todo]) }),
  );
  const [exempting, filtering] = lists;
  await controller.setResponse(exempting!, { status: 'open', showAll: '1' }, rows);
  await controller.setResponse(filtering!, { status: 'any' }, rows);

  for (const list of lists)
    await controller.setResponse(list.push, { status: 'open' }, { id: '2', status: 'open' });

  const shown = (list: typeof exempting, args: Args) =>
    controller.getResponse(list!, args).data?.map(({ id }) => id);
  expect(shown(exempting, { status: 'open', showAll: '1' })).toEqual(['1', '2']);
  expect(shown(filtering, { status: 'any' })).toEqual(['1', '2']);
});
