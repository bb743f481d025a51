// Brings messages of a WebSocket or an EventSource into the store. A message is a write that happens at that moment,
// so the order of requests and the membership of lists hold for it as for any answer. Comes back after an outage, from
// where it left off when the messages say where that is; else what was read before the opening is read once more.
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { TimerId } from '../support/environment.ts';
import { ResetError, toError, warnOnce } from '../support/errors.ts';
import { backoffMs, wait } from './backoff.ts';
import type { LiveSubscription, Manager, ManagerHost, NetworkRequest, Send } from './manager.ts';
import { DEFAULT_MAX_RECONNECT_MS, DEFAULT_RECONNECT_MS } from './stream-options.ts';
import type { StreamConnection, StreamEvent, StreamOptions } from './stream-options.ts';

type Received = string | undefined | void;

/** Clients that lost a stream together do not read again together: each request waits for a part of this time. */
const SPREAD_MS = 1_000;

interface Served {
  readonly key: string;
  readonly open: unknown;
  readonly close: unknown;
  /** Whether the server has heard of the subscription: from then on its messages have come, or can be resumed from. */
  isKnown: boolean;
}

/** The stream of one user: what is left of it after a reset does nothing. */
interface Stream {
  /** The id of the last message that was taken. */
  resumeFrom: string | undefined;
  /** The controller, for `receive`. */
  readonly host: ManagerHost;
}

/**
 * Keeps data live through a WebSocket or an EventSource.
 *
 * @example
 * new StreamManager({
 *   connect: () => new WebSocket('wss://example.com/posts'),
 *   serve: ({ args: [params] }) => ({ open: { subscribe: params }, close: { unsubscribe: params } }),
 *   receive: (post, controller) => controller.set(Post, post),
 * });
 */
export class StreamManager implements Manager {
  readonly #options: StreamOptions;
  readonly #served = new Set<Served>();
  #host: ManagerHost | null = null;
  #stream: Stream | null = null;
  #connection: StreamConnection | null = null;
  #isOpen = false;
  /** Whether it was ever open. */
  #wasOpen = false;
  /** While readers are told of a gap: the requests of this moment are those that the gap caused. */
  #isExpiring = false;
  #timer: TimerId = null;
  #attempts = 0;
  #stopOnline: (() => void) | null = null;
  readonly #refused = new Set<string>();

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  subscribe(subscription: LiveSubscription): (() => void) | undefined {
    const { serve } = this.#options;
    const messages = serve ? serve(subscription) : {};
    if (messages === undefined) return undefined;
    const served: Served = {
      key: subscription.key,
      isKnown: false,
      open: messages.open,
      close: messages.close,
    };
    this.#served.add(served);
    if (this.#isOpen && this.#host) this.#announce(this.#host, [served]);
    else this.#connect();
    return () => {
      this.#served.delete(served);
      if (this.#isOpen) this.#send(served.close);
      if (!this.#isWanted) this.#disconnect();
    };
  }

  start(host: ManagerHost): void {
    this.#host = host;
    this.#stopOnline = host.environment.online.subscribe(() => {
      if (host.environment.online.isOnline()) this.#connect();
    });
    this.#connect();
  }

  stop(): void {
    this.#stopOnline?.();
    this.#stopOnline = null;
    this.#disconnect();
    this.#host = null;
  }

  async request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const { environment, isRead, signal } = request;
    if (this.#isExpiring && isRead) await wait(environment.timers, environment.random() * SPREAD_MS, signal);
    return next(request);
  }

  event(event: { readonly type: string }): void {
    // another user: nothing of this session's stream may go on
    if (event.type !== 'reset') return;
    this.#stream = null;
    this.#disconnect();
    this.#connect();
  }

  get #isWanted(): boolean {
    return this.#host !== null && (this.#options.serve === undefined || this.#served.size > 0);
  }

