// The options of a StreamManager (stream-manager.ts), and the types of a connection and of its messages.
import type { LiveSubscription, ManagerHost } from './manager.ts';

/**
 * The methods of a WebSocket or an EventSource that a StreamManager calls.
 *
 * @example const connect = (): StreamManager.Connection => new WebSocket('wss://example.com/todos');
 */
export interface StreamConnection {
  addEventListener(type: string, listener: (event: StreamEvent) => void): void;
  close(): void;
  /** Sends a message to the server. Only a WebSocket has this method. */
  send?(text: string): void;
}

/**
 * An event of a WebSocket or an EventSource. The event of a message has `data`.
 *
 * @example const idOf = ({ lastEventId }: StreamManager.Event) => lastEventId;
 */
export interface StreamEvent {
  readonly data?: unknown;
  readonly lastEventId?: string;
}

/**
 * Options of {@link StreamManager}: how it connects, and how it stores messages.
 *
 * @example
 * const options: StreamManager.Options = {
 *   connect: () => new EventSource('/events'),
 *   receive: (message, controller) => controller.set(Todo, message),
 * };
 * new StreamManager(options);
 */
export interface StreamOptions {
  /** Opens the connection. `resumeFrom` is the id of the last message with an id; undefined if no message had an id. */
  readonly connect: (resumeFrom: string | undefined) => StreamConnection;
  /**
   * Writes a message into the store. A string that contains JSON is parsed first. If this function throws, or returns a promise
   * that rejects, the message is skipped, and development prints a warning, once for each reason. Return the message's id, or a
   * promise of the id, so that the stream can resume after this message.
   */
  readonly receive: (
    message: unknown,
    host: ManagerHost,
  ) => string | undefined | void | Promise<string | undefined | void>;
  /**
   * Returns the messages to send when a subscription of `controller.subscribe` begins (`open`) and ends (`close`), or undefined
   * when this stream does not serve the subscription. The connection is open while the stream serves at least one subscription.
   * Without this option the stream serves every subscription, and the connection is open from `start` to `stop`.
   */
  readonly serve?: (
    subscription: LiveSubscription,
  ) => { readonly open?: unknown; readonly close?: unknown } | undefined;
  /**
   * In milliseconds. The pause before the first attempt to reconnect is between half of this value and the full value. The value
   * doubles for each further attempt. Default: `defaults.stream.reconnectDelayMs`.
   */
  readonly reconnectDelayMs?: number;
  /**
   * The longest pause before an attempt to reconnect, in milliseconds, while the device is online. Default:
   * `defaults.stream.maxReconnectDelayMs`.
   */
  readonly maxReconnectDelayMs?: number;
}

/**
 * In milliseconds. The pause before the first attempt to reopen a broken stream is between half of this value and the full value.
 * The value doubles for each further attempt.
 */
export const DEFAULT_RECONNECT_MS = 1_000;
/** The longest pause before an attempt to reopen a stream, in milliseconds, while the device is online. */
export const DEFAULT_MAX_RECONNECT_MS = 30_000;
