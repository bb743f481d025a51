// A real HTTP server on a free port, programmed by each test: routes, delays, failures, dropped connections, and
// responses held back and released in any order. Requests are recorded. Node only; browser tests use shared-server.ts.
//
//   const server = await startServer();
//   server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: params.id } }));
//   const held = server.hold('GET', '/todos/:id');
//   const first = await held.next();   // has reached the server, its response has not left
//   first.release();                   // or release({ status: 500 }), or drop()
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request as the server received it. `body` is parsed when it was JSON, a string otherwise, undefined when empty. */
export interface RecordedRequest {
  readonly method: string;
  /** Path without the query: `/todos/1`. */
  readonly path: string;
  /** Path with the query, as in the request line. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Becomes true when the client disconnected before the response. */
  aborted: boolean;
}

/** A response. A string, bytes or async iterable is sent unchanged; any other defined body as JSON; none gives 204. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Milliseconds to wait before responding. */
  readonly delay?: number;
  /** Closes the connection without a response. */
  readonly drop?: boolean;
}

export type Handler = (request: RecordedRequest) => Reply | Promise<Reply>;

/** A request that has reached the server and whose response waits. */
export interface HeldRequest {
  readonly request: RecordedRequest;
  /** Sends the response computed when the request arrived, or the one given here. */
  release(reply?: Reply): void;
  /** Closes the connection without a response. */
  drop(): void;
}

export interface Hold {
  /** Requests caught so far, released ones included, in order of arrival. */
  readonly caught: readonly HeldRequest[];
  /** The next caught request that `next` has not returned yet. */
  next(): Promise<HeldRequest>;
  /** Stops catching; held requests stay held until they are released. */
  stop(): void;
  /** Stops catching and releases everything in order of arrival. */
  releaseAll(): void;
}

export interface TestServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Sets the response of a route; the newest matching route wins. Paths may contain `:name` and end in `*`. */
  on(method: string, path: string, handler: Handler | Reply): void;
  /** Holds every later request that matches. */
  hold(method: string, path: string): Hold;
  /** Recorded requests that match. */
  seen(method: string, path: string): readonly RecordedRequest[];
  /** Removes the recorded requests. */
  forget(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type Match = (method: string, path: string) => Record<string, string> | undefined;

function createMatch(method: string, template: string): Match {
  const names: string[] = [];
  const pattern = template
    .replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/:(\w+)|\*$/g, (_, name) => {
      names.push(name ?? 'rest');
      return name ? '([^/]+)' : '(.*)';
    });
  const whole = new RegExp(`^${pattern}$`);
  return (actualMethod, path) => {
    // a preflight is sent by the browser itself: only a route for OPTIONS responds to it
    if (method === '*' ? actualMethod === 'OPTIONS' : method !== actualMethod) return undefined;
    const found = whole.exec(path);
    if (!found) return undefined;
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
  };
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return undefined;
  if (!(incoming.headers['content-type'] ?? '').includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': '*',
};

async function send(outgoing: ServerResponse, reply: Reply): Promise<void> {
  if (reply.delay) await sleep(reply.delay);
  if (reply.drop) {
    outgoing.socket?.destroy();
    return;
  }
  const { body } = reply;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const streamed = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
  const json = body !== undefined && !raw && !streamed;
  outgoing.writeHead(reply.status ?? (body === undefined ? 204 : 200), {
    ...crossOrigin,
    ...(json ? { 'content-type': 'application/json' } : {}),
    ...reply.headers,
  });
  if (streamed) {
    for await (const chunk of body as AsyncIterable<string | Uint8Array>) outgoing.write(chunk);
    outgoing.end();
  } else {
    outgoing.end(json ? JSON.stringify(body) : body);
  }
}

class RequestHold implements Hold {
  readonly caught: HeldRequest[] = [];
  readonly matches: Match;
  #handedOut = 0;
  #waiting: ((held: HeldRequest) => void)[] = [];
  #stopped = false;
  readonly #releases: (() => void)[] = [];

  constructor(matches: Match) {
    this.matches = matches;
  }

  /** Resolves with the reply to send once the test releases the request. */
  capture(request: RecordedRequest, computed: Reply): Promise<Reply> {
    return new Promise((resolve) => {
      const held: HeldRequest = {
        request,
        release: (reply = computed) => resolve(reply),
        drop: () => resolve({ drop: true }),
      };
      this.#releases.push(() => held.release());
      this.caught.push(held);
      const waiting = this.#waiting.shift();
      if (waiting) {
        this.#handedOut += 1;
        waiting(held);
      }
    });
  }

  isCatching(): boolean {
    return !this.#stopped;
  }

  next(): Promise<HeldRequest> {
    const ready = this.caught[this.#handedOut];
    if (ready) {
      this.#handedOut += 1;
      return Promise.resolve(ready);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop(): void {
    this.#stopped = true;
  }

  releaseAll(): void {
    this.stop();
    for (const release of this.#releases) release();
  }
}

/** Starts a server on a free port of this machine. Close it in `afterEach`, or bind it with `await using`. */
export async function startServer(): Promise<TestServer> {
  const routes: { matches: Match; handler: Handler }[] = [];
  const holds: RequestHold[] = [];
  const requests: RecordedRequest[] = [];

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = incoming.url ?? '/';
    const { pathname: path, searchParams: query } = new URL(url, 'http://127.0.0.1');
    const method = incoming.method ?? 'GET';
    const body = await readBody(incoming);
    const route = routes.findLast(({ matches }) => matches(method, path));
    if (!route && method === 'OPTIONS') return send(outgoing, {});
    const params = route?.matches(method, path) ?? {};
    const request = { method, path, url, params, query, headers: incoming.headers, body, aborted: false };
    requests.push(request);
    outgoing.on('close', () => {
      request.aborted = !outgoing.writableFinished;
    });
    const hold = holds.findLast((each) => each.isCatching() && each.matches(method, path));
    // computed on arrival: a held response has the server state of that time and travels slowly
    const computed = route
      ? await route.handler(request)
      : { status: 404, body: { message: `no route for ${method} ${path}` } };
    await send(outgoing, hold ? await hold.capture(request, computed) : computed);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (outgoing.headersSent) outgoing.destroy();
      else void send(outgoing, { status: 500, body: { message: `test server: ${String(error)}` } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    on(method, path, handler) {
      const run = typeof handler === 'function' ? handler : () => handler;
      routes.push({ matches: createMatch(method, path), handler: run });
    },
    hold(method, path) {
      const hold = new RequestHold(createMatch(method, path));
      holds.push(hold);
      return hold;
    },
    seen(method, path) {
      const matches = createMatch(method, path);
      return requests.filter((request) => matches(request.method, request.path));
    },
    forget() {
      requests.length = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
