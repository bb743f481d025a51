// Applies a normalized payload to server truth, in the order of requests: names of drafts, fields, tombstones, list
// members, placements. Called inside a batch; what is shown follows in store.ts and overlay.ts. Users' own merges and
// filters run before anything is written: one that throws leaves the store as it was.
import { ensure } from '../support/ensure.ts';
import { pageOf, withoutRepeats } from './list-members.ts';
import { hasAll } from './membership.ts';
import { Row } from './nodes.ts';
import type { Fields, List, RowState, Table } from './nodes.ts';
import { advance, isMessage, isOlder, NEVER, nestedOrigin } from './stamp.ts';
import type { Origin } from './stamp.ts';
import { itemsOf, withItem } from './graph.ts';
import { placeMembers, placeRow, remove } from './place-rows.ts';
import type { Lists } from './place-rows.ts';
import { mergeFields, mergeIntoBase } from './fields.ts';
import { rowOf } from './stored-form.ts';
import { ServerLists } from './server-lists.ts';
import type { Effects, DraftNaming } from './effects.ts';
import type { Store } from './store.ts';

export function applyEffects(store: Store, effects: Effects, origin: Origin): void {
  const lists = new ServerLists(store, origin);
  const merged = rehearse(lists, effects);
  const { rows, fields, nested } = effects;
  const { created } = lists;
  const nestedLists = nested?.size ? new ServerLists(store, nestedOrigin(origin)) : lists;
  for (const naming of effects.namings) nameDraft(lists, naming);
  for (const placement of effects.placements) {
    // rows go into lists, or out of them, by more than their fields: a saved state, which comes before the first moment, is not told
    placement.table.staleAt ||= Number(!placement.isByRow);
    for (const member of placement.members) {
      const row = rowOf(member);
      if (!row) continue;
      const change = { ...placement, member };
      lists.note(row, { ...change, placement });
      if (placement.isByRow)
        created.set(row, { ...change, isNew: true, since: row.base ? row.stamp.date : undefined });
    }
  }
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!; // grow together
    const nestedOne = nested?.has(row) ? nestedLists : lists;
    if (nested && nestedOne === lists && !row.base) created.set(row, { isNew: true, ...created.get(row) });
    const written = row.table.onRow?.(nestedOne, row, effects);
    writeRow(nestedOne, row, fields[at]!, merged.get(at));
    written?.();
    // a mutation that was acknowledged meanwhile may have been handled before this one, or after it
    const isLate = nestedOne !== lists && isOlder(nestedOne.origin, row.stamp);
    if (isLate && row.base && mergeFields(row.base, fields[at]!) !== row.base)
      markRowStale(store, row, origin.settled);
  }
  if (!origin.isRead) for (const { table } of [...rows, ...effects.removed]) table.writtenAt = origin.settled;
  removeRows(lists, effects.removed);
  for (const write of effects.lists) lists.write(write);
  for (const placement of effects.placements) placeMembers(lists, placement);
  for (const [row, change] of created) {
    if (!row.base) continue;
    placeRow(lists, row, row.base, change);
    lists.note(row, change);
  }
  for (const finish of effects.finishes) finish(effects, lists as never); // cast: opaque to effects
}

/** The server has named a draft: the same row under its new key; the local id stays valid. */
function nameDraft(lists: ServerLists, { draft, row, pk }: DraftNaming): void {
  const { store } = lists;
  const { table } = draft;
  const localId = draft.localId ?? draft.pk;
  table.rows.delete(localId);
  table.aliases.set(localId, row);
  if (row === draft) {
    draft.pk = pk;
    table.rows.set(pk, draft);
    table.present = null;
  }
  // the server's row came another way before the answer: those who hold the draft see that row from now on
  else draft.forward = row;
  store.renameIndexed(localId);
  for (const intent of store.intents) {
    if (!intent.localIds.has(localId)) continue;
    intent.reads.set(draft, intent); // the row shows no such thing: the guess is made again
    store.reapply(intent.sent);
  }
  if (row === draft) return;
  store.mark(draft);
  for (const list of lists.of(draft)) {
    row.holders = withItem(row.holders, list);
    lists.edit(list, withoutRepeats);
  }
}

