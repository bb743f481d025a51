// Brings messages of a WebSocket or an EventSource into the store. A message is a write that happens at that moment,
// so the order of requests and the membership of lists hold for it as for any answer. Comes back after an outage, from
// where it left off when the messages say where that is.
import type { TimerId } from '../support/environment.ts';
import { toError, warnOnce } from '../support/errors.ts';
import { backoffMs } from './backoff.ts';
import type { LiveSubscription, Manager, ManagerHost } from './manager.ts';

/**
 * What a WebSocket and an EventSource have in common.
 *
 * @example const connect = (): StreamConnection => new WebSocket('wss://example.com/todos');
 */
export interface StreamConnection {
  addEventListener(type: string, listener: (event: StreamEvent) => void): void;
  close(): void;
  /** A WebSocket's; an EventSource has none. */
  send?(text: string): void;
}

/**
 * A message, as a WebSocket and an EventSource bring it.
 *
 * @example const idOf = ({ lastEventId }: StreamEvent) => lastEventId;
 */
export interface StreamEvent {
  readonly data?: unknown;
  readonly lastEventId?: string;
}

type Received = string | undefined | void;

/**
 * How a {@link StreamManager} connects, and what it does with messages.
 *
 * @example
 * const options: StreamOptions = {
 *   connect: () => new EventSource('/events'),
 *   receive: (message, controller) => controller.set(Todo, message),
 * };
 * new StreamManager(options);
 */
export interface StreamOptions {
  /** Opens the connection; `resumeFrom` is the id of the last message that was taken. */
  readonly connect: (resumeFrom: string | undefined) => StreamConnection;
  /**
   * Writes a message into the store; text that is JSON comes parsed. Gives the write's promise, so that a message that is
   * refused is reported and passed over; or the message's id, to resume from.
   */
  readonly receive: (
    message: unknown,
    host: ManagerHost,
  ) => string | undefined | void | Promise<string | undefined | void>;
  /**
   * What to send for a subscription of `controller.subscribe`, and when it ends; undefined for one that this stream does not
   * serve. Without it the connection is open from `start` to `stop`.
   */
  readonly serve?: (
    subscription: LiveSubscription,
  ) => { readonly open?: unknown; readonly close?: unknown } | undefined;
  /** Milliseconds before the first new try; doubled each time. Default: {@link DEFAULT_RECONNECT_MS}. */
  readonly reconnectDelay?: number;
  /** Milliseconds that no pause is longer than. Default: {@link DEFAULT_MAX_RECONNECT_MS}. */
  readonly maxReconnectDelay?: number;
}

/**
 * Milliseconds before a broken stream is opened again; doubled each time.
 *
 * @example const reconnectDelay = DEFAULT_RECONNECT_MS / 2;
 */
export const DEFAULT_RECONNECT_MS = 1_000;
/**
 * Milliseconds that no pause before a stream is opened again is longer than.
 *
 * @example const maxReconnectDelay = 2 * DEFAULT_MAX_RECONNECT_MS;
 */
export const DEFAULT_MAX_RECONNECT_MS = 30_000;

interface Served {
  readonly subscription: LiveSubscription;
  readonly open: unknown;
  readonly close: unknown;
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
  #connection: StreamConnection | null = null;
  #isOpen = false;
  #wasOpen = false;
  #timer: TimerId = null;
  #attempts = 0;
  #resumeFrom: string | undefined;
  #stopOnline: (() => void) | null = null;
  readonly #refused = new Set<string>();

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  subscribe(subscription: LiveSubscription): (() => void) | undefined {
    const messages = this.#options.serve?.(subscription);
    if (messages === undefined) return undefined;
    const served: Served = { subscription, open: messages.open, close: messages.close };
    this.#served.add(served);
    if (this.#isOpen) this.#send(served.open);
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

  event(event: { readonly type: string }): void {
    // another user: nothing of this session's stream may go on
    if (event.type !== 'reset') return;
    this.#resumeFrom = undefined;
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
    const connection = this.#options.connect(this.#resumeFrom);
    this.#connection = connection;
    // each listener asks whether its connection is still the one: a closed one may speak on
    const ifCurrent =
      (run: (event: StreamEvent) => void): ((event: StreamEvent) => void) =>
      (event) => {
        if (this.#connection === connection) run(event);
      };
    connection.addEventListener(
      'open',
      ifCurrent(() => this.#opened(host)),
    );
    connection.addEventListener(
      'message',
      ifCurrent((event) => this.#receive(event, host)),
    );
    const lost = ifCurrent(() => this.#reconnect(host));
    connection.addEventListener('close', lost);
    connection.addEventListener('error', lost);
  }

  #opened(host: ManagerHost): void {
    const isGap = this.#wasOpen && this.#resumeFrom === undefined;
    this.#isOpen = true;
    this.#wasOpen = true;
    for (const { open } of this.#served) this.#send(open);
    // the messages of the gap are lost: readers of such data read it again
    const keys = new Set([...this.#served].map(({ subscription }) => subscription.key));
    if (isGap && keys.size > 0) host.expireAll({ testKey: (key) => keys.has(key) });
  }

  #receive(event: StreamEvent, host: ManagerHost): void {
    this.#attempts = 0;
    if (event.lastEventId) this.#resumeFrom = event.lastEventId;
    const keep = (id: Received): void => {
      if (id !== undefined) this.#resumeFrom = id;
    };
    // one bad message must not end the stream, nor a process
    const refuse = (error: unknown): void => {
      const { message } = toError(error);
      warnOnce(this.#refused, 'STREAM_MESSAGE_REFUSED', message, { reason: message });
    };
    try {
      const received = this.#options.receive(parse(event.data), host);
      if (received instanceof Promise) received.then(keep, refuse);
      else keep(received);
    } catch (error) {
      refuse(error);
    }
  }

  #reconnect(host: ManagerHost): void {
    this.#drop();
    if (!this.#isWanted) return;
    this.#attempts += 1;
    const {
      reconnectDelay: delay = DEFAULT_RECONNECT_MS,
      maxReconnectDelay: maxDelay = DEFAULT_MAX_RECONNECT_MS,
    } = this.#options;
    const { random, timers } = host.environment;
    const plan = { delay, maxDelay };
    this.#timer = timers.set(() => this.#connect(), backoffMs(plan, this.#attempts, random));
  }

  #disconnect(): void {
    this.#clearTimer();
    this.#drop();
    this.#attempts = 0;
    this.#wasOpen = false;
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

function parse(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data) as unknown; // cast: that is what JSON is
  } catch {
    return data;
  }
}
