// Writes an endpoint's response or error into its slot, in the order of requests: neither a late response nor a late error
// replaces the response of a later request. Also marks slots invalid or stale, for `invalidate` and `expireAll`.
import { storedParts } from './read-slot.ts';
import { isEqual } from '../../store/fields.ts';
import { markOutdated } from '../../dispatch/flights.ts';
import { dataExpiryMs, errorExpiryMs } from './decide.ts';
import type { EndpointExpiryTimes } from './decide.ts';
import { advance, earlier, knowsOf, mayReplace, stampOfRead, stampOfWrite } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import { List } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import type { AnyEndpoint, EndpointInterface, KeyTest } from '../../endpoint/endpoint-interface.ts';
import type { StaleMarkType, Store } from '../../store/store.ts';
import type { Core } from '../state/core.ts';

interface ResponseTiming {
  readonly isRead: boolean;
  /** When the request was sent, as a time on the store's timeline; Infinity for this moment. */
  readonly sent: number;
  /** Set for an error: how many failures in a row there are, including this one. */
  readonly failureCount?: number;
}

/**
 * Creates the stamp of a response or error that arrives now. The expiry times of the endpoint, else those of the controller, decide
 * when the response or error expires.
 */
export function createStamp(
  core: Core,
  endpoint: EndpointExpiryTimes,
  { isRead, sent, failureCount }: ResponseTiming,
): Stamp {
  const now = core.environment.clock.now();
  const expiryMs = failureCount ? errorExpiryMs(core, endpoint, failureCount) : dataExpiryMs(core, endpoint);
  const settled = core.engine.store.timeline.tick();
  const times = { sent: earlier(sent, settled), settled, expiresAt: now + expiryMs, storedAt: now };
  return (isRead ? stampOfRead : stampOfWrite)(times);
}

/** Writes a response that is not a further page. Called inside a batch. */
export function writeResult(store: Store, slot: Slot, stored: unknown, origin: Stamp): void {
  if (slot.hasResult && !mayReplace(origin, slot.stamp)) return;
  const isSame = isEqual(slot.stored, stored);
  const isSameFirst = slot.firstPage ? isEqual(slot.firstPage, stored) : isSame;
  // The first page has changed, for example its token, so the loaded further pages may no longer follow the first page.
  if (slot.hasResult && !isSameFirst) markPagesStale(store, stored, origin);
  if (!isSame) slot.stored = stored;
  slot.hasResult = true;
  slot.stamp = advance(slot.stamp, origin);
  slot.pageStamp = undefined;
  slot.firstPage = undefined;
  if (knowsOf(origin.sent, slot.invalidatedAt)) slot.invalidatedAt = 0;
  if (knowsOf(origin.sent, slot.staleSince)) slot.staleSince = 0;
  // The caller sets `slot.failureCount`, because a response that turns out to be incomplete counts as a failure.
  if (mayReplace(origin, slot.errorStamp)) slot.error = undefined;
  store.mark(slot);
}

/**
 * Writes a further page. Its rows are in the list already; the slot takes the other properties of the response, such as the next
 * token. The slot keeps the expiry of the first page. Call this inside a batch.
 */
export function writePage(store: Store, slot: Slot, stored: unknown, origin: Stamp): void {
  // Pages that are requested together may arrive in any order: the page that was requested last decides.
  if (!slot.hasResult || !mayReplace(origin, slot.pageStamp ?? slot.stamp)) return;
  slot.pageStamp = origin;
  if (isEqual(slot.stored, stored)) return;
  slot.firstPage ??= slot.stored;
  slot.stored = stored;
  store.mark(slot);
}

/** Marks lists with further pages stale: their tokens came from a first page that has been replaced. */
function markPagesStale(store: Store, stored: unknown, { settled }: Stamp): void {
  for (const list of storedParts(stored)) {
    if (!(list instanceof List) || list.segments.length < 2) continue;
    list.firstPageChangedAt = settled;
    store.markStale(list, settled);
  }
}

export function writeError(store: Store, slot: Slot, error: Error, origin: Stamp): void {
  if (!mayReplace(origin, slot.stamp) || !mayReplace(origin, slot.errorStamp)) return;
  slot.error = error;
  slot.errorStamp = origin;
  slot.failureCount += 1;
  store.mark(slot);
}

/** Changes properties of a slot and notifies its readers. */
export function changeSlot(store: Store, slot: Slot, change: Partial<Slot>): void {
  store.batch(() => store.mark(Object.assign(slot, change)));
}

// ── ageing ───────────────────────────────────────────────────────────────────────────────────────

/**
 * Marks stored responses invalid, so that they are not shown, or stale, so that they are fetched again. Only the response to a
 * request that is sent from now on removes the mark, because a request in flight may return the old data.
 */
export function markSlots(core: Core, type: StaleMarkType, slots: readonly Slot[]): void {
  const { store } = core.engine;
  core.actionCount += 1;
  store.batch(() => {
    for (const slot of slots) {
      const since = store.timeline.tick();
      markOutdated(core.flights.readsOf(slot.key));
      changeSlot(
        store,
        slot,
        type === 'expire'
          ? { staleSince: since }
          : { invalidatedAt: since, error: undefined, failureCount: 0 },
      );
    }
  });
  core.emit({ type });
  for (const observer of core.mountedObservers) observer.fetchIfNeeded();
}

/**
 * For how many endpoints and key tests the store remembers `markAllSlots`. A later call is remembered as a call for all endpoints.
 */
const MAX_MARKED_ENDPOINTS = 100;

/**
 * Expires or invalidates every stored response of an endpoint, whatever its arguments were, or those whose keys a key test accepts.
 * Slots are found by `testKey`, if there is one, else by the key patterns that each slot keeps. The call is remembered for
 * responses that a later saved state contains.
 */
export function markAllSlots(core: Core, type: StaleMarkType, given: AnyEndpoint | KeyTest): void {
  const { markedEndpoints, slots } = core.engine.store;
  const endpoint = finishEndpoint(given) as Partial<Pick<EndpointInterface, 'testKey' | 'keyPattern'>>; // cast: it has one of the two methods
  const pattern = endpoint.keyPattern?.() ?? '';
  markedEndpoints.set(markedEndpoints.size < MAX_MARKED_ENDPOINTS ? pattern || endpoint : '', type);
  const isOfEndpoint = ({ key, keyPatterns }: Slot): boolean =>
    endpoint.testKey?.(key) ?? keyPatterns.includes(pattern);
  markSlots(core, type, [...slots.values()].filter(isOfEndpoint));
}