/** `merged` is what the class's own merge has made of the row. */
function writeRow(lists: ServerLists, row: Row, incoming: Fields, merged: Row | undefined): void {
  const { store, origin, oldestOpen } = lists;
  if (isUnheardOf(lists, row)) {
    row.base = incoming;
    row.shown = incoming;
    row.stamp = origin.stamp;
    row.messageAt = origin.settled;
    row.table.present = null;
    return;
  }
  // an answer to a request from before the delete was acknowledged cannot bring the row back
  if (origin.sent < row.deletedAt) {
    if (!origin.isRead && row.stamp.writeSent < origin.sent) markCrossedStale(lists, row);
    return;
  }
  const { base: before, fieldStamps, stamp, staleSince } = row;
  const { expiresAt } = stamp;
  // of a lower version than what is stored: nothing changes, and something may be missing
  const isLower = merged?.stamp === stamp && merged.base === before;
  // a doubt ends, and an age, only when all that was known of the row is said again: a summary leaves the rest as it was
  // fast: N3. What is said already is found to be the same
  const isWhole = incoming === before || hasAll(incoming, Object.keys(before ?? {}));
  if (merged) {
    row.stamp = merged.stamp;
    row.fieldStamps = merged.fieldStamps;
    row.staleSince = Math.max(staleSince, merged.staleSince);
  }
  const base = merged ? merged.base : mergeIntoBase(row, incoming, origin, undefined, oldestOpen);
  const isFromMessage = isMessage(origin.stamp);
  // a message may be older than the deletion of the row that it brings back
  const isBack = before === null && isFromMessage;
  const isUnsure = isBack || row.staleSince > staleSince || (!before && origin.sent < row.table.changedAt);
  if (isUnsure) markRowStale(store, row, origin.settled);
  // a message that repeats what is known for sure of its row, such as the echo of an own change, has no place in the order
  if (before && base === before && isFromMessage && !origin.isRead && !row.staleSince) {
    const { storedAt } = origin.stamp;
    row.stamp = isWhole ? { ...stamp, storedAt, expiresAt: origin.stamp.expiresAt } : stamp;
    row.fieldStamps = fieldStamps;
    return;
  }
  if (base && !isLower && !isFromMessage && row.staleSince && isSaidAgain(row, base))
    store.clearStale(row, origin.sent);
  // what the answer did not carry keeps the age it had
  if (!isWhole && expiresAt < row.stamp.expiresAt) row.stamp = { ...row.stamp, expiresAt };
  setBase(lists, row, base);
  if (origin.isRead) return;
  // an answer puts the row where its fields belong, even if it changes nothing: the lists were read before it came. What it says may
  // have been read while it was under way, and a list have been read since that knows nothing of it
  if (before && base && origin.sent < origin.settled)
    placeRow(lists, row, base, {
      incoming: incoming,
      isKnown: row.messageAt < origin.sent,
      isStale: row.staleSince > origin.sent,
    });
  // what was read since a write ended unknown may be newer than this answer, or older: only another read can tell
  if (origin.sent < row.unknownSent) markRowStale(store, row, origin.settled);
  if (!lists.created.has(row)) lists.note(row, { incoming: incoming });
}

/** Whether each field has been said by an answer that was sent after the doubt about the row arose: that ends the doubt. */
function isSaidAgain({ fieldStamps, staleSince, stamp }: Row, base: Fields): boolean {
  return Object.keys(base).every((name) => (fieldStamps?.get(name) ?? stamp).fetchedAt >= staleSince);
}

/** Whether the row was never written, and no reader, look-up, guess or request under way could tell it from one that was. */
// fast: N1, test/property/order
function isUnheardOf({ store, origin, oldestOpen }: ServerLists, row: Row): boolean {
  const { base, dependents, isPlain, stamp, table } = row;
  const isNew = !base && stamp === NEVER && isPlain && origin.stamp.fence <= oldestOpen;
  const isSure = origin.sent >= table.changedAt;
  return (
    isNew && isSure && !dependents && !table.dependents && store.dependencies.size + table.indexes.size === 0
  );
}

/** A delete and another write of the row were under way together: nobody knows which of them the server handled first. */
function markCrossedStale({ store, origin: { settled } }: ServerLists, row: Row): void {
  store.markStale(row, settled);
  markListsStale(store, row.table, settled);
}

