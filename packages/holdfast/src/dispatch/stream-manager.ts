// Writes the messages of a WebSocket or an EventSource into the store. Each message counts as a write at the moment of its arrival.
// After an outage the manager connects again. When messages have ids, it resumes from the last id; otherwise it marks stale the
// data that may have changed while there was no connection.
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { TimerId } from '../support/environment.ts';
import { ResetError, toError, warnOnce } from '../support/errors.ts';
import { backoffMs, waitForDelay } from './backoff.ts';
import type { LiveSubscription, Manager, ManagerHost } from './manager.ts';
import type { NetworkRequest, Send } from './network-request.ts';
import { DEFAULT_MAX_RECONNECT_MS, DEFAULT_RECONNECT_MS } from './stream-options.ts';
import type { StreamConnection, StreamEvent, StreamOptions } from './stream-options.ts';

type ReceivedId = string | undefined | void;

/** Each read that this manager causes waits for a random part of this time, so that not all clients read at the same moment. */
const REFETCH_SPREAD_MS = 1_000;

/** A subscription that this stream serves, with the messages that begin and end it. */
interface StreamSubscription {
  readonly key: string;
  readonly open: unknown;
  readonly close: unknown;
  /** True after `open` was sent. From then on, a message is missed only if the connection breaks and cannot be resumed. */
  isOpenSent: boolean;
}

/** The stream of one user. A reset replaces it; the pending callbacks of a replaced stream have no effect. */
interface UserStream {
  /** The id of the last message with an id; undefined if no message had an id. */
  resumeFrom: string | undefined;
  /** The controller that `receive` gets. After a reset, each use of one of its properties throws. */
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
  readonly #servedSubscriptions = new Set<StreamSubscription>();
  #host: ManagerHost | null = null;
  #stream: UserStream | null = null;
  #connection: StreamConnection | null = null;
  #isOpen = false;
  /** Whether the connection has been open at least once. */
  #wasOpen = false;
  /** True while `#markDataStale` runs: reads that are sent meanwhile are refetches that `#markDataStale` has caused. */
  #isMarkingStale = false;
  #timer: TimerId = null;
  #attemptCount = 0;
  #stopOnline: (() => void) | null = null;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  subscribe(subscription: LiveSubscription): (() => void) | undefined {
    const { serve } = this.#options;
    const messages = serve ? serve(subscription) : {};
    if (messages === undefined) return undefined;
    const served: StreamSubscription = {
      key: subscription.key,
      isOpenSent: false,
      open: messages.open,
      close: messages.close,
    };
    this.#servedSubscriptions.add(served);
    if (this.#isOpen && this.#host) this.#sendOpen(this.#host, [served]);
    else this.#connect();
    return () => {
      this.#servedSubscriptions.delete(served);
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
    if (this.#isMarkingStale && isRead)
      await waitForDelay(environment.timers, environment.random() * REFETCH_SPREAD_MS, signal);
    return next(request);
  }

  event(event: { readonly type: string }): void {
    // After a reset, the next user must receive nothing from the stream of the last user.
    if (event.type !== 'reset') return;
    this.#stream = null;
    this.#disconnect();
    this.#connect();
  }

  get #isWanted(): boolean {
    return this.#host !== null && (this.#options.serve === undefined || this.#servedSubscriptions.size > 0);
  }

  #connect(): void {
    const host = this.#host;
    if (host === null || this.#connection !== null || !this.#isWanted) return;
    this.#clearTimer();
    if (!host.environment.online.isOnline()) return;
    const stream = (this.#stream ??= this.#createStream(host));
    let connection: StreamConnection;
    try {
      connection = this.#options.connect(stream.resumeFrom);
    } catch (error) {
      this.#warn('STREAM_NOT_OPENED', error);
      this.#reconnect(host);
      return;
    }
    this.#connection = connection;
    // A closed connection may still emit events: each listener ignores these events when its connection is no longer the current
    // one.
    const listen = (type: string, run: (event: StreamEvent) => void): void =>
      connection.addEventListener(type, (event) => {
        if (this.#connection === connection) run(event);
      });
    listen('open', () => this.#onOpen(host, stream));
    listen('message', (event) => this.#receive(event, stream));
    listen('close', () => this.#reconnect(host));
    listen('error', () => this.#reconnect(host));
  }

  /**
   * Creates a stream whose host throws after a reset: a `receive` that is still running must not write into the next user's store.
   */
  #createStream(host: ManagerHost): UserStream {
    const stream: UserStream = {
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

  #onOpen(host: ManagerHost, { resumeFrom }: UserStream): void {
    this.#isOpen = true;
    const isResumed = resumeFrom !== undefined;
    // Without `serve`, messages may concern any data: after a gap that cannot be resumed, all data is stale.
    if (this.#wasOpen && !isResumed && !this.#options.serve) this.#markDataStale(host, () => true);
    this.#wasOpen = true;
    this.#sendOpen(host, this.#servedSubscriptions, isResumed);
  }

  /**
   * Sends `open` for each subscription. With the `serve` option, also marks stale the data of the subscriptions that may have
   * missed messages: of all of them or, if the stream is resumed, of those whose `open` was not sent before.
   */
  #sendOpen(host: ManagerHost, all: Iterable<StreamSubscription>, isResumed?: boolean): void {
    const missed = new Set<string>();
    for (const served of all) {
      this.#send(served.open);
      if (this.#options.serve && !(isResumed && served.isOpenSent)) missed.add(served.key);
      served.isOpenSent = true;
    }
    if (missed.size > 0) this.#markDataStale(host, (key) => missed.has(key));
  }

  /**
   * Marks data stale. Mounted readers request the data at once, and `request()` of this manager holds each of these reads for up to
   * REFETCH_SPREAD_MS.
   */
  #markDataStale(host: ManagerHost, testKey: (key: string) => boolean): void {
    this.#isMarkingStale = true;
    host.expireAll({ testKey });
    this.#isMarkingStale = false;
  }

  #receive(event: StreamEvent, stream: UserStream): void {
    this.#attemptCount = 0;
    if (event.lastEventId) stream.resumeFrom = event.lastEventId;
    const keep = (id: ReceivedId): void => {
      if (id !== undefined) stream.resumeFrom = id;
    };
    // A message that cannot be stored must not end the stream or the process.
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
    warnOnce(this, code, message, { reason: message });
  }

  #reconnect(host: ManagerHost): void {
    this.#closeConnection();
    if (!this.#isWanted) return;
    this.#attemptCount += 1;
    const {
      reconnectDelayMs: delayMs = DEFAULT_RECONNECT_MS,
      maxReconnectDelayMs: maxDelayMs = DEFAULT_MAX_RECONNECT_MS,
    } = this.#options;
    const { random, timers } = host.environment;
    const plan = { delayMs, maxDelayMs };
    this.#timer = timers.set(() => this.#connect(), backoffMs(plan, this.#attemptCount, random));
  }

  #disconnect(): void {
    this.#clearTimer();
    this.#closeConnection();
    this.#attemptCount = 0;
  }

  #closeConnection(): void {
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
    return JSON.parse(data) as unknown; // cast: JSON may be anything
  } catch {
    return data;
  }
}

export declare namespace StreamManager {
  export type { StreamConnection as Connection, StreamEvent as Event, StreamOptions as Options };
}
