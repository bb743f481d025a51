// The one seam between the core and its features. A manager of the library, a saved state and a page rule may each have a method
// EXTENSION. The controller calls the method once, when it is created (that of a page rule once per read), and from then on the
// core calls the parts of the extension that it returned. No feature replaces a method of the core.
//
//   Controller ─▶ manager[EXTENSION](host) ─▶ { sendFlight, beforeStore, onIgnored, onReader, waitFor, promiseOf, start }
//
//   sendFlight     request ─▶ page rule ─▶ extensions ─▶ managers ─▶ network
//   beforeStore    payload ─▶ extensions ─▶ store ─▶ what `beforeStore` returned
//   waitFor        reader without data ─▶ the first extension with saved states ─▶ a request
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Effects } from '../store/effects.ts';
import type { View } from '../store/graph.ts';
import type { Fields, Row } from '../store/nodes.ts';
import type { Origin } from '../store/order.ts';
import type { Environment } from '../support/environment.ts';
import type { Flight, Flights } from './flights.ts';
import type { NetworkRequest } from './network-request.ts';

/** The method of managers, saved states and page rules that returns their extension. */
export const EXTENSION: unique symbol = Symbol();

/** Anything that may have an extension. */
export interface Extensible {
  [EXTENSION](host: ExtensionHost): Extension;
}

export function isExtensible(given: object | undefined): given is Extensible {
  return !!given && EXTENSION in given;
}

/** What an extension may read of its controller. The controller's core has this interface. */
export interface ExtensionHost {
  /** The present engine: a reset replaces it. */
  readonly engine: Engine;
  readonly environment: Environment;
  readonly flights: Flights;
  /** The fields that acknowledged mutations have sent and no read has returned since. */
  readonly acknowledged: readonly { readonly row: Row; readonly fields: Fields }[];
  /** The readers with listeners. */
  readonly mountedObservers: ReadonlySet<ExtensionReader>;
  readonly errorExpiryLength: number;
  /** See `Core`. */
  readonly scheduleCollection: () => void;
}

/** A reader: the observer of an endpoint or of a schema. */
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
 * What a reader does. `watch`: a component or other code gets it from the controller. `mount`, `unmount`: it starts or stops to
 * watch the store. `notify`: it is about to call its listeners. `look`, `retry`: it may send a request now, until `looked`.
 */
export type ReaderEvent = 'watch' | 'mount' | 'unmount' | 'notify' | 'look' | 'retry' | 'looked';

/** Sends the request of a flight. One flight may send several requests, for a list with pages. */
export type SendFlight = (request: NetworkRequest, flight: Flight) => Promise<RequestOutcome>;

/** The parts that a feature may implement, all of them optional. */
export interface Extension {
  /** Wraps each request, around all managers: calls `next` to send it, and returns the outcome. */
  sendFlight?(request: NetworkRequest, flight: Flight, next: SendFlight): Promise<RequestOutcome>;
  /**
   * Called when a payload is about to be applied to base: the response of `flight`, or without a flight a value for `set`, a
   * message or a direct response. The origin's stamp may still be changed. The function that it returns is called when the
   * payload is stored, in the same batch.
   */
  beforeStore?(effects: Effects, origin: Origin, flight: Flight | undefined): (() => void) | undefined;
  /** Fields of a message, or of a value for `set`, are not stored, because a mutation of this client may be newer. */
  onIgnored?(row: Row, incoming: Fields, names: readonly string[]): void;
  /** `retriesFailed` belongs to `look`: undefined when the reader looks by itself. */
  onReader?(reader: ExtensionReader, event: ReaderEvent, retriesFailed?: boolean): void;
  /** Promise of the reader's data, from the next saved states or else from a request; undefined when no state is available. */
  waitFor?(reader: AwaitingReader): Promise<unknown> | undefined;
  /** The promise that `waitFor` returned to this reader, until the saved states were searched for the reader's data. */
  promiseOf?(reader: AwaitingReader): Promise<unknown> | undefined;
  /** Called by each `start` of the controller. */
  start?(): void;
}

/** Wraps `send` in the extensions' `sendFlight` methods; the first extension is the outermost. */
export function chainExtensions(extensions: readonly Extension[], send: SendFlight): SendFlight {
  return extensions.reduceRight<SendFlight>(
    (next, extension) =>
      extension.sendFlight ? (request, flight) => extension.sendFlight!(request, flight, next) : next, // the chain contains only extensions with `sendFlight`
    send,
  );
}

/** The first result that is not undefined. */
export function firstOf<T>(
  extensions: readonly Extension[],
  ask: (extension: Extension) => T | undefined,
): T | undefined {
  for (const extension of extensions) {
    const found = ask(extension);
    if (found) return found;
  }
  return undefined;
}
