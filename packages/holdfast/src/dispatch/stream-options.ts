// What a StreamManager is told: how it connects, what it does with messages, and how long it waits before it connects again.
import type { LiveSubscription, ManagerHost } from './manager.ts';

/**
 * What a WebSocket and an EventSource have in common.
 *
 * @example const connect = (): StreamManager.Connection => new WebSocket('wss://example.com/todos');
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
 * @example const idOf = ({ lastEventId }: StreamManager.Event) => lastEventId;
 */
export interface StreamEvent {
  readonly data?: unknown;
  readonly lastEventId?: string;
}

/**
 * How a {@link StreamManager} connects, and what it does with messages.
 *
 * @example
 * const options: StreamManager.Options = {
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
   * serve. Without it the stream serves every subscription, and the connection is open from `start` to `stop`.
   */
  readonly serve?: (
    subscription: LiveSubscription,
  ) => { readonly open?: unknown; readonly close?: unknown } | undefined;
  /** Milliseconds before the first new try; doubled each time. Default: `defaults.stream.reconnectDelayMs`. */
  readonly reconnectDelayMs?: number;
  /** Milliseconds that no pause is longer than. Default: `defaults.stream.maxReconnectDelayMs`. */
  readonly maxReconnectDelayMs?: number;
}

/** Milliseconds before a broken stream is opened again; doubled each time. */
export const DEFAULT_RECONNECT_MS = 1_000;
/** Milliseconds that no pause before a stream is opened again is longer than. */
export const DEFAULT_MAX_RECONNECT_MS = 30_000;
