// What the inspector says of mutations that are not sent yet: held by an edit or a history, waiting, or waiting for a read.
import { getDefaultManagers } from 'holdfast';
import { edit, history } from 'holdfast/edit';
import { HttpSemantics } from 'holdfast/http';
import { describeField, describeWrite, inspect } from 'holdfast/inspect';
import type { Inspector } from 'holdfast/inspect';
import { expect, test } from 'vitest';
import { createInspected, settle } from './held-network.ts';
import type { Inspected } from './held-network.ts';
import { Todo, TodoResource } from './parts.ts';

async function read({ controller, network }: Inspected, headers = {}): Promise<void> {
  const reading = controller.fetch(TodoResource.get, { id: '5' });
  await network.answer('GET /todos/5', { id: '5', title: 'old' }, { headers });
  await reading;
}

function sayTitle(inspector: Inspector): string {
  const row = inspector.explain(Todo, { id: '5' });
  if (row.found !== 'entity') throw new Error(JSON.stringify(row));
  const [first, second] = describeField(inspector, row, 'title');
  return `${first?.text} ${second?.text}`.replace(/\d\d:\d\d:\d\d/, 'T');
}

const sayWrites = (inspector: Inspector): string[] =>
  inspector.writes().map((write) => describeWrite(write).text);

test('what an edit has not sent yet is told as held back, and not as sent', async () => {
  const inspected = createInspected();
  const { controller, inspector, world } = inspected;
  await read(inspected);
  const todo = edit(controller, TodoResource.partialUpdate, { id: '5' });
  todo.set({ title: 'typed' });

  expect(inspector.writes()).toMatchObject([{ status: 'held', by: undefined, waitsFor: undefined }]);
  expect(sayWrites(inspector)).toEqual(['The change of title of Todo 5 is held back, to be sent later.']);
  expect(sayTitle(inspector)).toBe(
    '“typed”: you changed it. It is shown already. The change is held back, to be sent later.',
  );

  await world.pass(800);
  expect(sayWrites(inspector)).toEqual(['The change of title of Todo 5 was sent, and has no response yet.']);
  expect(sayTitle(inspector)).toContain(
    '“typed”: you changed it at T. It is shown already. The change was sent',
  );
});

test('a deletion that a history holds is one mutation, told as held back, or as waiting behind an earlier change', async () => {
  const inspected = createInspected();
  const { controller, network, inspector, world } = inspected;
  await read(inspected);
  history(controller, { resources: [TodoResource], holdMs: 5_000 });
  const remove = async (): Promise<void> => {
    controller.fetch(TodoResource.delete, { id: '5' }).catch(() => undefined);
    await settle();
  };
  const change = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'new' });
  await remove();

  expect(inspector.writes().map(({ endpoint, status, waitsFor }) => [endpoint, status, waitsFor])).toEqual([
    ['Todo.partialUpdate', 'sent', undefined],
    ['Todo.delete', 'waiting', 'Todo.partialUpdate'],
  ]);
  await network.answer('PATCH /todos/5', { id: '5', title: 'new' });
  await change;
  expect(sayWrites(inspector)).toEqual(['The deletion of Todo 5 is held back, to be sent later.']);
  expect(inspector.writes()).toMatchObject([{ status: 'held', waitsFor: undefined }]);

  await world.pass(5_000);
  expect(sayWrites(inspector)).toEqual(['The deletion of Todo 5 was sent, and has no response yet.']);
});

test('a mutation whose row is read first is held back, and the timeline has only the request that left', async () => {
  const inspector = inspect();
  const managers = [inspector, new HttpSemantics({ preconditions: 'required' }), ...getDefaultManagers()];
  const inspected = { ...createInspected({}, { managers }), inspector };
  const { controller, network } = inspected;
  const change = controller.fetch(TodoResource.partialUpdate, { id: '5' }, { title: 'mine' });
  await settle();
  const requested = (): string[] => inspector.requests().map(({ endpoint, cause }) => `${endpoint} ${cause}`);

  expect(requested()).toEqual(['Todo.partialUpdate call']);
  expect(sayWrites(inspector)).toEqual(['The change of title of Todo 5 is held back, to be sent later.']);

  await network.answer('GET /todos/5', { id: '5', title: 'old' }, { headers: { etag: '"1"' } });
  await network.answer('PATCH /todos/5', { id: '5', title: 'mine' });
  await change;
  expect(inspector.requests().map(({ method, cause, outcome }) => [method, cause, outcome])).toEqual([
    ['GET', 'call', 'counted'],
    ['PATCH', 'call', 'counted'],
  ]);
  expect(inspector.history().filter(({ what }) => what === 'request')).toHaveLength(2);
});
