// When stored data counts as stale: by its own answer, or by the rows and lists of others that it was found in. Rows and
// lists in doubt make what starts from them stale at once. Read by read-slot.ts.
import type { Kind } from '../../schema/protocol/protocol.ts';
import { isNode, List, Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';

/** When the data counts as stale; 0 when there is none. `found` is what a look-up found, where there is no answer. */
export function expiryOf(slot: Slot, found: unknown, kind: Kind): number {
  if (slot.invalidatedAt > 0 || slot.staleSince > 0) return 0;
  if (slot.hasResult) return partsOf(slot.stored).some(isDoubtful) ? 0 : slot.stamp.expiresAt;
  // a summary from a list is shown, and the rest is fetched
  if (found instanceof Row && found.shown && kind.covers?.(found.shown) === false) return 0;
  const parts = partsOf(found);
  return parts.length === 0 ? 0 : Math.min(...parts.map(expiryOfPart));
}

/** The rows and lists that a stored form starts from: itself, or the members of an object. */
export function partsOf(stored: unknown): readonly (Row | List)[] {
  if (isNode(stored)) return [stored];
  const isObject =
    typeof stored === 'object' && stored !== null && Object.getPrototypeOf(stored) === Object.prototype;
  return isObject ? Object.values(stored).filter(isNode) : [];
}

function expiryOfPart(part: Row | List): number {
  if (isDoubtful(part)) return 0;
  if (part instanceof List) return Math.min(...part.segments.map(({ stamp }) => stamp.expiresAt));
  const { shown } = part;
  // nobody has asked for this row, so no answer of its own says that something in it is in doubt
  for (const name in shown) {
    const held = shown[name];
    if (Array.isArray(held) ? held.some(isDoubtfulRow) : isDoubtfulRow(held)) return 0;
  }
  // a row that is gone is no data, however lately it went
  return shown ? part.stamp.expiresAt : 0;
}

function isDoubtful({ staleSince }: Row | List): boolean {
  return staleSince > 0;
}

function isDoubtfulRow(part: unknown): boolean {
  return part instanceof Row && isDoubtful(part);
}
