// Applies a normalized payload to server truth, in the order of requests: names of drafts, fields, tombstones, list
// members, placements. Called inside a batch; what is shown follows in store.ts and overlay.ts.
import type { Effects, Naming } from './effects.ts';
import { mergeIntoBase } from './merge-row.ts';
import type { Fields, Row, RowState } from './nodes.ts';
import { placeMembers, placeRow } from './place-rows.ts';
import { rehearse } from './rehearse.ts';
import { ServerLists } from './server-lists.ts';
import { advance, isOlder } from './stamp.ts';
import type { Origin } from './stamp.ts';
import type { Store } from './store.ts';

export function applyEffects(store: Store, effects: Effects, origin: Origin): void {
  const merged = rehearse(store, effects, origin);
  const lists = new ServerLists(store, origin);
  const { rows, fields } = effects;
  for (const naming of effects.namings) nameDraft(lists, naming);
  for (let at = 0; at < rows.length; at += 1) writeRow(lists, rows[at]!, fields[at]!, merged?.get(at)); // grow together
  for (const row of effects.removed) removeRow(lists, row);
  for (const write of effects.lists) lists.write(write);
  for (const placement of effects.placements) {
    placeMembers(lists, placement);
    lists.noteMembers(placement);
  }
}

/** The server has named a draft: the same row under its new key; the local id stays valid. */
function nameDraft(lists: ServerLists, { draft, row, pk }: Naming): void {
  const { store } = lists;
  const { table } = draft;
  const localId = draft.localId ?? draft.pk;
  table.rows.delete(localId);
  table.aliases.set(localId, row);
  for (const intent of store.intents) {
    if (!intent.localIds.has(localId)) continue;
    intent.mustRun = true;
    store.layAnew(intent);
  }
  if (row === draft) {
    draft.pk = pk;
    table.rows.set(pk, draft);
    table.present = null;
    return;
  }
  // the server's row came another way before the answer: whoever holds the draft sees that row from now on
  draft.forward = row;
  store.mark(draft);
  for (const list of lists.of(draft)) lists.replaceDraft(list, row);
}

/** `merged` is what the class's own merge has made of the row. */
function writeRow(lists: ServerLists, row: Row, incoming: Fields, merged: Row | undefined): void {
  const { store, origin, oldestOpen } = lists;
  // an answer to a request from before the delete was acknowledged cannot bring the row back
  if (origin.sent < row.deletedAt) return;
  if (row.staleSince > 0 && covers(incoming, row.base) && !isOlder(origin, row.stamp))
    store.trust(row, origin.sent);
  const wasStored = !!row.base;
  if (merged) {
    row.stamp = merged.stamp;
    row.fieldStamps = merged.fieldStamps;
  }
  setBase(lists, row, merged ? merged.base : mergeIntoBase(row, incoming, origin, null, oldestOpen));
  if (origin.isRead) return;
  // an answer puts the row where its fields belong, even if it changes nothing: the lists were read before it came
  if (wasStored && row.base && origin.sent < origin.settled)
    placeRow(lists, row, row.base, { before: undefined, said: incoming }, row.staleSince > origin.sent);
  // what was read since a write ended unknown may be newer than this answer, or older: only another read can tell
  if (origin.sent < (store.unknownWrites.get(row) ?? 0))
    for (const node of [row, ...lists.of(row)]) store.doubt(node, origin.stamp.fence);
  lists.note(row, undefined, incoming);
}

/** A doubt ends only when all that was known of the row is said again: a summary leaves the rest in doubt. */
function covers(incoming: Fields, base: RowState): boolean {
  return !base || Object.keys(base).every((name) => Object.hasOwn(incoming, name));
}

function setBase(lists: ServerLists, row: Row, next: RowState): void {
  const { store, origin } = lists;
  const before = row.base;
  if (before === next) return;
  row.base = next;
  store.moveRow(row, before, next);
  store.show(row);
  if (row.layers !== null) store.layAnew(row.layers[0]!.intent); // layers are never empty
  if (!before || !next) return;
  if (origin.isRead) lists.note(row, before, null);
  placeRow(lists, row, next, { before, said: null }, row.staleSince > 0);
}

/** An acknowledged delete: the row leaves every list and stays away from whatever was sent before. */
export function removeRow(lists: ServerLists, row: Row): void {
  const { origin } = lists;
  // a read that says it is gone is older than what showed the row; a delete that was acknowledged always counts
  if (origin.isRead && row.base && isOlder(origin, row.stamp)) return;
  row.stamp = advance(row.stamp, origin);
  row.fieldStamps = null;
  row.deletedAt = Math.max(row.deletedAt, origin.settled);
  for (const list of lists.of(row)) lists.remove(list, row);
  setBase(lists, row, null);
}
