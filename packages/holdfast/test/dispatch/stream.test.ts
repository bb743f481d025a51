// A real event stream over HTTP, read by a small client with the interface of EventSource, and a socket in memory for the
// features that only sockets have.
import { Controller, createResource, Entity, schema, StreamManager } from 'holdfast';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { breathe, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  title = '';
  status = '';
}

type Listener = (event: StreamManager.Event) => void;

class Listening {
  readonly #listeners = new Map<string, Listener[]>();
  isClosed = false;

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  say(type: string, event: StreamManager.Event = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }
}

/** Reads text/event-stream like a browser, without reconnecting. */
class Events extends Listening implements StreamManager.Connection {
  readonly #aborter = new AbortController();

  constructor(url: string) {
    super();
    void this.#read(url).catch(() => this.say('error'));
  }

  async #read(url: string): Promise<void> {
    const response = await fetch(url, { signal: this.#aborter.signal });
    this.say('open');
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => line.split(/: (.*)/)),
        );
        text = text.slice(end + 2);
        this.say('message', { data: fields['data'], lastEventId: fields['id'] ?? '' });
      }
    }
    this.say('error');
  }

  close(): void {
    this.isClosed = true;
    this.#aborter.abort();
  }
}

class Socket extends Listening implements StreamManager.Connection {
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
}

let server: TestServer;
let world: FakeWorld;
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  server.on('GET', '/todos', { body: [{ id: 1, title: 't1', status: 'open' }] });
});
afterEach(() => server.close());
const create = () => createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

test('messages of an event stream enter the store; after an outage the stream resumes after the last message', async () => {
  const TodoResource = create();
  const parts = [
    ['id: 1\ndata: {"id":1,"title":"a"}\n\n', 'id: 2\ndata: {"id":1,"title":"b"}\n\n'],
    ['id: 3\ndata: {"id":1,"title":"c"}\n\n'],
  ];
  server.on('GET', '/events', () => ({
    headers: { 'content-type': 'text/event-stream' },
    body: (async function* () {
      yield* parts.shift() ?? [];
    })(),
  }));
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect: (resumeFrom) =>
          new Events(`${server.url}/events${resumeFrom ? `?after=${resumeFrom}` : ''}`),
        receive: (message, host) => void host.setResponse(TodoResource.get, { id: 1 }, message),
      }),
    ],
  });

  controller.start();
  await until(() => controller.get(Todo, { id: 1 })?.title === 'b');
  await breathe();
  await world.pass(1_000);
  await until(() => controller.get(Todo, { id: 1 })?.title === 'c');
  controller.stop();

  expect(server.seen('GET', '/events').map(({ url }) => url)).toEqual(['/events', '/events?after=2']);
});

test('a message is a write at its time of arrival: a response that was sent before it does not undo it', async () => {
  const TodoResource = create();
  const socket = new Socket();
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect: () => socket,
        receive(message, host) {
          const { deleted, ...row } = message as { id: number; deleted?: boolean; status?: string };
          if (deleted) void host.set(new schema.Invalidate(Todo), { id: row.id });
          else void host.setResponse(TodoResource.getList.push, { status: row.status }, row);
        },
      }),
    ],
  });
  controller.start();
  socket.say('open');
  await controller.fetch(TodoResource.getList, { status: 'open' } as never);
  const shown = () =>
    controller.getResponse(TodoResource.getList, { status: 'open' } as never).data?.map((todo) => todo.id);
  controller.invalidate(TodoResource.getList, { status: 'open' } as never);
  const held = server.hold('GET', '/todos');
  const listing = controller.fetch(TodoResource.getList, { status: 'open' } as never);
  const list = await held.next();

  socket.say('message', { data: '{"id":1,"deleted":true}' });
  socket.say('message', { data: '{"id":7,"title":"new","status":"open"}' });
  socket.say('message', { data: '{"id":8,"title":"other","status":"done"}' });
  list.release();
  await listing;

  expect(shown()).toEqual([7]);
  controller.stop();
  expect(socket.isClosed).toBe(true);
});

