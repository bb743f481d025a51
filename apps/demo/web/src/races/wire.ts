// The wire below one board of a race. It sends the board's requests to the board's own stage on the server and notes when each was sent,
// handled and delivered. A race may hold a request before it is sent, or its response before it is delivered, until the race releases
// it: the order of events does not depend on the connection.
import type { PlainCard } from './card.ts';

/** A place on the time axis: the step of the race, and the number of the event. */
export interface Moment {
  readonly step: number;
  readonly at: number;
}

/** One request on the time axis. */
export interface Lane {
  readonly id: number;
  readonly method: string;
  /** The query of a read, the body of a write. */
  readonly about: Readonly<Record<string, string>>;
  /** False for what the cache sent by itself. */
  readonly isAsked: boolean;
  readonly sent: Moment;
  /** The server has handled it. */
  readonly handled?: Moment;
  /** The cache has got the response, or has given it up. */
  readonly ended?: Moment;
  readonly isHeld: boolean;
  readonly end: 'open' | 'delivered' | 'refused' | 'given up';
  /** The change of the board by the response, in words. */
  readonly effect: string;
}

export interface Gate {
  /** The request wants to leave, or the response has arrived. */
  readonly arrived: Promise<void>;
  release(): void;
}

interface Hold {
  readonly method: string;
  readonly when: 'before' | 'after';
  readonly isRefused: boolean;
  arrive(): void;
  readonly released: Promise<void>;
}

export interface WireOptions {
  /** The address of the stage: `/stages/1a2b`. */
  readonly stage: string;
  readonly fetch: typeof fetch;
  /** Called after each event. */
  onChange(): void;
  /** The cards on the board. */
  readShown(): readonly PlainCard[];
  /** Says what a response has changed, from the board before it and after it. */
  describe(
    before: readonly PlainCard[],
    after: readonly PlainCard[],
    rows: readonly PlainCard[] | null,
  ): string;
}

export class Wire {
  lanes: readonly Lane[] = [];
  userId = 'mira';
  step = 0;
  readonly #options: WireOptions;
  readonly #holds: Hold[] = [];
  readonly #gates: (() => void)[] = [];
  readonly #asked: string[] = [];
  #events = 0;
  /** Requests that are under way and not held. */
  #moving = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** The next read of that column is one that the race asks for. */
  ask(column: string): void {
    this.#asked.push(column);
  }

  /** Holds the next request with that method: before it leaves, or its response. */
  hold(method: string, when: Hold['when'], { isRefused = false } = {}): Gate {
    const arrived = withResolvers<void>();
    const released = withResolvers<void>();
    this.#holds.push({ method, when, isRefused, arrive: arrived.resolve, released: released.promise });
    this.#gates.push(released.resolve);
    return { arrived: arrived.promise, release: released.resolve };
  }

  /** Begins the lanes anew: what was loaded before a race is not part of it. */
  begin(): void {
    this.lanes = [];
    this.#asked.length = 0;
    this.#events = 0;
  }

  /** The race is over: nothing is held any longer. */
  open(): void {
    this.#holds.length = 0;
    for (const release of this.#gates.splice(0)) release();
  }

  /** Resolves when nothing is under way but what is held. */
  async quiet(): Promise<void> {
    do {
      if (this.#moving > 0) await new Promise<void>((done) => void this.#waiting.push(done));
      // a cache may send something after a response
      await turns();
    } while (this.#moving > 0);
  }

  readonly fetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET';
    const url = new URL(address, 'http://stage.invalid');
    const about =
      method === 'GET'
        ? Object.fromEntries(url.searchParams)
        : (JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, string>);
    const at = this.#holds.findIndex((one) => one.method === method);
    const hold = at === -1 ? undefined : this.#holds.splice(at, 1)[0];
    const id = this.#add(method, about, hold !== undefined);
    const headers = new Headers(init.headers);
    headers.set('stage-user', this.userId);
    if (hold?.isRefused) headers.set('stage-refuse', '1');
    this.#move(1);
    try {
      if (hold?.when === 'before') await this.#wait(hold, init.signal);
      const { fetch: send, stage } = this.#options;
      const response = await send(`${stage}${url.pathname}${url.search}`, { ...init, headers });
      const text = await response.text();
      this.#note(id, { handled: this.#now() });
      if (hold?.when === 'after') await this.#wait(hold, init.signal);
      this.#deliver(id, response, text);
      return new Response(text, response);
    } catch (error) {
      this.#note(id, { ended: this.#now(), end: 'given up' });
      throw error;
    } finally {
      this.#move(-1);
    }
  };

  async #wait(hold: Hold, signal: AbortSignal | null | undefined): Promise<void> {
    this.#move(-1);
    hold.arrive();
    const aborted = withResolvers<never>();
    const abort = (): void => aborted.reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      await Promise.race([hold.released, aborted.promise]);
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#move(1);
    }
  }

  /** The cache has the response in the next turns: the board is compared then. */
  #deliver(id: number, response: Response, text: string): void {
    const before = this.#options.readShown();
    const isRead = this.lanes[id]?.method === 'GET';
    this.#note(id, { ended: this.#now(), end: response.ok ? 'delivered' : 'refused' });
    this.#move(1);
    void turns().then(() => {
      const body = response.ok ? (JSON.parse(text) as PlainCard | PlainCard[]) : []; // cast: the server's own format
      // of an answer to a write, only its effect counts
      const rows = Array.isArray(body) && response.ok ? body : null;
      const effect = this.#options.describe(before, this.#options.readShown(), rows);
      this.#note(id, { effect: effect || (!response.ok ? 'refused' : isRead ? 'changes nothing' : 'saved') });
      this.#move(-1);
    });
  }

  #add(method: string, about: Lane['about'], isHeld: boolean): number {
    const id = this.lanes.length;
    const asked = method === 'GET' ? this.#asked.indexOf(about['status'] ?? '') : -1;
    // a read of one card is no read of a column, which a cache may repeat
    const isAsked = method !== 'GET' || asked !== -1 || !about['status'];
    if (asked !== -1) this.#asked.splice(asked, 1);
    const sent = this.#now();
    this.lanes = [...this.lanes, { id, method, about, isAsked, sent, isHeld, end: 'open', effect: '' }];
    this.#options.onChange();
    return id;
  }

  #note(id: number, changes: Partial<Lane>): void {
    this.lanes = this.lanes.map((lane) => (lane.id === id ? { ...lane, ...changes } : lane));
    this.#options.onChange();
  }

  #now(): Moment {
    return { step: this.step, at: ++this.#events };
  }

  #move(by: 1 | -1): void {
    this.#moving += by;
    if (this.#moving === 0) for (const done of this.#waiting.splice(0)) done();
  }
}

/** A few turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => void setTimeout(done));
}

interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** As `Promise.withResolvers`, which not every supported browser has. */
function withResolvers<T>(): Resolvers<T> {
  let resolve!: Resolvers<T>['resolve'];
  let reject!: Resolvers<T>['reject'];
  const promise = new Promise<T>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}
