// Applies a normalized payload to base, in this order: names drafts, writes fields, deletes rows, writes lists, applies placements,
// places created rows by their fields, and calls the functions in `afterWrites`. It runs inside a batch. The merges and filters that
// the payload calls run once before anything is written (`rehearse`), so that the store does not change when one of them throws.
import { ensure } from '../support/ensure.ts';
import { findPage, withoutRepeats } from './list-members.ts';
import { argumentText, confirmedFields } from './filters.ts';
import { decideMembership } from './membership.ts';
import type { Fields, List, Row, RowState, Table } from './nodes.ts';
import {
  advance,
  hasArrivedSince,
  hasLaterWrite,
  isMessage,
  isRead,
  isStale,
  knowsOf,
  knowsOfDelete,
  latest,
  mayReplace,
  mustRemember,
  NO_STAMP,
  stampOfRead,
  wasChangedByReadSince,
} from './order.ts';
import type { Stamp } from './order.ts';
import { itemsOf, addItem } from './graph.ts';
import { placeMembers, placeRow, removeFromList } from './place-rows.ts';
import type { Lists } from './place-rows.ts';
import { hasAllOf, mergeFields } from './fields.ts';
import { mergeRow } from './merge-row.ts';
import type { RowRecord } from './merge-row.ts';
import { rowOf } from './stored-form.ts';
import { ServerLists } from './server-lists.ts';
import type { Effects, DraftNaming } from './effects.ts';
import type { Store } from './store.ts';

export function applyEffects(store: Store, effects: Effects, origin: Stamp): void {
  const lists = new ServerLists(store, origin);
  const merged = rehearse(lists, effects);
  const { rows, fields, rowsAsRead } = effects;
  const readLists = rowsAsRead?.size ? new ServerLists(store, stampOfRead(origin)) : lists;
  if (effects.lists.length) lists.payloadLists = new Set(effects.lists.map(({ list }) => list));
  for (const naming of effects.namings) nameDraft(lists, naming);
  for (const placement of effects.placements) {
    // `remove`, `move` and users' filters place rows by more than their fields, so a saved state that is applied later may contain
    // lists that do not know of the placement. A time above 0 makes the lists of a saved state stale; 1 is earlier than every
    // request, so no other list becomes stale.
    if (!placement.isByRow) placement.table.listsStaleAt ||= 1;
    for (const member of placement.members) {
      const row = rowOf(member);
      if (!row) continue;
      const { table, place } = placement;
      const where = { table, place, member };
      lists.addToJournal(row, { ...where, placement });
      if (placement.isByRow)
        lists.addCreated(row, {
          ...where,
          type: 'created',
          fence: row.base && !isStale(row) ? row.stamp.settled : undefined,
        });
    }
  }
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!; // parallel arrays
    const rowLists = rowsAsRead?.has(row) ? readLists : lists;
    if (rowsAsRead && !rowsAsRead.has(row) && !row.base && !lists.created?.has(row))
      lists.addCreated(row, { type: 'created' });
    const afterRowWrite = row.table.beforeRowWrite?.(rowLists, row, effects, at);
    writeRow(rowLists, row, fields[at]!, merged?.get(at));
    afterRowWrite?.();
    const { base, stamp } = row;
    if (!base || mayReplace(rowLists.origin, stamp) || mergeFields(base, fields[at]!) === base) continue;
    // A newer payload has given the row other values than this response does, so the row may have entered or left the lists of this
    // response since. If the row counts as read (`rowsAsRead`), the server may have handled either request first, so the row is
    // stale.
    if (rowLists === lists) lists.addToJournal(row, { before: fields[at]!, fence: stamp.fence });
    else markRowAndHoldersStale(store, row, origin.settled);
  }
  if (!isRead(origin))
    for (const { table } of [...rows, ...effects.removed]) table.writtenAt = origin.settled;
  if (effects.removed.length) removeRows(lists, effects.removed);
  for (const write of effects.lists) lists.write(write);
  for (const placement of effects.placements) placeMembers(lists, placement);
  for (const [row, event] of lists.created ?? []) {
    if (!row.base) continue;
    placeRow(lists, row, { ...event, after: row.base });
    lists.addToJournal(row, event);
  }
  for (const finish of effects.afterWrites) finish(effects, lists);
}

