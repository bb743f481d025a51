// Two checks of a stored response, for known-responses.ts. `isUntouched`, before a body is left unread: nothing that the response
// contains was written, updated optimistically, marked stale or removed since, and its data can be read. `isRepeatable`, after
// "not modified": its effects can be applied once more. Both take time linear in the response, and change nothing.
import type { Core } from '../../controller/state/core.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { Quarantine } from '../validate/quarantine.ts';
import { isThere } from '../../schema/protocol/protocol.ts';
import type { Effects, ListWrite } from '../../store/effects.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import type { Row, Slot } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';

/** The effects of a stored response, its slot, and when its request was sent. */
export interface CachedResponse {
  readonly slot: Slot;
  readonly effects: Effects;
  readonly sent: number;
}

/** True when nothing that the response contains has changed in the store since. */
export function isUntouched(
  core: Core,
  call: EndpointCall,
  { slot, effects, sent }: CachedResponse,
): boolean {
  const { rows, fields, lists, removed, placements, namings, afterWrites, stored } = effects;
  const isLatest = slot.effects === effects && slot.stamp.fetchedAt === sent;
  if (!slot.hasResult || !isLatest || !isEqual(slot.stored, stored)) return false;
  // Responses that did more than store rows and lists are excluded. One finish is allowed: it has noted the tag.
  const otherFinishes = afterWrites.filter(({ isNote }) => !isNote);
  if (removed.length + placements.length + namings.length > 0 || otherFinishes.length > 1) return false;
  const acknowledged = new Set(core.acknowledged.map(({ row }) => row));
  const isRowUntouched = (row: Row, index: number): boolean => {
    const { base, layers, staleSince, stamp } = row;
    if (!isRowThere(row) || !base || layers || staleSince > 0 || acknowledged.has(row)) return false;
    // A later read may have stored the row again: the row is untouched when merging the response's fields changes nothing.
    return stamp.writeSent <= sent && mergeFields(base, fields[index]!) === base; // `fields` is as long as `rows`
  };
  return (
    rows.every(isRowUntouched) &&
    lists.every((write) => isListUntouched(write, sent)) &&
    isReadable(core, call, slot)
  );
}

/** True when applying the effects again has the same result as parsing an equal body, whatever was written since `sent`. */
export function isRepeatable(core: Core, { call, sent }: Flight, { slot, effects }: CachedResponse): boolean {
  const { rows, lists, stored } = effects;
  // a response that is older than the stored one does not replace it; without a schema the caller gets the older one still
  const isLate = call.hasSchema && sent < slot.stamp.fence;
  const isSame = isEqual(slot.firstPage ?? slot.stored, stored);
  const areThere = rows.every(isRowThere) && lists.every(isListThere);
  return slot.hasResult && (isLate || isSame) && areThere && isReadable(core, call, slot);
}

function isRowThere(row: Row): boolean {
  return row.table.rows.get(row.pk) === row;
}

function isListThere({ list }: ListWrite): boolean {
  return list.table.lists.get(list.identity.id) === list;
}

function isListUntouched(write: ListWrite, sent: number): boolean {
  const { list, members, cursor } = write;
  const [page, ...further] = list.segments;
  if (!isListThere(write) || list.layers || list.staleSince > 0 || cursor !== null) return false;
  if (!page || further.length > 0) return false;
  return page.stamp.writeSent <= sent && isEqual(page.members, members);
}

/** True when the slot's data can be read and validation has refused no row: parsing a body again would check such rows again. */
function isReadable({ engine }: Core, call: EndpointCall, slot: Slot): boolean {
  const value = tryRun(() => engine.read(engine.responseView(slot, call.kind, call.args)));
  return (isThere(value) || !call.hasSchema) && Quarantine.of(engine).isEmpty;
}
