// Lists over Values keep their keys through every change; moved rows are each placed by their own fields.
import { Controller, createResource, Endpoint, Entity, RestEndpoint, schema } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { calm, Moments } from '../support/moments.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  status = '';
}
type Row = { id: string; status: string };
const row = (id: string, status = 'open'): Row => ({ id, status });
const start = () => new Controller(new FakeWorld().options);
const change = (of: unknown) =>
  new Endpoint(async (_params: object, _body?: unknown) => ({}) as unknown, {
    name: 'change',
    schema: of as undefined, // cast: loose here
    sideEffect: true,
  });

describe('over Values', () => {
  const list = new schema.Collection(new schema.Values(Todo));
  const getTodos = new Endpoint(async (_args: { status?: string }) => ({}) as Record<string, Row>, {
    name: 'todos',
    schema: list,
  });
  const names = (controller: Controller, args: { status?: string }) =>
    Object.entries(controller.getResponse(getTodos, args).data ?? {}).map(
      ([name, { id }]) => `${name}:${id}`,
    );

  test('`addWith(merge)` stores members under the keys that the merge returns', async () => {
    const controller = start();
    await controller.setResponse(getTodos, {}, { a: row('1') });
    const add = list.addWith((present: Record<string, string>, added: Record<string, string>) => ({
      ...present,
      ...Object.fromEntries(Object.entries(added).map(([name, id]) => [`new-${name}`, id])),
    }));

    await controller.setResponse(change(add), {}, { b: row('2') } as never); // cast: loose here

    expect(names(controller, {})).toEqual(['a:1', 'new-b:2']);
  });

  test('a name that was given to a row which is deleted meanwhile makes the map stale', async () => {
    const net = new Moments(({ path, method }) =>
      path === '/todos' ? { body: method === 'GET' ? { a: row('1'), b: row('2') } : { a: row('2') } } : {},
    );
    const urlPrefix = 'http://map.test';
    const controller = new Controller({ fetch: net.fetch });
    const map = new RestEndpoint({ urlPrefix, path: '/todos', schema: list });
    const removing = new RestEndpoint({
      urlPrefix,
      path: '/todos/:id',
      method: 'DELETE',
      schema: new schema.Invalidate(Todo),
    });
    net.isQuick = true;
    await controller.fetch(map);
    net.isQuick = false;
    const assigned = controller.fetch(map.assign, { a: row('2') });
    const removed = controller.fetch(removing, { id: '2' });
    await calm();
    net.next('POST').handle();
    await net.next('DELETE').deliver();
    await removed;
    await net.next('POST').deliver();
    await assigned;

    expect(controller.getResponse(map).expiresAt).toBe(0);
  });

  test('a name given in one map hides no earlier mutation that gives the same name in another map', async () => {
    const net = new Moments(({ body, method }) => ({ body: method === 'GET' ? {} : body }));
    const controller = new Controller({ fetch: net.fetch });
    const map = new RestEndpoint({ urlPrefix: 'http://map.test', path: '/maps/:map', schema: list });
    const held = (name: string) => Object.keys(controller.getResponse(map, { map: name }).data ?? {});
    net.isQuick = true;
    for (const name of ['a', 'b']) await controller.fetch(map, { map: name });
    net.isQuick = false;
    const first = controller.fetch(map.assign, { map: 'b' }, { x: row('1') });
    const second = controller.fetch(map.assign, { map: 'a' }, { x: row('2') });
    await calm();
    await net.next('POST /maps/a').deliver();
    await second;
    await net.next('POST /maps/b').deliver();
    await first;

    expect([held('a'), held('b')]).toEqual([['x'], ['x']]);
  });

  test('a `move` of one entity keeps its key in the list that it enters', async () => {
    const controller = start();
    await controller.setResponse(getTodos, { status: 'open' }, { a: row('1'), b: row('2') });
    await controller.setResponse(getTodos, { status: 'done' }, { c: row('3', 'done') });

    await controller.setResponse(
      change(list.move),
      { id: '1' },
      { status: 'done' },
      row('1', 'done') as never,
    ); // cast: as above

    expect(names(controller, { status: 'open' })).toEqual(['b:2']);
    expect(names(controller, { status: 'done' })).toEqual(['c:3', 'a:1']);
  });

  test('the response to a change of one entity is that entity', async () => {
    const controller = start();
    await controller.setResponse(getTodos, { status: 'open' }, { a: row('1') });
    const move = new Endpoint(async (_params: object, _body: object) => row('1', 'done'), {
      name: 'move',
      schema: list.move,
      sideEffect: true,
    });

    expect(await controller.fetch(move, { id: '1' }, { status: 'done' })).toMatchObject(row('1', 'done'));
  });

  test('`moveWith` gets and returns maps with their keys', async () => {
    const controller = start();
    await controller.setResponse(getTodos, { status: 'open' }, { a: row('1') });
    await controller.setResponse(getTodos, { status: 'done' }, { c: row('3', 'done') });
    const toStart = list.moveWith((present: Record<string, string>, moved: Record<string, string>) => ({
      ...moved,
      ...present,
    }));

    await controller.setResponse(change(toStart), { id: '1' }, { status: 'done' }, row('1', 'done') as never); // cast: as above

    expect(names(controller, { status: 'open' })).toEqual([]);
    expect(names(controller, { status: 'done' })).toEqual(['a:1', 'c:3']);
  });
});

