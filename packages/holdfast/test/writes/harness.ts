// The shared parts of the tests of writes: a real server with rows, a client whose sent requests are recorded, and helpers for
// the data on screen and its freshness.
import { Controller, createResource, Entity } from 'holdfast';
import type { AnyEndpoint, AnyReadEndpoint, ControllerOptions, EndpointArgs, ResolveType } from 'holdfast';
import { onTestFinished } from 'vitest';
import { breathe, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { Reply, TestServer } from '../support/server.ts';

export class Todo extends Entity {
  static override key = 'Todo';
  id: number | string = 0;
  title = '';
  status = '';
  votes = 0;
}

type Fields = Record<string, unknown>;

const open = (id: number): Fields => ({ id, title: `t${id}`, status: 'open', votes: 0 });

/** Rows that the server stores; its responses contain them whole. */
function serveRows(server: TestServer): Map<string, Fields> {
  const rows = new Map([1, 2, 3].map((id) => [String(id), open(id)]));
  const change = (id: string, fields: object): Reply => {
    if (!rows.has(id)) return { status: 404 };
    rows.set(id, { ...rows.get(id), ...fields });
    return { body: rows.get(id) };
  };
  const body = (request: { body: unknown }): object => Object(request.body) as object; // cast: Object makes one
  server.on('GET', '/todos', () => ({ body: [...rows.values()] }));
  server.on('GET', '/todos/:id', ({ params }) => change(params['id']!, {}));
  server.on('POST', '/todos', (request) => {
    const id = Math.max(...[...rows.keys()].map(Number)) + 1;
    rows.set(String(id), { ...open(id), ...body(request) });
    return { status: 201, body: rows.get(String(id)) };
  });
  for (const method of ['PUT', 'PATCH'])
    server.on(method, '/todos/:id', (request) => change(request.params['id']!, body(request)));
  server.on('PATCH', '/todos', (request) => ({
    body: (request.body as Fields[]).map((one) => change(String(one['id']), one).body), // cast: what the tests send
  }));
  server.on('POST', '/todos/:id/vote', ({ params }) =>
    change(params['id']!, { votes: Number(rows.get(params['id']!)?.['votes']) + 1 }),
  );
  server.on('DELETE', '/todos/:id', ({ params }) => {
    rows.delete(params['id']!);
    return { status: 204 };
  });
  return rows;
}

/** A server with three todos and a client of it. Closed when the test is over. */
export async function start(options: ControllerOptions = {}) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const rows = serveRows(server);
  const world = new FakeWorld();
  /** Requests as they left the client: `PATCH /todos/1 {"title":"a"}`. */
  const left: string[] = [];
  const carry = options.fetch ?? ((input: string, init?: RequestInit) => fetch(input, init));
  const controller = new Controller({
    ...world.options,
    ...options,
    fetch: (input, init) => {
      const body = typeof init?.body === 'string' ? ` ${init.body}` : '';
      left.push(`${init?.method ?? 'GET'} ${input.slice(server.url.length)}${body}`);
      return carry(input, init);
    },
  });
  return {
    server,
    rows,
    world,
    controller,
    left,
    /** The mutations among what left. */
    writes: () => left.filter((line) => !line.startsWith('GET ')),
    reads: () => left.filter((line) => line.startsWith('GET ')),
    /** A call whose failure the test may look at later, or never. */
    send<E extends AnyEndpoint>(endpoint: E, ...args: EndpointArgs<E>): Promise<ResolveType<E>> {
      const called = controller.fetch(endpoint, ...args);
      called.catch(() => undefined);
      return called;
    },
    todos: (more: object = {}) =>
      createResource({
        urlPrefix: server.url,
        path: '/todos/:id',
        schema: Todo,
        body: {} as Partial<Todo>,
        optimistic: true,
        ...more,
      }),
    isFresh: <E extends AnyReadEndpoint>(endpoint: E, ...args: EndpointArgs<E>): boolean =>
      controller.getResponse(endpoint, ...args).expiresAt > world.time.clock.now(),
    /** A mounted reader, and the data that it has shown so far, without repetitions. */
    show<E extends AnyReadEndpoint>(
      print: (data: NonNullable<ResolveType<E>>) => string,
      endpoint: E,
      ...args: EndpointArgs<E>
    ): string[] {
      const observer = controller.watch(endpoint, ...args);
      const shown: string[] = [];
      const look = (): void => {
        const { data } = observer.readShown();
        const text = data === undefined || data === null ? '' : print(data);
        if (text !== shown.at(-1)) shown.push(text);
      };
      onTestFinished(observer.subscribe(look));
      look();
      return shown;
    },
  };
}

/** The present state of a promise: its value, the code of its failure, or that it is pending. */
export async function endOf(promise: Promise<unknown>): Promise<unknown> {
  const end = promise.catch((error: unknown) => (error as { code?: unknown }).code ?? error); // cast: asking is the check
  await breathe();
  return Promise.race([end, Promise.resolve('pending')]);
}

/** Names another queue than the row's, or none. */
export type Queue = null | ((...args: never) => string | null);

/** The endpoint with another `queue`. */
export function withQueue<E extends { extend(options: never): unknown }>(endpoint: E, queue: Queue): E {
  return endpoint.extend({ queue } as never) as E; // cast: the option changes no type of the call
}
