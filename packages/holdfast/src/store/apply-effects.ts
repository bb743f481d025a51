// Applies a normalized payload to server truth, in the order of requests: fields, tombstones, list members,
// creations, moves between filtered lists. Called inside a batch; what follows on screen is the store's and overlay's.
import type { Creation, Effects, Naming } from './effects.ts';
import { addToList, holdInstead, mergeIntoList, removeFromList, writeList } from './write-list.ts';
import { foldRow, mergeIntoBase } from './merge-row.ts';
import { hasMovedOn, judge, judgeByFields, listsThatFit, listsToEnter } from './membership.ts';
import type { Fields, List, Row, RowState } from './nodes.ts';
import { orElse, prepareEffects } from './prepare-effects.ts';
import type { Prepared } from './prepare-effects.ts';
import { rowOf } from './reference.ts';
import { hasItem, itemsOf } from './small-set.ts';
import { advance, isOlder, NEVER } from './stamp.ts';
import type { Origin } from './stamp.ts';
import type { Store } from './store.ts';

export function applyEffects(store: Store, effects: Effects, origin: Origin): void {
  const { namings, removed, lists, creations } = effects;
  const isPlain = namings.length + removed.length + lists.length + creations.length === 0;
  const prepared = isPlain && effects.policies === null ? null : prepareEffects(store, effects, origin);
  const oldestOpen = store.timeline.oldestOpen();
  const { rows, fields } = effects;
  // a read under way was asked for before this write
  const isMissed = !origin.isRead && oldestOpen < origin.stamp.fence;
  if (!isPlain) for (const naming of namings) nameDraft(store, naming);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!; // the two arrays grow together
    if (!isMissed && isUnheardOf(store, row)) {
      introduce(row, fields[at]!, origin);
      continue;
    }
    // a response sent before the delete was acknowledged cannot bring the row back
    if (origin.sent < row.deletedAt) continue;
    const incoming = fields[at]!;
    if (row.staleSince > 0 && covers(incoming, row.base) && !isOlder(origin, row.stamp))
      store.trust(row, origin.sent);
    const wasStored = !!row.base;
    const merged = prepared?.rows.get(at);
    if (merged) {
      row.stamp = merged.stamp;
      row.fieldStamps = merged.fieldStamps;
    }
    const next = merged ? merged.fields : mergeIntoBase(row, incoming, origin, null, oldestOpen);
    setBase(store, row, next, origin, oldestOpen);
    if (wasStored && !origin.isRead && origin.sent < origin.settled)
      confirmPlace(store, row, incoming, origin);
    if (!origin.isRead && origin.sent < (store.unknownWrites.get(row) ?? 0)) doubtAround(store, row, origin);
    if (isMissed) rememberWrite(row, incoming, origin.stamp.fence);
  }
  if (isPlain) return; // rows alone, as nearly every change of what is on a page
  for (const row of removed) removeRow(store, row, origin);
  for (const write of lists) writeList(store, write, origin, prepared?.lists.get(write));
  for (const creation of creations) applyCreation(store, creation, origin, oldestOpen, prepared);
}

/** A row that nobody has asked for, looked up or written before, as nearly all of a first answer are. */
function isUnheardOf(store: Store, { base, dependents, isPlain, stamp, table }: Row): boolean {
  return (
    base === undefined &&
    stamp === NEVER &&
    dependents === null &&
    isPlain &&
    table.dependents === null &&
    table.indexes.size === 0 &&
    store.guessReads.size === 0 &&
    store.unknownWrites.size === 0
  );
}

/** All that a first answer changes where nobody is looking yet. */
function introduce(row: Row, fields: Fields, origin: Origin): void {
  row.base = fields;
  row.shown = fields;
  row.stamp = origin.stamp;
  row.table.present = null;
}

/** What was read since a write ended unknown may be newer than this answer, or older: only another read can tell. */
function doubtAround(store: Store, row: Row, { stamp }: Origin): void {
  for (const node of [row, ...itemsOf(row.holders)]) store.doubt(node, stamp.fence);
}

/** A doubt ends only when all that was known of the row is said again: a summary leaves the rest in doubt. */
function covers(incoming: Fields, base: RowState): boolean {
  return !base || Object.keys(base).every((name) => Object.hasOwn(incoming, name));
}

/**
 * An answer to a write puts the row where its fields belong, even if it changes nothing here: the lists were read before
 * it came. A row that is in doubt since a later request proves nothing, so its lists are in doubt too.
 */
function confirmPlace(store: Store, row: Row, said: Fields, origin: Origin): void {
  const { base, table } = row;
  if (!base || table.listGroups.size === 0) return;
  const { fence } = origin.stamp;
  const isInDoubt = row.staleSince > origin.sent;
  for (const list of itemsOf(row.holders)) {
    const verdict = judgeByFields(list, base, said);
    if (verdict === 'leave') removeFromList(store, list, row);
    if (isInDoubt && verdict !== 'none') store.doubt(list, fence);
  }
  for (const list of listsThatFit(table, base, said)) {
    if (isInDoubt) store.doubt(list, fence);
    if (hasItem(row.holders, list)) continue;
    addToList(store, list, [row], 'end');
    if (list.identity.hasOrder) store.doubt(list, fence);
  }
}