  #connect(): void {
    const host = this.#host;
    if (host === null || this.#connection !== null || !this.#isWanted) return;
    this.#clearTimer();
    if (!host.environment.online.isOnline()) return;
    const stream = (this.#stream ??= this.#begin(host));
    let connection: StreamConnection;
    try {
      connection = this.#options.connect(stream.resumeFrom);
    } catch (error) {
      this.#warn('STREAM_NOT_OPENED', error);
      this.#reconnect(host);
      return;
    }
    this.#connection = connection;
    // each listener asks whether its connection is still the one: a closed one may speak on
    const listen = (type: string, run: (event: StreamEvent) => void): void =>
      connection.addEventListener(type, (event) => {
        if (this.#connection === connection) run(event);
      });
    listen('open', () => this.#opened(host, stream));
    listen('message', (event) => this.#receive(event, stream));
    listen('close', () => this.#reconnect(host));
    listen('error', () => this.#reconnect(host));
  }

  /** A `receive` that goes on after a reset must not write into the next user's store. */
  #begin(host: ManagerHost): Stream {
    const stream: Stream = {
      resumeFrom: undefined,
      host: new Proxy(host, {
        get: (target, name) => {
          if (this.#stream !== stream) throw new ResetError();
          return Reflect.get(target, name) as unknown;
        },
      }),
    };
    return stream;
  }

  #opened(host: ManagerHost, { resumeFrom }: Stream): void {
    this.#isOpen = true;
    const isResumed = resumeFrom !== undefined;
    // the stream brings everything: so much may have been missed as well
    if (this.#wasOpen && !isResumed && !this.#options.serve) this.#expire(host, () => true);
    this.#wasOpen = true;
    this.#announce(host, this.#served, isResumed);
  }

  /** Tells the server of subscriptions. What changed before that, and is not resumed from, was missed: it is read again. */
  #announce(host: ManagerHost, all: Iterable<Served>, isResumed?: boolean): void {
    const missed = new Set<string>();
    for (const served of all) {
      this.#send(served.open);
      if (this.#options.serve && !(isResumed && served.isKnown)) missed.add(served.key);
      served.isKnown = true;
    }
    if (missed.size > 0) this.#expire(host, (key) => missed.has(key));
  }

  /** Mounted readers read again at once: their requests wait in `request`. */
  #expire(host: ManagerHost, testKey: (key: string) => boolean): void {
    this.#isExpiring = true;
    host.expireAll({ testKey });
    this.#isExpiring = false;
  }

  #receive(event: StreamEvent, stream: Stream): void {
    this.#attempts = 0;
    if (event.lastEventId) stream.resumeFrom = event.lastEventId;
    const keep = (id: Received): void => {
      if (id !== undefined) stream.resumeFrom = id;
    };
    // one bad message must not end the stream, nor a process
    const refuse = (error: unknown): void => {
      if (this.#stream === stream) this.#warn('STREAM_MESSAGE_REFUSED', error);
    };
    try {
      const received = this.#options.receive(parseMessage(event.data), stream.host);
      if (received instanceof Promise) received.then(keep, refuse);
      else keep(received);
    } catch (error) {
      refuse(error);
    }
  }

  #warn(code: string, error: unknown): void {
    const { message } = toError(error);
    warnOnce(this.#refused, code, message, { reason: message });
  }

  #reconnect(host: ManagerHost): void {
    this.#drop();
    if (!this.#isWanted) return;
    this.#attempts += 1;
    const {
      reconnectDelayMs: delayMs = DEFAULT_RECONNECT_MS,
      maxReconnectDelayMs: maxDelayMs = DEFAULT_MAX_RECONNECT_MS,
    } = this.#options;
    const { random, timers } = host.environment;
    const plan = { delayMs, maxDelayMs };
    this.#timer = timers.set(() => this.#connect(), backoffMs(plan, this.#attempts, random));
  }

  #disconnect(): void {
    this.#clearTimer();
    this.#drop();
    this.#attempts = 0;
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = null;
    this.#isOpen = false;
    connection?.close();
  }

  #send(message: unknown): void {
    if (message === undefined) return;
    this.#connection?.send?.(typeof message === 'string' ? message : JSON.stringify(message));
  }

  #clearTimer(): void {
    if (this.#timer !== null) this.#host?.environment.timers.clear(this.#timer);
    this.#timer = null;
  }
}

function parseMessage(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data) as unknown; // cast: that is what JSON is
  } catch {
    return data;
  }
}

export declare namespace StreamManager {
  export type { StreamConnection as Connection, StreamEvent as Event, StreamOptions as Options };
}
