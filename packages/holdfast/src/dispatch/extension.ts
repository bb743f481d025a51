// The interface through which the core calls its features. A manager of the library, a saved state and a page rule may have a method
// EXTENSION. The method gets the present extension of the controller and returns an extension that takes its place. The controller
// calls these methods once, when it is created; it calls the method of a page rule for each request of its endpoint. Edits,
// transactions and histories wrap the extension when they are first used. The core calls the outermost extension. No feature
// replaces a method of the core.
//
//   core ─▶ page rule ─▶ saved state ─▶ last manager ─▶ … ─▶ first manager ─▶ the managers' `request` ─▶ network
//
//   onWrite         a mutation opens, ends, …     edit, http
//   sendFlight      a request is sent             inspect, http, pages
//   beforeStore     a payload is stored           inspect, http, edit
//   onIgnored       a field is not stored         inspect
//   onReader        a reader mounts, looks, …     inspect
//   waitForState    a reader lacks data           saved states (and promiseOf)
//   start           the controller is started     saved states
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Effects } from '../store/effects.ts';
import type { View } from '../store/graph.ts';
import type { Fields, Row } from '../store/nodes.ts';
import type { Stamp } from '../store/order.ts';
import type { Environment } from '../support/environment.ts';
import type { Flight, Flights } from './flights.ts';
import type { NetworkRequest } from './network-request.ts';

/** The method of managers, saved states and page rules that wraps the extension `inner` in another extension. */
export const EXTENSION: unique symbol = Symbol();

export interface Extensible {
  [EXTENSION](host: ExtensionHost, inner: Extension): Extension;
}

export function isExtensible(given: object | undefined): given is Extensible {
  return !!given && EXTENSION in given;
}

/** The properties of a controller that an extension may read. The controller's core implements this interface. */
export interface ExtensionHost {
  /** The present engine; a reset replaces it. */
  readonly engine: Engine;
  readonly environment: Environment;
  readonly flights: Flights;
  /** The fields of mutations that were acknowledged a short time ago, without the fields that a later read has returned. */
  readonly acknowledged: readonly { readonly row: Row; readonly fields: Fields }[];
  /** The readers with listeners. */
  readonly mountedObservers: ReadonlySet<ExtensionReader>;
  readonly errorExpiryLength: number;
  /** Schedules a garbage collection: see `Core`. */
  readonly scheduleCollection: () => void;
  /** Replaces the store by an empty store without pending mutations; the promises of requests in flight reject. */
  reset(): void;
}

/** A reader: the observer of an endpoint, of a schema or of a local query. */
export interface ExtensionReader {
  readonly listeners: ReadonlySet<() => void>;
  view(): View;
}

/** A reader that may wait for data of a saved state. */
export interface AwaitingReader {
  readonly awaitsData: boolean;
  fetchIfNeeded(): void;
  readShown(): { readonly data: unknown; readonly error: Error | undefined };
  ensurePromise(): Promise<unknown>;
}

/**
 * What a reader does. `watch`: a component or other code gets the reader from the controller. `mount`, `unmount`: the reader starts
 * or stops watching the store. `notify`: the reader is about to call its listeners. `look`: the reader is about to decide whether
 * to send a request. `retry`: the reader is about to send or join a request. If the reader sends a request after `look` or
 * `retry`, it sends the request in the same synchronous step.
 */
export type ReaderEvent = 'watch' | 'mount' | 'unmount' | 'notify' | 'look' | 'retry';

/**
 * What happens to a mutation. `open`: the mutation is called. It has its queues but waits in none of them, has no time on the
 * timeline, and its optimistic update is not shown yet. `amend`: its arguments have changed before it was sent, or sent again.
 * `discard`: a feature ends the mutation. If it is to be sent, or sent again, it is not sent, and its update is rolled back; else
 * another mutation undoes it. `acknowledge`, `fail`: the mutation has ended. In the same batch, any data of its response was
 * stored, and its update was rolled back, except the update of a creation whose response had no id. If a reset ends a mutation,
 * there is no event for its end.
 */
export type WriteEvent = 'open' | 'amend' | 'discard' | 'acknowledge' | 'fail';

/** Sends a request of a flight. One flight may send several requests, for example for a list with pages. */
export type SendFlight = (request: NetworkRequest, flight: Flight) => Promise<RequestOutcome>;

/**
 * The object that the core calls. The innermost extension only sends requests. A feature may wrap the present extension in another
 * one with `extend`.
 */
export interface Extension extends Omit<ExtensionParts, 'sendFlight'> {
  /** Sends a request through the extensions and the managers. */
  readonly sendFlight: SendFlight;
}

/** The parts that a feature may implement, all of them optional. */
export interface ExtensionParts {
  /** Wraps each request, around all managers: calls `next` to send it, and returns the outcome. */
  sendFlight?(request: NetworkRequest, flight: Flight, next: SendFlight): Promise<RequestOutcome>;
  /**
   * Called before a payload is applied to base: the response of `flight` or, without a flight, for example a value for `set`, a
   * message or a direct response. The method may change `origin`. The function that it returns, if it returns one, is called in the
   * same batch, when the payload is stored.
   */
  beforeStore?(effects: Effects, origin: Stamp, flight: Flight | undefined): (() => void) | undefined;
  /** Called when fields of a message or of a value for `set` are not stored, because a mutation of this client may be newer. */
  onIgnored?(row: Row, incoming: Fields, names: readonly string[]): void;
  /**
   * Called when a reader does something. `retriesFailed` belongs to `look`; it is undefined unless `refreshStale` makes the reader
   * look.
   */
  onReader?(reader: ExtensionReader, event: ReaderEvent, retriesFailed?: boolean): void;
  /** Called when something happens to a mutation. `error` belongs to `fail`. */
  onWrite?(flight: Flight, event: WriteEvent, error?: Error): void;
  /**
   * Returns a promise of the reader's data, if a saved state has arrived that is not applied yet; else undefined. States that have
   * arrived are applied in their order until the reader has its data; if they lack the data, a request is sent.
   */
  waitForState?(reader: AwaitingReader): Promise<unknown> | undefined;
  /**
   * The promise that `waitForState` has returned to this reader; undefined after the states were searched for the reader's data.
   */
  promiseOf?(reader: AwaitingReader): Promise<unknown> | undefined;
  /** Called by each `start` of the controller. */
  start?(): void;
}

/** Returns an extension that calls the parts of one feature before the parts of `inner`. */
export function extend(inner: Extension, parts: ExtensionParts): Extension {
  const both: readonly Omit<ExtensionParts, 'sendFlight'>[] = [parts, inner];
  return {
    sendFlight: (request, flight) =>
      parts.sendFlight?.(request, flight, inner.sendFlight) ?? inner.sendFlight(request, flight),
    beforeStore(effects, origin, flight) {
      const ends = both.map((each) => each.beforeStore?.(effects, origin, flight));
      return () => {
        for (const end of ends) end?.();
      };
    },
    onIgnored(row, incoming, names) {
      for (const each of both) each.onIgnored?.(row, incoming, names);
    },
    onReader(reader, event, retriesFailed) {
      for (const each of both) each.onReader?.(reader, event, retriesFailed);
    },
    onWrite(flight, event, error) {
      for (const each of both) each.onWrite?.(flight, event, error);
    },
    waitForState: (reader) => parts.waitForState?.(reader) ?? inner.waitForState?.(reader),
    promiseOf: (reader) => parts.promiseOf?.(reader) ?? inner.promiseOf?.(reader),
    start() {
      for (const each of both) each.start?.();
    },
  };
}
