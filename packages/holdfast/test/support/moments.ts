// A network whose requests are sent, handled by the server and delivered at three separate moments, each by hand. A response
// contains the state of the server when it handled the request, however late the response is delivered.

export interface Sent {
  readonly method: string;
  /** Method, path and query: `GET /items?page=2`. */
  readonly line: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How the server responds: a body, a status with or without a body, a whole response, or a connection that breaks off. */
export type Reply = { readonly status?: number; readonly body?: unknown } | Response | 'lost';

/** One request in flight. */
export interface Pending extends Sent {
  /** The server handles the request now, if it has not yet. */
  handle(): void;
  /** The response reaches the client. */
  deliver(): Promise<void>;
}

export class Moments {
  /** Requests that were sent and not delivered, in the order of sending. */
  readonly inFlight: Pending[] = [];
  /** The line of every request that was sent. */
  readonly sent: string[] = [];
  /** Whether requests are handled and delivered by themselves. */
  isQuick = false;
  readonly #answer: (request: Sent) => Reply;

  constructor(answer: (request: Sent) => Reply) {
    this.#answer = answer;
  }

  readonly fetch = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const method = init.method ?? 'GET';
      const request: Sent = {
        method,
        line: `${method} ${url.pathname}${url.search}`,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      };
      this.sent.push(request.line);
      let reply: Reply | undefined;
      const handle = (): void => {
        if (reply) return;
        const said = this.#answer(request);
        reply = said instanceof Response ? said : structuredClone(said);
      };
      const pending: Pending = {
        ...request,
        handle,
        deliver: async () => {
          handle();
          // a test may have removed the request, to hold it back while others are quick
          if (this.inFlight.includes(pending)) this.inFlight.splice(this.inFlight.indexOf(pending), 1);
          if (reply === 'lost') reject(new TypeError('fetch failed'));
          else resolve(toResponse(reply!)); // handled above
          await calm();
        },
      };
      init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      this.inFlight.push(pending);
      if (this.isQuick) void pending.deliver();
    });

  /** The oldest request in flight whose line starts with this string: `GET`, `GET /items?q=a`. */
  next(start: string): Pending {
    const found = this.inFlight.find(({ line }) => line.startsWith(start));
    if (!found) throw new Error(`no ${start} among ${this.inFlight.map(({ line }) => line).join(', ')}`);
    return found;
  }

  /** Delivers everything in flight, and the requests that follow from it, until nothing is in flight. */
  async rest(): Promise<void> {
    for (let round = 0; this.inFlight.length > 0; round += 1) {
      if (round > 100) throw new Error(`the client does not come to rest: ${this.sent.slice(-5).join(', ')}`);
      await this.inFlight[0]?.deliver();
    }
  }
}

function toResponse(reply: Exclude<Reply, 'lost'>): Response {
  if (reply instanceof Response) return reply;
  const { status = 200, body } = reply;
  return body === undefined
    ? new Response(null, { status })
    : new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** Lets promises run until none is pending. */
export async function calm(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