/**
 * Gives a draft the primary key that the server has sent. If another row has this key already, the draft refers to that row
 * instead. A look-up by the local id still finds the row.
 */
function nameDraft(lists: ServerLists, { draft, row, pk }: DraftNaming): void {
  const { store } = lists;
  const { table } = draft;
  const localId = draft.localId ?? draft.pk;
  table.rows.delete(localId);
  table.rowsByLocalId.set(localId, row);
  if (row === draft) {
    draft.pk = pk;
    table.rows.set(pk, draft);
    table.presentRows = null;
  } else draft.replacedBy = row;
  store.renameIndexed(localId);
  for (const intent of store.intents) {
    if (!intent.localIds.has(localId)) continue;
    intent.seenContents.set(draft, intent); // never equal to what the row shows, so the update is computed again
    store.reapply(intent.calledAt);
  }
  if (row === draft) return;
  store.mark(draft);
  for (const list of lists.of(draft)) {
    row.listsInBase = addItem(row.listsInBase, list);
    lists.edit(list, withoutRepeats);
  }
}

/**
 * Writes one row into base. `rehearsed` has the fields and stamps that `rehearse` has merged for the row; undefined if it has
 * merged none.
 */
function writeRow(lists: ServerLists, row: Row, incoming: Fields, rehearsed: RowRecord | undefined): void {
  const { store, origin, oldestOpen } = lists;
  if (isNewAndUnobserved(lists, row)) {
    row.base = incoming;
    row.shown = incoming;
    row.stamp = origin;
    row.changedByReadAt = origin.settled;
    row.table.presentRows = null;
    return;
  }
  // The response to a request that was sent before the deletion (`deletedAt`) cannot bring the row back.
  if (!knowsOfDelete(origin.sent, row)) {
    if (!isRead(origin) && !hasLaterWrite(row.stamp, origin.sent)) markRowAndTableListsStale(lists, row);
    return;
  }
  const { base: before, stamp } = row;
  const { expiresAt } = stamp;
  const merged = rehearsed ?? mergeRow(row, incoming, origin, undefined, oldestOpen);
  const { base } = merged;
  // The row's class ignores the payload, because the payload has a lower version or came too late: a stale row stays stale.
  const isTooOld = rehearsed?.stamp === stamp && base === before;
  // True when the payload contains every known field. A summary, which omits some, does not renew the expiry time of the row.
  // fast: N3. A payload that equals the stored fields may arrive as the same object
  const hasEveryField = incoming === before || hasAllOf(incoming, before);
  row.stamp = merged.stamp;
  row.fieldStamps = merged.fieldStamps;
  const isFromMessage = isMessage(origin);
  // A message may be older than the deletion of the row that it brings back. So may the response to a request that was in flight when
  // the row was found gone.
  const mayBeDeleted = before === null && (isFromMessage || hasArrivedSince(stamp, origin.sent));
  const mayMissUnnamedWrite = !before && !knowsOf(origin.sent, row.table.unnamedWriteAt);
  if (mayBeDeleted || mayMissUnnamedWrite || isStale(merged, row.staleSince))
    markRowAndHoldersStale(store, row, origin.settled);
  if (base && !isTooOld && !isFromMessage && isStale(row)) {
    if (hasAllOf(confirmedFields(row, base), base)) store.clearStale(row, origin.sent);
    // The read does not confirm the row, for example because a write was acknowledged while the read was in flight: the row is read
    // once more.
    else if (isRead(origin) && hasEveryField && knowsOf(origin.sent, row.staleSince))
      markRowAndHoldersStale(store, row, row.stamp.fence);
  }
  // The fields that the payload omitted keep their expiry time, and the row expires with them.
  if (!hasEveryField && expiresAt < row.stamp.expiresAt) row.stamp = { ...row.stamp, expiresAt };
  setBase(lists, row, base, incoming, hasEveryField);
  if (isRead(origin)) return;
  // A mutation's response places the row by the row's fields, even if the response changes none of them. While the mutation was in
  // flight, one read may have brought the new fields, and another read a list from before the mutation.
  if (before && base && !isFromMessage)
    placeRow(lists, row, {
      type: 'written',
      after: base,
      incoming,
      needsNoMove: !wasChangedByReadSince(row, origin.sent),
    });
  // A later write of the row has ended with an unknown result. The stored fields may be newer or older than this response, so the
  // row is stale.
  if (!knowsOf(origin.sent, row.unknownWriteSent)) markRowAndHoldersStale(store, row, origin.settled);
  // A message that repeats the stored fields, such as the echo of an acknowledged write, moves no row.
  const needsNoMove = isFromMessage && base === before;
  if (!lists.created?.has(row)) lists.addToJournal(row, { type: 'written', incoming, needsNoMove });
}

