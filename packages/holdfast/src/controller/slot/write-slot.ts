// Writes an endpoint's answer or failure into its slot, in the order of requests: a late answer never replaces a newer
// one, nor a late failure a newer answer. Called inside a batch.
import { storedParts } from './read-slot.ts';
import { isEqual } from '../../store/fields.ts';
import { outdate } from '../../dispatch/flights.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { dataExpiryMs, errorExpiryMs } from './decide.ts';
import type { EndpointExpiryTimes } from './decide.ts';
import { advance, isOlder, readOrigin, writeOrigin } from '../../store/stamp.ts';
import type { Origin } from '../../store/stamp.ts';
import { settle } from '../../endpoint/endpoint-base.ts';
import { List } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import type { AnyEndpoint, EndpointInterface, KeyTest } from '../../endpoint/endpoint-interface.ts';
import type { Ageing, Store } from '../../store/store.ts';
import type { Core } from '../state/core.ts';

interface ResponseTiming {
  readonly isRead: boolean;
  /** Infinity for an answer that was sent and acknowledged at this moment. */
  readonly sent: number;
  /** For a failure: its position in the current run of failures, from 1. */
  readonly failures?: number;
}

/** Where an answer that arrives now comes from: when it was sent, and until when it is fresh or, for a failure, stands. */
export function createOrigin(
  core: Core,
  endpoint: EndpointExpiryTimes,
  { isRead, sent, failures }: ResponseTiming,
): Origin {
  const now = core.environment.clock.now();
  const expiryMs = failures ? errorExpiryMs(core, endpoint, failures) : dataExpiryMs(core, endpoint);
  const settled = core.engine.store.timeline.tick();
  return (isRead ? readOrigin : writeOrigin)(Math.min(sent, settled), settled, now + expiryMs, now);
}

/** What a whole answer says. */
export function writeResult(store: Store, slot: Slot, stored: unknown, origin: Origin): void {
  if (slot.hasResult && isOlder(origin, slot.stamp)) return;
  const isSame = isEqual(slot.stored, stored);
  const isSameFirst = slot.firstPage ? isEqual(slot.firstPage, stored) : isSame;
  // other tokens mean that the pages behind the first no longer follow on
  if (slot.hasResult && !isSameFirst) markPagesStale(store, stored, origin);
  if (!isSame) slot.stored = stored;
  slot.hasResult = true;
  slot.stamp = advance(slot.stamp, origin);
  slot.page = undefined;
  slot.firstPage = undefined;
  if (origin.sent >= slot.invalidatedAt) slot.invalidatedAt = 0;
  if (origin.sent >= slot.staleSince) slot.staleSince = 0;
  // the caller counts failures: an answer that turns out incomplete is one
  if (!isOlder(origin, slot.errorStamp)) slot.error = undefined;
  store.mark(slot);
}

/** A further page: its rows are in the list, and what stands beside them is told; the list is as fresh as its first page. */
export function writePage(store: Store, slot: Slot, stored: unknown, origin: Origin): void {
  // pages asked for together may arrive in any order: the tokens are those of the one asked for last
  if (!slot.hasResult || isOlder(origin, slot.page ?? slot.stamp)) return;
  slot.page = origin.stamp;
  if (isEqual(slot.stored, stored)) return;
  slot.firstPage ??= slot.stored;
  slot.stored = stored;
  store.mark(slot);
}

/** Marks the pages that were asked for before this moment: their tokens came from a first page that has been replaced. */
function markPagesStale(store: Store, stored: unknown, { settled }: Origin): void {
  for (const list of storedParts(stored)) {
    if (!(list instanceof List) || list.segments.length < 2) continue;
    list.brokenAt = settled;
    store.markStale(list, settled);
  }
}

export function writeError(store: Store, slot: Slot, error: Error, origin: Origin): void {
  if (isOlder(origin, slot.stamp) || isOlder(origin, slot.errorStamp)) return;
  slot.error = error;
  slot.errorStamp = origin.stamp;
  slot.failures += 1;
  store.mark(slot);
}

/** Changes members of a slot that no answer says; its readers hear of it. */
export function changeSlot(store: Store, slot: Slot, change: Partial<Slot>): void {
  store.batch(() => store.mark(Object.assign(slot, change)));
}

// ── by hand ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Takes the freshness of stored answers away: invalidated ones must not be shown, expired ones only until a fetch that is sent
 * from now on. Requests under way do not count: they may know nothing of what made the data old.
 */
export function ageSlots(core: Core, type: Ageing, slots: readonly Slot[]): void {
  const { store } = core.engine;
  core.actionCount += 1;
  store.batch(() => {
    for (const slot of slots) {
      const since = store.timeline.tick();
      outdate(slot.flights as readonly Flight[]); // cast: opaque to the store
      changeSlot(
        store,
        slot,
        type === 'expire' ? { staleSince: since } : { invalidatedAt: since, error: undefined, failures: 0 },
      );
    }
  });
  core.emit({ type });
  for (const observer of core.observed) observer.freshen();
}

/** So many endpoints are told apart whose answers may come later with a saved state. */
const MOST_AGED = 100;

/**
 * Expires or invalidates every stored answer of an endpoint, whatever its arguments were, and every stored error. An endpoint with a
 * `testKey` finds its answers by their keys; any other endpoint finds them by the pattern of its keys, which each answer keeps. The
 * call is remembered for answers that a saved state brings later.
 */
export function ageAll(core: Core, type: Ageing, given: AnyEndpoint | KeyTest): void {
  const { aged, slots } = core.engine.store;
  const endpoint = settle(given) as Partial<Pick<EndpointInterface, 'testKey' | 'keyPattern'>>; // cast: it has one of the two
  const pattern = endpoint.keyPattern?.() ?? '';
  aged.set(aged.size < MOST_AGED ? pattern || endpoint : '', type);
  const isOfEndpoint = ({ key, keyPatterns }: Slot): boolean =>
    endpoint.testKey?.(key) ?? keyPatterns.includes(pattern);
  ageSlots(core, type, [...slots.values()].filter(isOfEndpoint));
}