describe('over an array', () => {
  const { getList } = createResource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { status?: string },
    body: {} as object,
  });
  const ids = (controller: Controller, status: string) =>
    controller.getResponse(getList, { status }).data?.map(({ id }) => id);

  test.each([
    ['one body for both', { reason: 'tidy' }],
    ['a body for each', [{ status: 'done' }, { status: 'later' }]],
  ])('two rows moved by %s are each placed by their own fields', async (_name, body) => {
    const controller = start();
    await controller.setResponse(getList, { status: 'open' }, [row('1'), row('2')]);
    await controller.setResponse(getList, { status: 'done' }, []);
    await controller.setResponse(getList, { status: 'later' }, []);

    await controller.setResponse(change(getList.schema.move), {}, body, [
      row('1', 'done'),
      row('2', 'later'),
    ] as never); // cast: as above

    expect([ids(controller, 'open'), ids(controller, 'done'), ids(controller, 'later')]).toEqual([
      [],
      ['1'],
      ['2'],
    ]);
  });

  test('the merge of `moveWith` gets the rows that enter its list', async () => {
    const controller = start();
    await controller.setResponse(getList, { status: 'open' }, [row('1'), row('2')]);
    await controller.setResponse(getList, { status: 'done' }, [row('3', 'done')]);
    await controller.setResponse(getList, { status: 'later' }, []);
    const toStart = getList.schema.moveWith((present: string[], moved: string[]) => [...moved, ...present]);

    await controller.setResponse(change(toStart), {}, {}, [row('1', 'done'), row('2', 'later')] as never); // cast: as above

    expect([ids(controller, 'done'), ids(controller, 'later')]).toEqual([['1', '3'], ['2']]);
  });

  test.each(['fields', 'server'] as const)(
    'a list that was requested before the move takes each row by its own fields; membership: %s',
    async (membership) => {
      const controller = start();
      let answer: (rows: Row[]) => void = () => {};
      const asked = new Promise<Row[]>((resolve) => (answer = resolve));
      const listed = new schema.Collection([Todo], { membership });
      const getDone = new Endpoint(async (_args: { status: string }) => asked, {
        name: 'done',
        schema: listed,
      });
      await controller.setResponse(getList, { status: 'open' }, [row('1'), row('2')]);
      const answered = controller.fetch(getDone, { status: 'done' });

      await controller.setResponse(change(listed.move), {}, { reason: 'tidy' }, [
        row('1', 'done'),
        row('2', 'later'),
      ] as never); // cast: as above
      answer([row('3', 'done')]);
      await answered;

      const { data } = controller.getResponse(getDone, { status: 'done' });
      expect(data?.map(({ id }) => id)).toEqual(['3', '1']);
    },
  );

  test.each(['answer', 'guess'])('the merge of `moveWith` decides the place in an %s', async (way) => {
    const controller = start();
    await controller.setResponse(getList, { status: 'open' }, [row('1'), row('2')]);
    await controller.setResponse(getList, { status: 'done' }, [row('3', 'done'), row('4', 'done')]);
    const toStart = getList.schema.moveWith((present: string[], moved: string[]) => [...moved, ...present]);
    const move = change(toStart);

    if (way === 'answer')
      await controller.setResponse(move, { id: '1' }, { status: 'done' }, row('1', 'done') as never);
    else
      void controller.fetch(
        new Endpoint(async (_params: object, _body: object) => new Promise<unknown>(() => {}), {
          name: 'pending',
          schema: toStart,
          sideEffect: true,
          getOptimisticResponse: () => row('1', 'done') as never, // cast: as above
        }),
        { id: '1' },
        { status: 'done' },
      );

    expect([ids(controller, 'open'), ids(controller, 'done')]).toEqual([['2'], ['1', '3', '4']]);
  });

  test('the merge of `moveWith` decides the place where a change of the fields has moved the row before', async () => {
    const controller = start();
    await controller.setResponse(getList, { status: 'open' }, [row('1')]);
    await controller.setResponse(getList, { status: 'done' }, [row('3', 'done')]);
    const toStart = change(
      getList.schema.moveWith((present: string[], moved: string[]) => [...moved, ...present]),
    );
    await controller.set(Todo, { id: '1' }, row('1', 'done'));

    await controller.setResponse(toStart, { id: '1' }, { status: 'done' }, row('1', 'done') as never); // cast: as above

    expect(ids(controller, 'done')).toEqual(['1', '3']);
  });
});
