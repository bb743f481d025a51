// Finds why a request was sent. A reader reports when it looks at its data, and sends a request that it needs in the same
// synchronous step. So if a request of the reader's call is sent in this step, the reader has caused it, unless only a caller waits
// for the request.
import type { ExtensionReader } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { KnownRequest } from './known-request.ts';
import { causeOfReasons } from './stale.ts';

/**
 * Why a reader looks at its data: by itself (`look`), because the page got the focus, because the network is back, or because its
 * `retry` was called.
 */
export interface ReaderLook {
  readonly reader: ExtensionReader;
  readonly occasion: 'look' | 'focus' | 'reconnect' | 'retry';
}

/**
 * Sets why a request was sent. The cause is the reader that looks at its data or, without such a reader, the readers and callers
 * that wait for the flight.
 */
export function setCause(request: KnownRequest, flight: Flight, look: ReaderLook | undefined): void {
  request.cause = 'call';
  if (!flight.isRead) return;
  request.cause = 'mount';
  if (look) request.cause = look.occasion === 'look' ? causeOfReasons(request.reasons) : look.occasion;
  // Readers and callers are added to `readers` right after the request is sent, so `readers` is read in a microtask.
  queueMicrotask(() => {
    const { readers, isPoll, call } = flight;
    if (readers.has(flight)) {
      if (!look || !readers.has(look.reader)) request.cause = isPoll ? 'poll' : 'call';
    } else if (!look && isPoll) request.cause = 'page';
    // A first page may have been requested by a suspended reader, or because another page needs the token of the first page.
    else if (!look && readers.size === 0 && call.endpoint.pages) request.cause = 'unknown';
  });
}