/**
 * The name without `id` at its end or before a final `s`: `author` for `authorId` and `author_id`, `tags` for `tagIds`. Fields with
 * the same result may belong to one relation.
 */
const relationOf = (name: string): string => name.replace(/_?id(?=s?$)/i, '');

/**
 * Whether the payload changes one half of a relation and omits the other half. The halves are the field with the nested rows and
 * the field with their ids, such as `author` and `authorId`. Two fields are halves if `relationOf` gives the same name for both, or
 * if the omitted field has rows whose ids were the value of the changed field. In the first case, the omitted half does not count
 * if the changed half has just got its first value and the two agree. After any other change it counts even if the two agree,
 * because an earlier change may have made it out of date.
 */
function omitsOtherHalf(before: Fields, after: Fields, incoming: Fields): boolean {
  return Object.keys(incoming).some(
    (one) =>
      before[one] !== after[one] &&
      Object.keys(before).some(
        (name) =>
          !Object.hasOwn(incoming, name) &&
          (relationOf(name) === relationOf(one)
            ? Object.hasOwn(before, one) || argumentText(before[name]) !== argumentText(after[one])
            : argumentText(before[name]) === argumentText(before[one]) && [before[name]].flat().some(rowOf)),
      ),
  );
}

/**
 * True only if nothing is known of the row, and no reader, look-up, optimistic update or request in flight depends on it. The row was
 * never stored, deleted, created here or marked stale, and the payload was not requested before `unnamedWriteAt` of the table. Such
 * a row is stored without a comparison of stamps.
 */
// fast: N1, test/property/order
function isNewAndUnobserved({ store, origin, oldestOpen }: ServerLists, row: Row): boolean {
  const { base, dependents, isUntouched, stamp, table } = row;
  const isNew = !base && stamp === NO_STAMP && isUntouched && !mustRemember(origin.fence, oldestOpen);
  const knowsUnnamedWrite = knowsOf(origin.sent, table.unnamedWriteAt);
  return (
    isNew &&
    knowsUnnamedWrite &&
    !dependents &&
    !table.dependents &&
    store.dependencies.size + table.indexes.size === 0
  );
}

/**
 * Marks stale the row and all lists that may hold rows of its table, because it is unknown what the server has: a write of the row
 * was in flight together with another write that deleted it or a read that found it deleted, or a payload has changed one half of a
 * relation.
 */
function markRowAndTableListsStale({ store, origin: { settled } }: ServerLists, row: Row): void {
  store.markStale(row, settled);
  markListsStale(store, row.table, settled);
}

/**
 * Marks stale all lists that may hold rows of the table, because it is unknown which rows belong to them. They are stale since
 * `since`.
 */
export function markListsStale(store: Store, table: Table, since: number): void {
  for (const owner of [table, ...table.unions]) {
    owner.listsStaleAt = since;
    for (const list of owner.lists.values()) store.markStale(list, since);
  }
}

/** Marks the row, and the lists whose base holds the row, stale since `since`. */
export function markRowAndHoldersStale(store: Store, row: Row, since: number = store.timeline.tick()): void {
  for (const node of [row, ...itemsOf(row.listsInBase)]) store.markStale(node, since);
}

function setBase(
  lists: ServerLists,
  row: Row,
  next: RowState,
  incoming?: Fields,
  hasEveryField?: boolean,
): void {
  const { store, origin } = lists;
  const before = row.base;
  if (before === next) return;
  row.base = next;
  if (isRead(origin) || !(before || isMessage(origin))) row.changedByReadAt = origin.settled;
  store.reportRowChange(row, before, next);
  store.show(row);
  // The effect of an optimistic update depends on whether the row exists: the update is applied again when the row appears or
  // disappears.
  if (!before !== !next) store.reapplyLayersOf(row);
  if (!before || !next) return;
  if (!hasEveryField && omitsOtherHalf(before, next, incoming!)) markRowAndTableListsStale(lists, row); // only a deletion has no fields
  const read = isRead(origin) ? incoming : undefined;
  // A read that only adds fields is no reason to move the row.
  const needsNoMove = (read && mergeFields(next, before) === next) || undefined;
  const event = { before, after: next, read, sent: origin.sent, needsNoMove };
  if (read) lists.addToJournal(row, event);
  placeRow(lists, row, event);
}