test('subscriptions open and close the connection and are sent again after an outage, and missed data is read again', async () => {
  const TodoResource = create();
  const sockets: Socket[] = [];
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect() {
          const socket = new Socket();
          sockets.push(socket);
          return socket;
        },
        receive: () => undefined,
        serve: ({ endpoint }) =>
          endpoint.name === TodoResource.getList.name
            ? { open: { join: 'todos' }, close: { leave: 'todos' } }
            : undefined,
      }),
    ],
  });
  controller.start();
  expect(sockets).toHaveLength(0);
  await controller.fetch(TodoResource.getList, {});

  controller.subscribe(TodoResource.getList, {});
  sockets[0]?.say('open');
  expect(sockets[0]?.sent).toEqual(['{"join":"todos"}']);
  expect(() => controller.subscribe(TodoResource.get, { id: 1 })).toThrow('SUBSCRIPTION_NOT_SERVED');
  // no message was sent about a change between the read and the opening
  expect(controller.getResponse(TodoResource.getList, {}).expiresAt).toBe(0);
  await controller.fetch(TodoResource.getList, {});

  sockets[0]?.say('close');
  expect(controller.getResponse(TodoResource.getList, {}).expiresAt).toBeGreaterThan(0);
  world.goOnline(false);
  await world.pass(60_000);
  expect(sockets).toHaveLength(1);
  world.goOnline(true);
  sockets[1]?.say('open');
  expect(sockets[1]?.sent).toEqual(['{"join":"todos"}']);
  expect(controller.getResponse(TodoResource.getList, {}).expiresAt).toBe(0);

  controller.unsubscribe(TodoResource.getList, {});
  expect(sockets[1]?.sent).toEqual(['{"join":"todos"}', '{"leave":"todos"}']);
  expect(sockets[1]?.isClosed).toBe(true);
  controller.stop();
  expect(world.listeners).toBe(0);
});

test('a stream that cannot be reached is tried again after growing pauses; a closed stream delivers no more messages', async () => {
  const sockets: Socket[] = [];
  const heard: unknown[] = [];
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect() {
          const socket = new Socket();
          sockets.push(socket);
          return socket;
        },
        receive: (message) => void heard.push(message),
      }),
    ],
  });
  controller.start();
  for (let turn = 0; turn < 6; turn += 1) {
    sockets.at(-1)?.say('error');
    sockets.at(-1)?.say('close');
    await world.pass(700);
  }
  expect(sockets.length).toBeLessThanOrEqual(4);

  controller.resetEntireStore();
  sockets[0]?.say('message', { data: '"late"' });
  expect(heard).toEqual([]);
  sockets.at(-1)?.say('message', { data: '"now"' });
  expect(heard).toEqual(['now']);
  controller.stop();
});

test('a message that is refused, or at which receive throws, is skipped and the stream continues', async () => {
  const socket = new Socket();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect: () => socket,
        receive(message, host) {
          if (message === 'nonsense') throw new Error('not JSON');
          return host.set(Todo, message);
        },
      }),
    ],
  });
  controller.start();
  socket.say('open');

  socket.say('message', { data: '{"id":null}' });
  socket.say('message', { data: 'nonsense' });
  socket.say('message', { data: '{"id":1,"title":"a"}' });
  await breathe();

  expect(controller.get(Todo, { id: 1 })?.title).toBe('a');
  expect(warn.mock.calls.filter(([text]) => String(text).includes('STREAM_MESSAGE_REFUSED'))).toHaveLength(2);
  warn.mockRestore();
  controller.stop();
});

// ── failures of its own, and gaps ────────────────────────────────────────────────────────────────

/** Sockets in the order of openings, and the options that open them. */
function sockets() {
  const opened: (Socket & { readonly resumeFrom: string | undefined })[] = [];
  const connect = (resumeFrom: string | undefined): StreamManager.Connection => {
    const socket = Object.assign(new Socket(), { resumeFrom });
    opened.push(socket);
    return socket;
  };
  return { opened, connect };
}

test.each(['first', 'second'])('a stream whose `connect` throws the %s time is tried again', async (time) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { opened, connect } = sockets();
  let tries = 0;
  const started: string[] = [];
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect(resumeFrom) {
          tries += 1;
          if (tries === (time === 'first' ? 1 : 2)) throw new Error('no token yet');
          return connect(resumeFrom);
        },
        receive: () => undefined,
      }),
      { start: () => void started.push('next') },
    ],
  });
  controller.start();
  expect(started).toEqual(['next']);
  opened[0]?.say('open');
  opened[0]?.say('close');
  await world.pass(12_000);

  expect(opened).toHaveLength(time === 'first' ? 1 : 2);
  expect(warn.mock.calls.filter(([text]) => String(text).includes('STREAM_NOT_OPENED'))).toHaveLength(1);
  warn.mockRestore();
  controller.stop();
});

test('a `receive` that ends after a reset neither writes nor sets the position to resume from', async () => {
  const { opened, connect } = sockets();
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let goOn: () => void = () => undefined;
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect,
        async receive(message, host) {
          await new Promise<void>((resolve) => (goOn = resolve));
          const { id } = message as { id: number }; // cast: said below
          if (id === 1) await host.set(Todo, message);
          return `ann ${id}`;
        },
      }),
    ],
  });
  controller.start();
  for (const id of [1, 2]) {
    opened.at(-1)?.say('open');
    opened.at(-1)?.say('message', { data: JSON.stringify({ id, title: "Ann's" }) });
    controller.resetEntireStore();
    goOn();
    await breathe();
    opened.at(-1)?.say('open');
    opened.at(-1)?.say('close');
    await world.pass(2_000);
  }

  expect(controller.get(Todo, { id: 1 })).toBeUndefined();
  expect(opened.map(({ resumeFrom }) => resumeFrom)).toEqual(opened.map(() => undefined));
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  controller.stop();
});