/** Nobody knows which rows the lists of the table hold: they are stale until a read sent from then on. */
export function markListsStale(store: Store, table: Table, since: number): void {
  for (const one of [table, ...table.unions]) {
    one.staleAt = since;
    for (const list of one.lists.values()) store.markStale(list, since);
  }
}

/** The row and the lists that hold it are stale until a read sent from then on. */
export function markRowStale(store: Store, row: Row, since: number = store.timeline.tick()): void {
  for (const node of [row, ...itemsOf(row.holders)]) store.markStale(node, since);
}

function setBase(lists: ServerLists, row: Row, next: RowState): void {
  const { store, origin } = lists;
  const before = row.base;
  if (before === next) return;
  row.base = next;
  if (origin.isRead || !(before || isMessage(origin.stamp))) row.messageAt = origin.settled;
  store.moveRow(row, before, next);
  store.show(row);
  // a row that comes or goes is laid on, or is not
  if (!before !== !next) store.applyOver(row);
  if (!before || !next) return;
  if (origin.isRead) lists.note(row, { before });
  placeRow(lists, row, next, { before, isStale: row.staleSince > 0 });
}

/** An acknowledged delete: the rows leave every list and stay away from what was sent before. */
export function removeRows(lists: ServerLists, removed: readonly Row[]): void {
  const { origin } = lists;
  // a read that says it is gone is older than what showed the row; a delete that was acknowledged always counts
  const gone = removed.filter((row) => !(origin.isRead && isOlder(origin, row.stamp)));
  const held = new Map<List, Set<Row>>();
  for (const row of gone) {
    row.table.onRow?.(lists, row);
    if (!origin.isRead && origin.sent < row.stamp.writeSent) markCrossedStale(lists, row);
    row.stamp = advance(row.stamp, origin);
    row.fieldStamps = null;
    // a read that says so was handled after it was sent, and nobody knows when
    row.deletedAt = Math.max(row.deletedAt, origin.stamp.fence);
    for (const list of lists.of(row)) {
      ensure(held, list, () => new Set()).add(row);
      // behind a limit another row takes its place
      if (row.base && !hasAll(row.base, list.identity.filterNames)) lists.markStale(list);
    }
  }
  // each list once: it may be as long as the rows are many
  for (const [list, rows] of held) remove(lists, list, rows);
  for (const row of gone) setBase(lists, row, null);
}

// ── users' hooks ─────────────────────────────────────────────────────────────────────────────────

/** Asks every merge and filter and changes nothing. */
const rehearsal: Omit<Lists, 'sent'> = {
  of: (row) => itemsOf(row.holders),
  has: () => true,
  edit: ({ base }, edit) => void edit(base, { isFirst: true, isLast: true, all: base }),
  markStale() {},
};

/**
 * What the rows become whose class has a merge of its own, by their places in the payload: a row may stand there twice. Merges
 * of lists remember what they gave. Throws what a hook throws.
 */
function rehearse({ origin: main, oldestOpen }: ServerLists, effects: Effects): ReadonlyMap<number, Row> {
  const { rows, fields, policies, nested } = effects;
  for (const { list, cursor, merge, members } of effects.lists) {
    const page = merge && pageOf(list, cursor);
    if (page) merge(page.members, withoutRepeats(members), page.stamp, main);
  }
  for (const placement of effects.placements)
    if (placement.hasHooks) placeMembers({ ...rehearsal, sent: main.sent }, placement, (hook) => hook());
  const merged = new Map<number, Row>();
  if (!policies) return merged;
  // merged on copies of the rows, in the order of the payload
  const latest = new Map<Row, Row>();
  for (const at of policies.keys()) latest.set(rows[at]!, rows[at]!); // made with the row
  for (const [at, row] of rows.entries()) {
    const before = latest.get(row);
    const origin = nested?.has(row) ? nestedOrigin(main) : main;
    if (!before || origin.sent < row.deletedAt) continue;
    const copy = Object.assign(new Row(row.table, row.pk), before);
    copy.base = mergeIntoBase(copy, fields[at]!, origin, policies.get(at), oldestOpen); // grows with the rows
    latest.set(row, copy);
    merged.set(at, copy);
  }
  return merged;
}
