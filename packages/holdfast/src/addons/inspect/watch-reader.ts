// Watches one reader: why it looks at its data again, and when it notifies its listeners. Called by recorder.ts.
import { EndpointObserver } from '../../controller/observe/observer.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { ViewObserver } from '../../controller/observe/view-observer.ts';
import type { KnownRequest } from './known-request.ts';
import { causeOfReasons } from './stale.ts';

/**
 * Why a reader looks at its data at this moment: by itself (`look`), because the page got the focus, because the network is back,
 * or because its `retry` was called. Undefined while no reader looks.
 */
export interface FetchOccasion {
  cause: 'look' | 'focus' | 'reconnect' | 'retry' | undefined;
}

/**
 * Called once per reader and recorder. Replaces methods of the reader, because a hook in the core would cost every application
 * bytes, and every reader a check.
 */
export function watchReader(observer: object, occasion: FetchOccasion, onNotify: () => void): void {
  const { listeners } = observer as ViewObserver; // cast: every reader is a ViewObserver
  // `notify` copies the listeners by iterating: the replaced iterator yields `onNotify` first, which is not in the set or in `size`
  const isThere = listeners.has.bind(listeners);
  const all = listeners[Symbol.iterator].bind(listeners);
  const own = {
    [Symbol.iterator]: function* (): Iterator<() => void> {
      if (listeners.size > 0) yield onNotify;
      yield* all();
    },
    has: (listener: () => void): boolean => listener === onNotify || isThere(listener),
  };
  Object.assign(listeners, own);
  if (!(observer instanceof EndpointObserver)) return;
  const during = (cause: FetchOccasion['cause'], run: () => void): void => {
    const before = occasion.cause;
    occasion.cause = cause;
    try {
      run();
    } finally {
      occasion.cause = before;
    }
  };
  const fetchIfNeeded = observer.fetchIfNeeded.bind(observer);
  const { retry } = observer;
  Object.assign(observer, {
    fetchIfNeeded: (alsoFailed?: boolean) =>
      during(alsoFailed === undefined ? 'look' : alsoFailed ? 'reconnect' : 'focus', () =>
        fetchIfNeeded(alsoFailed),
      ),
    retry: () => during('retry', retry),
  });
}

/** Why a request was sent: by the reader that looks at this moment; without one, by the flight's waiting readers and callers. */
export function causeOfFlight(
  flight: Flight,
  request: KnownRequest,
  { cause }: FetchOccasion,
): KnownRequest['cause'] {
  if (!flight.isRead) return 'call';
  if (cause !== undefined) return cause === 'look' ? causeOfReasons(request.reasons) : cause;
  // callers are added to `readers` right after the request is sent, so `readers` is read in a microtask
  queueMicrotask(() => {
    const { readers, isPoll, call } = flight;
    if (readers.has(flight)) request.cause = isPoll ? 'poll' : 'call';
    else if (isPoll) request.cause = 'page';
    // a first page may have been requested by a suspended reader, or for the page that follows it
    else if (readers.size === 0 && call.endpoint.pages) request.cause = 'unknown';
  });
  return 'mount';
}
