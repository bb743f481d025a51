// The ancestor of a call: what the rows that a mutation names were before it, with what earlier mutations of this client have
// changed, and without what others have.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { amendWrite } from '../../src/controller/request/amend-write.ts';
import { ancestorsOf, changesOf, keepAncestors } from '../../src/controller/request/ancestor.ts';
import { openWrite, sendWrite } from '../../src/controller/request/fetch-write.ts';
import { CORE } from '../../src/controller/state/core.ts';
import { EndpointCall } from '../../src/dispatch/call.ts';
import type { Flight } from '../../src/dispatch/flights.ts';
import { EXTENSION } from '../../src/dispatch/extension.ts';
import { calm, Moments } from '../support/moments.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  votes = 0;
}
const TodoResource = createResource({
  urlPrefix: 'http://api.test',
  path: '/todos/:id',
  schema: Todo,
  body: {} as Partial<Todo>,
  optimistic: true,
});
const { get, getList, partialUpdate } = TodoResource;
const vote = partialUpdate.extend({
  path: '/todos/:id/vote',
  method: 'POST',
  body: undefined,
  getOptimisticResponse: (snapshot, params) => {
    const { id } = params as { id: string }; // cast: the parameters of the path
    return { id, votes: (snapshot.get(Todo, { id })?.votes ?? 0) + 1 };
  },
});

/** A client with todo 5 and a server that a test answers by hand. */
async function start() {
  const rows = new Map<string, Record<string, unknown>>([['5', { id: '5', title: 'A', votes: 0 }]]);
  let refuses = false;
  const network = new Moments(({ method, path, body }) => {
    if (refuses) return { status: 422 };
    const [, , id = '9', action] = path.split('/');
    const row = rows.get(id) ?? { id, title: '', votes: 0 };
    if (method === 'DELETE') return rows.delete(id) ? { status: 204 } : { status: 404 };
    if (method !== 'GET')
      rows.set(id, { ...row, ...(action ? { votes: Number(row['votes']) + 1 } : (body as object)) }); // cast: what the client sends
    return { body: rows.get(id) };
  });
  const controller = new Controller({
    fetch: network.fetch,
    managers: [{ [EXTENSION]: keepAncestors }],
  });
  const core = controller[CORE];
  await controller.setResponse(get, { id: '5' }, rows.get('5'));
  const open = (endpoint: never, ...args: readonly unknown[]): Flight =>
    openWrite(core, new EndpointCall(endpoint, args));
  const type = (fields: object): Flight => open(partialUpdate as never, { id: '5' }, fields);
  const send = (flight: Flight): Promise<unknown> => sendWrite(core, flight).catch((error: unknown) => error);
  return {
    core,
    controller,
    /** The first mutation in flight of this method is handled, and its response arrives. */
    async deliver(method: string) {
      await calm();
      await network.next(method).deliver();
    },
    open,
    type,
    send,
    refuse: (does: boolean) => void (refuses = does),
    /** Another client changes todo 5, and this one reads it. */
    async changeElsewhere(fields: object) {
      rows.set('5', { ...rows.get('5'), ...fields });
      await controller.set(Todo, { id: '5' }, { id: '5', ...fields } as never);
    },
    ancestor: (flight: Flight) => [...ancestorsOf(flight).values()][0],
    changes: (flight: Flight) => [...changesOf(flight).values()],
  };
}

test('of letters that are typed fast, the ancestor is the one that was acknowledged before', async () => {
  const { type, send, ancestor, changes, deliver } = await start();
  const first = type({ title: 'B' });
  const second = type({ title: 'C' });
  const third = type({ title: 'D' });
  for (const flight of [first, second, third]) void send(flight);

  expect(ancestor(first)).toMatchObject({ title: 'A' });
  await deliver('PATCH');
  expect(ancestor(second)).toMatchObject({ title: 'B' });
  await deliver('PATCH');
  expect(ancestor(third)).toMatchObject({ title: 'C' });
  expect(changes(second)).toEqual([{ id: '5', title: 'C' }]);
});

test('an earlier mutation that fails is in no ancestor', async () => {
  const { type, send, ancestor, deliver, refuse } = await start();
  const first = type({ title: 'B' });
  const second = type({ title: 'C' });
  void send(first);
  void send(second);

  refuse(true);
  await deliver('PATCH');

  expect(ancestor(second)).toMatchObject({ title: 'A' });
});

test('what others change after the call does not change the ancestor', async () => {
  const { type, send, ancestor, changes, changeElsewhere, deliver } = await start();
  const first = type({ title: 'B' });
  await changeElsewhere({ title: 'X', votes: 7 });
  const second = type({ votes: 8 });
  void send(first);
  void send(second);
  await deliver('PATCH');

  expect(ancestor(first)).toMatchObject({ title: 'A', votes: 0 });
  expect(changes(first)).toEqual([{ id: '5', title: 'B' }]);
  expect(ancestor(second)).toMatchObject({ title: 'B', votes: 7 });
});

test('the fields that an action changes optimistically move the ancestor on', async () => {
  const { open, type, send, ancestor, deliver } = await start();
  const first = open(vote as never, { id: '5' });
  const second = type({ votes: 5 });
  void send(first);
  void send(second);

  await deliver('POST');

  expect(ancestor(second)).toMatchObject({ title: 'A', votes: 1 });
});

test('a field that is added later has the value of that moment, an older one that of the call', async () => {
  const { core, type, ancestor, changeElsewhere } = await start();
  const flight = type({ title: 'B' });
  await changeElsewhere({ title: 'X', votes: 7 });

  amendWrite(core, flight, [{ id: '5' }, { title: 'BB', votes: 8 }], ['title', 'votes']);

  expect(ancestor(flight)).toMatchObject({ title: 'A', votes: 7 });
});

test('a draft gets its ancestor from the response of its creation, a deleted row has none', async () => {
  const { open, send, ancestor, changes, controller, deliver } = await start();
  await controller.setResponse(getList, {}, []);
  const created = open(getList.push as never, { title: 'new' });
  const draft = created.intent!.drafts[0]!; // the creation is optimistic
  const renamed = open(partialUpdate as never, { id: draft.pk }, { title: 'newer' });
  for (const flight of [created, renamed]) void send(flight);
  expect(ancestor(renamed)).toBeUndefined();

  await deliver('POST');
  expect(ancestor(renamed)).toEqual({ id: '9', title: 'new', votes: 0 });
  expect(changes(created)).toEqual([{ id: '9', title: 'new', votes: 0 }]);

  const removed = open(TodoResource.delete as never, { id: '9' });
  void send(removed);
  await deliver('PATCH');
  await deliver('DELETE');
  expect(ancestor(removed)).toMatchObject({ title: 'newer' });
  expect(changes(removed)).toEqual([null]);
});

test('a row that is not stored has only the fields that earlier mutations have changed', async () => {
  const { open, send, ancestor, deliver } = await start();
  const first = open(partialUpdate as never, { id: '7' }, { title: 'B' });
  const second = open(partialUpdate as never, { id: '7' }, { title: 'C' });
  for (const flight of [first, second]) void send(flight);

  await deliver('PATCH');

  expect(ancestor(second)).toEqual({ id: '7', title: 'B' });
});