/** Deletes rows. A deleted row leaves every list, and no request that was sent before the deletion can bring the row back. */
export function removeRows(lists: ServerLists, removed: readonly Row[]): void {
  const { origin, store } = lists;
  // A read that reports a row as deleted is ignored if newer data contained the row. An acknowledged delete and a message always
  // count.
  const deleted = removed.filter((row) => !isRead(origin) || mayReplace(origin, row.stamp));
  const deletedByList = new Map<List, Set<Row>>();
  for (const row of deleted) {
    row.table.beforeRowWrite?.(lists, row);
    // The row is known to be deleted, so it is no longer stale, unless it became stale after this request was sent.
    store.clearStale(row, origin.sent);
    const isOrderUnknown =
      hasLaterWrite(row.stamp, origin.sent) || !knowsOf(origin.sent, row.unknownWriteSent);
    if (!isRead(origin) && isOrderUnknown) markRowAndTableListsStale(lists, row);
    row.stamp = advance(row.stamp, origin);
    row.fieldStamps = null;
    // The fence of a read is its send time, because the time at which the server handled the read is unknown.
    row.deletedAt = latest(row.deletedAt, origin.fence);
    for (const list of new Set([...lists.of(row), ...row.table.alwaysChecked])) {
      const isHeld = lists.has(list, row);
      if (isHeld) ensure(deletedByList, list, () => new Set()).add(row);
      if (decideMembership(list, row, { before: row.base, after: null }, isHeld).isUnsure)
        lists.markStale(list);
    }
  }
  // Each list is edited once for all its rows, because the cost of an edit grows with the length of the list.
  for (const [list, rows] of deletedByList) removeFromList(lists, list, rows);
  for (const row of deleted) setBase(lists, row, null);
}

// ── users' hooks ─────────────────────────────────────────────────────────────────────────────────

/** A target with which `placeMembers` calls every merge and filter, but changes nothing. */
const rehearsal: Omit<Lists, 'sent'> = {
  of: (row) => itemsOf(row.listsInBase),
  has: () => true,
  edit: ({ base }, edit) => void edit(base, { isFirst: true, isLast: true, all: base }),
  markStale() {},
};

/**
 * Calls the users' merges and filters for the payload before anything is written. Returns each merged row whose class has a policy,
 * by its index in the payload, because a row may occur in a payload twice; undefined if no class of a row has a policy. A merge of a
 * list is wrapped in `memoizeMerge`, so that the write gets the same result if it merges into the same members. Throws the error of a
 * hook.
 */
function rehearse(
  { origin: main, oldestOpen }: ServerLists,
  effects: Effects,
): ReadonlyMap<number, RowRecord> | undefined {
  const { rows, fields, policies, rowsAsRead } = effects;
  for (const { list, cursor, merge, members } of effects.lists) {
    const page = merge && findPage(list, cursor);
    if (page) merge(page.members, withoutRepeats(members), page.stamp, main);
  }
  for (const placement of effects.placements)
    if (placement.hasHooks) placeMembers({ ...rehearsal, sent: main.sent }, placement, (hook) => hook());
  if (!policies) return undefined;
  const merged = new Map<number, RowRecord>();
  // When a row occurs several times, each occurrence is merged into the result of the previous one, in the order of the payload.
  const records = new Map<Row, RowRecord>();
  for (const at of policies.keys()) records.set(rows[at]!, rows[at]!); // indexes of `rows`
  for (const [at, row] of rows.entries()) {
    const before = records.get(row);
    const origin = rowsAsRead?.has(row) ? stampOfRead(main) : main;
    if (!before || !knowsOfDelete(origin.sent, row)) continue;
    const record = mergeRow(before, fields[at]!, origin, policies.get(at), oldestOpen); // parallel arrays
    records.set(row, record);
    merged.set(at, record);
  }
  return merged;
}
