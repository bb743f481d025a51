// Hears what one reader does, without a word from it: when it looks again and why, and when it tells those who listen to it.
import { EndpointObserver } from '../../controller/observe/observer.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { ViewObserver } from '../../controller/observe/view-observer.ts';
import type { KnownRequest } from './known-request.ts';
import { causeOf } from './stale.ts';

/** What a reader is doing: it looks by itself, because of the page or the network, or tries again. Undefined for none of these. */
export interface Occasion {
  cause: 'look' | 'focus' | 'reconnect' | 'retry' | undefined;
}

/** Once for each reader and recorder. The core has no word for this: it would cost every application bytes, and each reader a check. */
export function hearReader(observer: object, occasion: Occasion, onTell: () => void): void {
  const { listeners } = observer as ViewObserver; // cast: readers are observers
  // who is told is copied first (`tell`): the copy begins with a listener that counts for nothing
  const isThere = listeners.has.bind(listeners);
  const all = listeners[Symbol.iterator].bind(listeners);
  const own = {
    [Symbol.iterator]: function* (): Iterator<() => void> {
      if (listeners.size > 0) yield onTell;
      yield* all();
    },
    has: (listener: () => void): boolean => listener === onTell || isThere(listener),
  };
  Object.assign(listeners, own);
  if (!(observer instanceof EndpointObserver)) return;
  const during = (cause: Occasion['cause'], run: () => void): void => {
    const before = occasion.cause;
    occasion.cause = cause;
    try {
      run();
    } finally {
      occasion.cause = before;
    }
  };
  const freshen = observer.freshen.bind(observer);
  const { retry } = observer;
  Object.assign(observer, {
    freshen: (alsoFailed?: boolean) =>
      during(alsoFailed === undefined ? 'look' : alsoFailed ? 'reconnect' : 'focus', () =>
        freshen(alsoFailed),
      ),
    retry: () => during('retry', retry),
  });
}

/** Why a request was sent: by what readers are doing at this moment, else by those who wait for it. */
export function causeOfFlight(
  flight: Flight,
  request: KnownRequest,
  { cause }: Occasion,
): KnownRequest['cause'] {
  if (!flight.isRead) return 'call';
  if (cause !== undefined) return cause === 'look' ? causeOf(request.reasons) : cause;
  // callers stand among those who wait as soon as they have the request
  queueMicrotask(() => {
    const { readers, isSoft, call } = flight;
    if (readers.has(flight)) request.cause = isSoft ? 'poll' : 'call';
    else if (isSoft) request.cause = 'page';
    // the first page may be asked for by a reader, or for the sake of the one behind it
    else if (readers.size === 0 && call.endpoint.pages) request.cause = 'unknown';
  });
  return 'mount';
}
