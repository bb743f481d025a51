// Whether the store still holds an answer, asked twice. Before a body is left alone: nothing that the answer covers was written, guessed,
// doubted or forgotten since, and what it stored can be read. And when "not modified" has come: what the answer did to the store can
// be done once more. Linear in the answer, changes nothing.
import type { Core } from '../../controller/state/core.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { Quarantine } from '../validate/quarantine.ts';
import { isThere } from '../../schema/protocol/protocol.ts';
import type { Effects, ListWrite } from '../../store/effects.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import type { Row, Slot } from '../../store/nodes.ts';
import { tryRun } from '../../support/call-safely.ts';

/** What an answer did to the store, where, and when it was asked for. */
export interface CachedResponse {
  readonly slot: Slot;
  readonly effects: Effects;
  readonly sent: number;
}

/** Whether nothing was touched that the answer covers. */
export function isUntouched(
  core: Core,
  call: EndpointCall,
  { slot, effects, sent }: CachedResponse,
): boolean {
  const { rows, fields, lists, removed, placements, namings, afterWrites, stored } = effects;
  const isLatest = slot.effects === effects && slot.stamp.fetchedAt === sent;
  if (!slot.hasResult || !isLatest || !isEqual(slot.stored, stored)) return false;
  // what it did beside its rows and lists; one of those that finish it has noted its tag
  const deeds = afterWrites.filter(({ isNote }) => !isNote);
  if (removed.length + placements.length + namings.length > 0 || deeds.length > 1) return false;
  const acknowledged = new Set(core.acknowledged.map(({ row }) => row));
  const isKept = (row: Row, at: number): boolean => {
    const { base, layers, staleSince, stamp } = row;
    if (!isRowThere(row) || !base || layers || staleSince > 0 || acknowledged.has(row)) return false;
    // a row that other reads have brought since may be newer: then its fields tell
    return stamp.writeSent <= sent && mergeFields(base, fields[at]!) === base; // grow together
  };
  return (
    rows.every(isKept) && lists.every((write) => isListKept(write, sent)) && isReadable(core, call, slot)
  );
}

/** Whether applying the effects again ends as reading the same body would, whatever was written since the flight was sent. */
export function isRepeatable(core: Core, { call, sent }: Flight, { slot, effects }: CachedResponse): boolean {
  const { rows, lists, stored } = effects;
  // an answer that is older than the stored one does not take its place; without a schema its caller gets it all the same
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

function isListKept(write: ListWrite, sent: number): boolean {
  const { list, members, cursor } = write;
  const [page, ...further] = list.segments;
  if (!isListThere(write) || list.layers || list.staleSince > 0 || cursor !== null) return false;
  if (!page || further.length > 0) return false;
  return page.stamp.writeSent <= sent && isEqual(page.members, members);
}

/** Whether the slot has something to show, and no row was refused: another reading would report it again, or call it mended. */
function isReadable({ engine }: Core, call: EndpointCall, slot: Slot): boolean {
  const value = tryRun(() => engine.read(engine.responseView(slot, call.kind, call.args)));
  return (isThere(value) || !call.hasSchema) && Quarantine.of(engine).isEmpty;
}
