// Writes an endpoint's answer or failure into its slot, in the order of requests: a late answer never replaces a newer
// one, nor a late failure a newer answer. Called inside a batch.
import type { Engine } from '../../normalize/engine.ts';
import { joinPages } from '../../schema/collection/paged-array.ts';
import { isEqual } from '../../store/fields.ts';
import { List } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { advance, isOlder } from '../../store/stamp.ts';
import type { Origin } from '../../store/stamp.ts';
import type { Store } from '../../store/store.ts';

export function writeResult(
  engine: Engine,
  slot: Slot,
  stored: unknown,
  origin: Origin,
  isPage: boolean,
): void {
  if (isPage) {
    writePage(engine, slot, stored, origin);
    return;
  }
  if (slot.hasResult && isOlder(origin, slot.stamp)) return;
  const isSame = slot.hasResult && isEqual(slot.stored, stored);
  const isSameFirst = slot.firstPage === undefined ? isSame : isEqual(slot.firstPage, stored);
  // other tokens mean that the pages behind the first no longer follow on
  if (slot.hasResult && !isSameFirst) doubtPages(engine, stored, origin);
  if (!isSame) slot.stored = stored;
  slot.hasResult = true;
  slot.stamp = advance(slot.stamp, origin);
  slot.pageSent = 0;
  slot.firstPage = undefined;
  if (origin.sent >= slot.invalidatedAt) slot.invalidatedAt = 0;
  if (origin.sent >= slot.staleSince) slot.staleSince = 0;
  // the count of failures is the caller's: an answer that turns out incomplete is one
  if (!isOlder(origin, slot.errorStamp)) slot.error = undefined;
  engine.store.mark(slot);
}

/** A further page: the list's own answer grows, its freshness is that of its first page. */
function writePage(engine: Engine, slot: Slot, stored: unknown, origin: Origin): void {
  if (!slot.hasResult || isOlder(origin, slot.stamp)) return;
  // pages asked for together may arrive in any order: the tokens are those of the one asked for last
  const isLast = origin.sent >= slot.pageSent;
  slot.pageSent = Math.max(slot.pageSent, origin.sent);
  const next = joinPages(slot.stored, stored, isLast);
  if (isEqual(slot.stored, next)) return;
  slot.firstPage ??= slot.stored;
  slot.stored = next;
  engine.store.mark(slot);
}

function doubtPages(engine: Engine, stored: unknown, origin: Origin): void {
  for (const list of listsIn(stored)) {
    if (list.segments.length < 2) continue;
    list.brokenAt = origin.stamp.fence;
    engine.store.doubt(list, origin.stamp.fence);
  }
}

/** The server says that nothing changed since: what is stored is fresh again. */
export function renewResult(engine: Engine, slot: Slot, origin: Origin): void {
  if (isOlder(origin, slot.stamp)) return;
  writeResult(engine, slot, slot.firstPage ?? slot.stored, origin, false);
}

export function writeError(engine: Engine, slot: Slot, error: Error, origin: Origin): void {
  if (isOlder(origin, slot.stamp) || isOlder(origin, slot.errorStamp)) return;
  slot.error = error;
  slot.errorStamp = origin.stamp;
  slot.failures += 1;
  engine.store.mark(slot);
}

/** Readers that start anew start without the failure. */
export function clearError(store: Store, key: string): void {
  const slot = store.slot(key);
  if (slot.error === undefined) return;
  store.batch(() => {
    slot.error = undefined;
    store.mark(slot);
  });
}

function listsIn(stored: unknown): List[] {
  if (stored instanceof List) return [stored];
  if (typeof stored !== 'object' || stored === null) return [];
  return Object.values(stored).filter((part) => part instanceof List);
}