/** A list that is being read may be older than this write, whether the write changed anything here or not. */
function rememberWrite(row: Row, said: Fields, fence: number): void {
  for (const table of [row.table, ...row.table.unions]) {
    table.journal.push({ fence, row, before: undefined, said, creation: null });
  }
}

/** The server has named a draft: the same row under its new key; the local id stays valid. */
function nameDraft(store: Store, { draft, row, pk }: Naming): void {
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
  // the server's row came another way before the answer: whoever holds the draft sees that one from now on
  draft.forward = row;
  store.mark(draft);
  for (const list of itemsOf(draft.holders)) holdInstead(store, list, row);
}

function setBase(store: Store, row: Row, next: RowState, origin: Origin, oldestOpen: number): void {
  const before = row.base;
  if (before === next) return;
  row.base = next;
  store.moveRow(row, before, next);
  if (row.layers === null) store.showRow(row, next);
  else {
    store.showRow(row, foldRow(row));
    store.layAnew(row.layers[0]!.intent);
  }
  if (before) moveBetweenLists(store, row, before, next, origin, oldestOpen);
}

/** An acknowledged delete: the row leaves every list and stays away from whatever was sent before. */
export function removeRow(store: Store, row: Row, origin: Origin): void {
  // a read that says it is gone is older than what showed the row; a delete that was acknowledged always counts
  if (origin.isRead && row.base && isOlder(origin, row.stamp)) return;
  row.stamp = advance(row.stamp, origin);
  row.fieldStamps = null;
  row.deletedAt = Math.max(row.deletedAt, origin.settled);
  for (const list of itemsOf(row.holders)) removeFromList(store, list, row);
  setBase(store, row, null, origin, Infinity);
}

/** A change of a field that lists filter by moves the row between them, like a create or delete of the same time. */
function moveBetweenLists(
  store: Store,
  row: Row,
  before: RowState,
  after: RowState,
  origin: Origin,
  oldestOpen: number,
): void {
  if (!after) return;
  const { table } = row;
  const { fence } = origin.stamp;
  // what a later write did to it is unknown: so is where it belongs
  const isInDoubt = row.staleSince > 0;
  if (origin.isRead && oldestOpen < fence) {
    for (const one of [table, ...table.unions])
      one.journal.push({ fence, row, before, said: null, creation: null });
  }
  for (const list of itemsOf(row.holders)) {
    const verdict = judge(list, before, after);
    if (verdict === 'leave') removeFromList(store, list, row);
    if (verdict === 'doubt' || (verdict === 'leave' && isInDoubt)) store.doubt(list, fence);
  }
  const entered = listsToEnter(table, before, after);
  if (table.unions.size > 0)
    for (const union of table.unions) entered.push(...listsToEnter(union, before, after));
  if (entered.length === 0) return;
  for (const list of entered) {
    // a mapping's lists hold tagged references, which a row alone cannot make: only the server can tell
    if (list.table === table) addToList(store, list, [row], 'end');
    if (list.table !== table || list.identity.hasOrder || isInDoubt) store.doubt(list, fence);
  }
}

const never = (): boolean => false;

/** The created members that no later write has moved on: its answer may have come first. */
function stillIn(list: List, members: readonly unknown[], origin: Origin): readonly unknown[] {
  const isMoved = (member: unknown): boolean => {
    const row = rowOf(member);
    return row !== undefined && hasMovedOn(list, row, origin.sent);
  };
  return members.some(isMoved) ? members.filter((member) => !isMoved(member)) : members;
}

function applyCreation(
  store: Store,
  creation: Creation,
  origin: Origin,
  oldestOpen: number,
  prepared: Prepared | null,
): void {
  const { table, members, op, merge, matches, leaves } = creation;
  const ready = prepared?.creations.get(creation);
  const { fence } = origin.stamp;
  const place = op === 'start' ? 'start' : 'end';
  // found before anything moves: a filter may look at where the rows stand
  const lists = op === 'remove' ? [] : orElse(creation.select, () => ready?.lists ?? []);
  for (const member of leaves === null ? [] : members) {
    const row = rowOf(member);
    for (const list of itemsOf(row?.holders ?? null)) {
      if (row && leaves && orElse(() => leaves(list, row), never)) removeFromList(store, list, row);
    }
  }
  for (const list of lists) {
    const merged = ready?.merged.get(list);
    if (merge)
      mergeIntoList(store, list, (present) =>
        merged?.from === present
          ? merged.members
          : orElse(
              () => merge(present, members),
              () => present,
            ),
      );
    else addToList(store, list, stillIn(list, members, origin), place);
  }
  if (oldestOpen >= fence) return;
  for (const member of members) {
    const row = rowOf(member);
    if (row)
      table.journal.push({
        fence,
        row,
        before: undefined,
        said: null,
        creation: { member, sent: origin.sent, place, merge, matches, leaves },
      });
  }
}
