// A network whose requests are sent, handled and delivered at three separate moments: a test decides on each. A response is computed
// when the server handles the request, and may arrive any time later.

/** A request that was sent and not answered. */
export interface HeldRequest {
  readonly method: string;
  /** Path and query: `GET /items?page=2`. */
  readonly line: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The server handles it now; it stays on its way back. */
  handle(): void;
  /** Its response arrives; it is handled first where that has not happened. */
  deliver(): Promise<void>;
}

/** What a server says to a request: a body, or a whole response. */
type Handler = (request: HeldRequest) => unknown;

/** Lets everything happen that needs no further response. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

export class NetworkByHand {
  /** Whether each request is delivered at once. */
  isAutomatic = true;
  /** The requests that wait, in the order of their sending. */
  readonly waiting: HeldRequest[] = [];
  /** Every request that was ever sent. */
  readonly lines: string[] = [];
  readonly #handler: Handler;

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  /** The first waiting request whose line begins so. */
  find(start: string): HeldRequest {
    const found = this.waiting.find(({ line }) => line.startsWith(start));
    if (!found) throw new Error(`no ${start} among ${this.waiting.map(({ line }) => line).join(', ')}`);
    return found;
  }

  async deliver(start: string): Promise<void> {
    await this.find(start).deliver();
  }

  readonly fetch = (address: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> =>
    new Promise((resolve) => {
      const { pathname: path, search, searchParams: query } = new URL(address);
      const line = `${method} ${path}${search}`;
      let response: Response | undefined;
      const request: HeldRequest = {
        method,
        line,
        path,
        query,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
        handle: () => {
          if (response) return;
          const said = this.#handler(request);
          response = said instanceof Response ? said : Response.json(structuredClone(said));
        },
        deliver: async () => {
          request.handle();
          const at = this.waiting.indexOf(request);
          if (at >= 0) this.waiting.splice(at, 1);
          resolve(response!); // handled above
          await settle();
        },
      };
      this.lines.push(line);
      if (this.isAutomatic) setImmediate(() => void request.deliver());
      else this.waiting.push(request);
    });
}
