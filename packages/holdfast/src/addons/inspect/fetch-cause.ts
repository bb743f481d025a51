// Finds why a request was sent. A reader reports when it looks at its data, so a request that is sent meanwhile is its request.
// Called by recorder.ts.
import type { Flight } from '../../dispatch/flights.ts';
import type { KnownRequest } from './known-request.ts';
import { causeOfReasons } from './stale.ts';

/**
 * Why a reader looks at its data at this moment: by itself (`look`), because the page got the focus, because the network is back,
 * or because its `retry` was called.
 */
export type FetchOccasion = 'look' | 'focus' | 'reconnect' | 'retry';

/** Why a request was sent: by the reader that looks at this moment; without one, by the flight's waiting readers and callers. */
export function causeOfFlight(
  flight: Flight,
  request: KnownRequest,
  occasion: FetchOccasion | undefined,
): KnownRequest['cause'] {
  if (!flight.isRead) return 'call';
  if (occasion !== undefined) return occasion === 'look' ? causeOfReasons(request.reasons) : occasion;
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
