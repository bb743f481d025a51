// Two checks of a stored response. `isUntouched` runs before a tag is used: no data of the response may have been changed by a
// write, updated optimistically, marked stale or removed since. `isRepeatable` runs after "not modified": it tests whether the
// effects of the response can be applied again. The time of both is linear in the size of the response, and both change no data.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { hasRefusedRows } from '../validate/refused-rows.ts';
import { isThere } from '../../schema/protocol/protocol.ts';
import type { Effects, ListWrite } from '../../store/effects.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import type { Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { hasLaterWrite, isStale, mayReplace, stampOfRead } from '../../store/order.ts';
import { tryRun } from '../../support/call-safely.ts';

export interface CachedResponse {
  readonly slot: Slot;
  readonly effects: Effects;
  /** The time on the store's timeline at which the request was sent. */
  readonly sent: number;
}

/** True when the store still holds all data of the response unchanged, and the data can be read. */
export function isUntouched(
  core: ExtensionHost,
  call: EndpointCall,
  { slot, effects, sent }: CachedResponse,
): boolean {
  const { rows, fields, lists, removed, placements, namings, afterWrites, stored } = effects;
  const isLatest = slot.effects === effects && slot.stamp.sent === sent;
  if (!slot.hasResult || !isLatest || !isEqual(slot.stored, stored)) return false;
  // The response must have stored nothing but rows and lists: it deleted, placed and named no row. Besides repeatable functions,
  // `afterWrites` may contain only the function of `createNote`.
  const otherFunctions = afterWrites.filter((finish) => !finish.isRepeatable);
  if (removed.length + placements.length + namings.length > 0 || otherFunctions.length > 1) return false;
  const acknowledged = new Set(core.acknowledged.map(({ row }) => row));
  const isRowUntouched = (row: Row, index: number): boolean => {
    const { base, layers, stamp } = row;
    if (!isRowStored(row) || !base || layers || isStale(row) || acknowledged.has(row)) return false;
    // A later read may have stored the row again. The row counts as untouched if the fields of this response do not change it.
    return !hasLaterWrite(stamp, sent) && mergeFields(base, fields[index]!) === base; // `fields` is as long as `rows`
  };
  return (
    rows.every(isRowUntouched) &&
    lists.every((write) => isListUntouched(write, sent)) &&
    isReadable(core, call, slot)
  );
}

/** True when applying the effects of the stored response again has the same result as parsing an equal body. */
export function isRepeatable(
  core: ExtensionHost,
  { call, sent }: Flight,
  { slot, effects }: CachedResponse,
): boolean {
  const { rows, lists, stored } = effects;
  // A late response does not replace newer data in the slot, so the slot may contain other data than this response. But without a
  // schema the slot must contain this response, because a caller without a schema gets the body of its own response.
  const origin = stampOfRead({ sent, settled: sent, expiresAt: 0, storedAt: 0 });
  const isLate = call.hasSchema && !mayReplace(origin, slot.stamp);
  const isSame = isEqual(slot.firstPage ?? slot.stored, stored);
  const areThere = rows.every(isRowStored) && lists.every(isListStored);
  return slot.hasResult && (isLate || isSame) && areThere && isReadable(core, call, slot);
}

function isRowStored(row: Row): boolean {
  return row.table.rows.get(row.pk) === row;
}

function isListStored({ list }: ListWrite): boolean {
  return list.table.lists.get(list.identity.id) === list;
}

function isListUntouched(write: ListWrite, sent: number): boolean {
  const { list, members, cursor } = write;
  const [page, ...further] = list.segments;
  if (!isListStored(write) || list.layers || isStale(list) || cursor !== null) return false;
  if (!page || further.length > 0) return false;
  return !hasLaterWrite(page.stamp, sent) && isEqual(page.members, members);
}

/**
 * True when the slot's data can be read, and validation has refused no row, because a new body would be needed to check such a row
 * again.
 */
function isReadable({ engine }: ExtensionHost, call: EndpointCall, slot: Slot): boolean {
  const value = tryRun(() => engine.read(engine.responseView(slot, call.kind, call.args)));
  return (isThere(value) || !call.hasSchema) && !hasRefusedRows(engine);
}
