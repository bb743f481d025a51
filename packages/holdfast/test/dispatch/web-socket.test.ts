// The stream manager over a real WebSocket: the client of the platform against a server of the tests.
import { Controller, createResource, Entity, schema, StreamManager } from 'holdfast';
import type { Manager } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breathe, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { startWebSocketServer } from '../support/web-socket-server.ts';
import type { WebSocketServer } from '../support/web-socket-server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  status = '';
}

let server: TestServer;
let live: WebSocketServer;
let world: FakeWorld;
let controller: Controller | undefined;
beforeEach(async () => {
  server = await startServer();
  live = await startWebSocketServer();
  world = new FakeWorld();
  server.on('GET', '/todos', { body: [{ id: 1, title: 'a', status: 'open' }] });
});
afterEach(async () => {
  controller?.stop();
  await Promise.all([server.close(), live.close()]);
});

/** A resource, a controller that gets its messages over the socket, and the data on screen. */
function connect({ hasIds = true }: { hasIds?: boolean } = {}) {
  const todos = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { status: string },
  });
  const receive = (message: unknown, host: Manager.Host): string | undefined => {
    const { seq, deleted, row } = message as { seq: number; deleted?: number; row: Todo }; // cast: own server
    if (deleted !== undefined) void host.set(new schema.Invalidate(Todo), { id: deleted });
    else void host.setResponse(todos.getList.push, { status: row.status }, row);
    return hasIds ? String(seq) : undefined;
  };
  const made = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect: (resumeFrom) => new WebSocket(`${live.url}/live?after=${resumeFrom ?? ''}`),
        receive,
        serve: ({ args }) => ({ open: { join: args[0] }, close: { leave: args[0] } }),
      }),
    ],
  });
  controller = made;
  made.start();
  const open = { status: 'open' };
  const shown = () => made.getResponse(todos.getList, open).data?.map((todo) => `${todo.id} ${todo.title}`);
  return { made, todos, open, shown };
}

const lastSocket = () => live.sockets.at(-1);

test('messages of a socket enter the store, and a response that was sent before them does not undo them', async () => {
  const { made, todos, open, shown } = connect();
  await made.fetch(todos.getList, open);
  made.subscribe(todos.getList, open);
  await until(() => lastSocket()?.received.length === 1);
  expect(lastSocket()?.received).toEqual([{ join: open }]);
  made.invalidate(todos.getList, open);
  const held = server.hold('GET', '/todos');
  const listing = made.fetch(todos.getList, open);
  const list = await held.next();

  lastSocket()?.send({ seq: 1, row: { id: 7, title: 'new', status: 'open' } });
  lastSocket()?.send({ seq: 2, row: { id: 8, title: 'elsewhere', status: 'done' } });
  lastSocket()?.send({ seq: 3, deleted: 1 });
  await until(() => made.get(Todo, { id: 1 }) === undefined && made.get(Todo, { id: 8 }) !== undefined);
  list.release();
  await listing;

  expect(shown()).toEqual(['7 new']);
});

test('after a cut the socket resumes after the last message, and nothing has to be read again', async () => {
  const { made, todos, open, shown } = connect();
  await made.fetch(todos.getList, open);
  made.subscribe(todos.getList, open);
  await until(() => lastSocket()?.received.length === 1);
  // data that was read before the server had the subscription may have changed before it, too
  await made.fetch(todos.getList, open);
  lastSocket()?.send({ seq: 41, row: { id: 7, title: 'x'.repeat(300), status: 'open' } });
  await until(() => shown()?.length === 2);

  live.sockets[0]?.cut();
  await until(() => live.sockets[0]?.isClosed === true);
  await breathe();
  await world.pass(1_000);
  await until(() => live.sockets[1]?.received.length === 1);
  live.sockets[1]?.send({ seq: 42, row: { id: 9, title: 'missed', status: 'open' } });
  await until(() => shown()?.length === 3);

  expect(live.sockets.map(({ url }) => url)).toEqual(['/live?after=', '/live?after=41']);
  expect(live.sockets[1]?.received).toEqual([{ join: open }]);
  expect(made.getResponse(todos.getList, open).expiresAt).toBeGreaterThan(0);
  expect(server.seen('GET', '/todos')).toHaveLength(2);
});

test('without ids the missed data is read again by its readers', async () => {
  const { made, todos, open, shown } = connect({ hasIds: false });
  const stop = made.watch(todos.getList, open).subscribe(() => undefined);
  made.subscribe(todos.getList, open);
  await until(() => shown()?.length === 1 && lastSocket()?.received.length === 1);
  server.on('GET', '/todos', { body: [{ id: 2, title: 'missed', status: 'open' }] });

  live.sockets[0]?.close();
  await until(() => live.sockets[0]?.isClosed === true);
  await breathe();
  await world.pass(1_000);

  await until(() => shown()?.[0] === '2 missed');
  expect(server.seen('GET', '/todos')).toHaveLength(2);
  stop();
});

test('the last unsubscribe sends its last message and closes the socket, and so does the end of the controller', async () => {
  const { made, todos, open } = connect();
  made.subscribe(todos.getList, open);
  await until(() => lastSocket()?.received.length === 1);
  made.unsubscribe(todos.getList, open);
  await until(() => live.sockets[0]?.isClosed === true);
  expect(live.sockets[0]?.received).toEqual([{ join: open }, { leave: open }]);

  made.subscribe(todos.getList, open);
  await until(() => live.sockets[1]?.received.length === 1);
  made.stop();
  await until(() => live.sockets[1]?.isClosed === true);
  await world.pass(60_000);
  expect(live.sockets).toHaveLength(2);
});