test('an id that an async `receive` returns counts after a lost connection, too', async () => {
  const { opened, connect } = sockets();
  let goOn: () => void = () => undefined;
  const controller = new Controller({
    ...world.options,
    managers: [
      new StreamManager({
        connect,
        async receive() {
          await new Promise<void>((resolve) => (goOn = resolve));
          return '7';
        },
      }),
    ],
  });
  controller.start();
  opened[0]?.say('open');
  opened[0]?.say('message', { data: '{}' });
  opened[0]?.say('close');
  goOn();
  await breathe();
  await world.pass(2_000);

  expect(opened.map(({ resumeFrom }) => resumeFrom)).toEqual([undefined, '7']);
  controller.stop();
});

test('after a gap without ids all data of mounted readers is read once, at times spread over a second', async () => {
  const TodoResource = create();
  const { opened, connect } = sockets();
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: Number(params['id']), title: 't' } }));
  const chances = [0.1, 0.5, 0.9];
  const controller = new Controller({
    ...world.options,
    random: () => chances[0] ?? 0.5,
    managers: [new StreamManager({ connect, receive: () => undefined })],
  });
  controller.start();
  opened[0]?.say('open');
  const readers = [1, 2, 3].map((id) => controller.watch(TodoResource.get, { id }));
  const stops = readers.map((reader) => reader.subscribe(() => undefined));
  await until(() => readers.every((reader) => reader.read().data !== undefined));
  const list = controller.watch(TodoResource.getList, {});
  stops.push(list.subscribe(() => undefined));
  await until(() => list.read().data !== undefined);
  server.forget();

  opened[0]?.say('close');
  await world.pass(5_000);
  expect(server.requests).toHaveLength(0);
  const controllerRandom = [...chances, 0.3];
  controller.environment.random = () => controllerRandom.shift() ?? 0.5;
  opened[1]?.say('open');
  for (const id of [1, 2, 3]) expect(controller.getResponse(TodoResource.get, { id }).expiresAt).toBe(0);
  expect(server.requests).toHaveLength(0);
  const sent: number[] = [];
  for (const passed of [99, 2, 398, 2, 398, 2]) {
    await world.pass(passed);
    sent.push(server.requests.length);
  }
  expect(sent).toEqual([0, 1, 2, 3, 3, 4]);

  await world.pass(10_000);
  expect(server.requests).toHaveLength(4);
  for (const stop of stops) stop();
  controller.stop();
});

test('a stream without `serve` serves every subscription', async () => {
  const TodoResource = create();
  const { opened, connect } = sockets();
  const controller = new Controller({
    ...world.options,
    managers: [new StreamManager({ connect, receive: (message, host) => host.set(Todo, message) })],
  });
  controller.start();
  opened[0]?.say('open');
  const reader = controller.watch(TodoResource.getList, {});
  const stop = reader.subscribe(() => undefined);
  controller.subscribe(TodoResource.getList, {});
  await until(() => reader.read().data !== undefined);

  opened[0]?.say('message', { data: '{"id":1,"title":"told"}' });
  await breathe();
  expect(reader.read().data?.[0]?.title).toBe('told');
  controller.unsubscribe(TodoResource.getList, {});
  expect(opened[0]?.isClosed).toBe(false);
  await world.pass(2_000);
  expect(server.requests).toHaveLength(1);
  stop();
  controller.stop();
  expect(opened[0]?.isClosed).toBe(true);
});

test.each([
  'before the first opening',
  'while nobody was subscribed',
  'before a subscription on an open connection',
])('data that changed %s is read again', async (when) => {
  const TodoResource = create();
  const { opened, connect } = sockets();
  let title = 'old';
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: Number(params['id']), title } }));
  const controller = new Controller({
    ...world.options,
    dataExpiryLength: 600_000,
    managers: [
      new StreamManager({
        connect,
        serve: ({ args: [params] }) => ({ open: params, close: params }),
        receive: () => undefined,
      }),
    ],
  });
  controller.start();
  const reader = controller.watch(TodoResource.get, { id: 1 });
  const stop = reader.subscribe(() => undefined);
  if (when === 'before a subscription on an open connection') {
    controller.subscribe(TodoResource.get, { id: 2 });
    opened[0]?.say('open');
  }
  await until(() => reader.read().data?.title === 'old');
  if (when === 'while nobody was subscribed') {
    controller.subscribe(TodoResource.get, { id: 1 });
    opened[0]?.say('open');
    await world.pass(1_000);
    controller.unsubscribe(TodoResource.get, { id: 1 });
  }

  title = 'new';
  controller.subscribe(TodoResource.get, { id: 1 });
  if (when !== 'before a subscription on an open connection') opened.at(-1)?.say('open');
  await world.pass(1_000);
  await until(() => reader.read().data?.title === 'new');
  server.forget();
  await world.pass(60_000);
  expect(server.requests).toHaveLength(0);
  stop();
  controller.stop();
});
