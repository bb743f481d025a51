import { Controller, createResource, dehydrate, getDefaultManagers, savedState } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import type { Inspector } from 'holdfast/inspect';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { createInspected, HeldNetwork, settle } from './held-network.ts';
import { Todo, TodoResource } from './parts.ts';

const idsOf = (inspector: Inspector): number[] => inspector.requests().map(({ id }) => id);

test('two inspectors of one controller return the same, also after a reset', async () => {
  const other = inspect();
  const network = new HeldNetwork();
  const first = inspect();
  const managers = [first, other, ...getDefaultManagers()];
  const world = new FakeWorld();
  const controller = new Controller({ ...world.options, fetch: network.fetch, managers });
  controller.start();
  const race = async (): Promise<void> => {
    // a read of the race before may still wait
    const place = network.waiting.length;
    const stop = controller.watch(TodoResource.get, { id: '5' }).subscribe(() => undefined);
    await world.pass(0); // readers fetch in the turn after a reset
    const write = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'mine' });
    await settle();
    await controller.set(Todo, { id: '5' }, { title: 'older' });
    await network.answer('PATCH /todos/5', { id: '5', title: 'mine' });
    await network.answer('GET /todos/5', { id: '5', title: 'theirs', done: true }, { place });
    await write;
    stop();
  };
  await race();
  controller.resetEntireStore();
  await race();
  controller.stop();

  const row = first.explain(Todo, { id: '5' });
  if (row.found !== 'entity') throw new Error(row.found);
  expect(row.fields['title']?.lost.length).toBeGreaterThan(0);
  expect(other.explain(Todo, { id: '5' })).toEqual(row);
  expect(idsOf(first).length).toBeGreaterThan(5);
  expect(idsOf(other)).toEqual(idsOf(first));
  expect(first.wakes().length).toBeGreaterThan(1);
  expect(other.wakes()).toEqual(first.wakes());
  expect(other.requests().map(({ cause }) => cause)).toEqual(first.requests().map(({ cause }) => cause));
});

test('of several controllers an inspector reports the one that was started last, and mixes no data', async () => {
  const inspector = inspect();
  const networks = [new HeldNetwork(), new HeldNetwork()] as const;
  const [used, forgotten] = networks.map(
    ({ fetch }) => new Controller({ fetch, managers: [inspector, ...getDefaultManagers()] }),
  ) as [Controller, Controller]; // cast: two in, two out
  used.start();
  const read = used.fetch(TodoResource.get, { id: '5' });
  await networks[0].answer('GET /todos/5', { id: '5', title: 'used' });
  await read;
  const aside = forgotten.fetch(TodoResource.get, { id: '5' });
  await networks[1].answer('GET /todos/5', { id: '5', title: 'forgotten' });
  await aside;

  expect(inspector.requests()).toHaveLength(1);
  expect(inspector.explain(Todo, { id: '5' })).toMatchObject({ fields: { title: { value: 'used' } } });
  used.stop();
  forgotten.start();
  expect(inspector.explain(Todo, { id: '5' })).toMatchObject({ fields: { title: { value: 'forgotten' } } });
  forgotten.stop();
});

test('data of a saved state is listed with an unknown source', async () => {
  const network = new HeldNetwork();
  const before = new Controller({ fetch: network.fetch });
  const read = before.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'saved' });
  await read;
  const inspector = inspect();
  const restored = new Controller({ managers: [inspector], initialState: savedState(dehydrate(before)) });

  expect(restored.get(Todo, { id: '5' })?.title).toBe('saved');
  expect(inspector.explain(Todo, { id: '5' })).toMatchObject({
    found: 'entity',
    fields: { title: { value: 'saved', how: 'unknown', from: undefined } },
  });
  expect(inspector.explain(TodoResource.get, { id: '5' })).toMatchObject({
    found: 'answer',
    from: undefined,
  });
});

test('odd arguments, odd rows and a class that throws get an explanation', () => {
  const { inspector, controller } = createInspected();
  class Odd extends Todo {
    static override key = 'Odd';
    override pk(): string {
      throw new Error('no');
    }
  }
  const odd = createResource({ urlPrefix: 'http://held.test', path: '/odd/:id', schema: Odd });
  const args = [
    null,
    undefined,
    5,
    'x',
    Symbol('s'),
    [],
    () => 1,
    { id: null },
    { id: {} },
    { id: Symbol('s') },
  ];
  for (const arg of args)
    for (const what of [Odd, odd.get, odd.getList, TodoResource.get, Todo])
      for (const told of [
        inspector.explain(what, arg),
        inspector.whyStale(what, arg),
        inspector.whyRendered(what, arg),
      ])
        expect(told).toBeDefined();
  expect(inspector.whyFetched(Number.NaN)).toMatchObject({ found: 'nothing' });
  expect(inspector.explainPk('Nobody', '1')).toMatchObject({ found: 'nothing' });
  expect(inspector.findRows('Nobody')).toEqual([]);
  expect(JSON.stringify(inspector.trace())).toContain('"format":2');
  expect(controller.size).toBe(0);
});
