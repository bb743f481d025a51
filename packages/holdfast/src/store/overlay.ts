// Optimism as a log of intents replayed over server truth. Each pending mutation lays its guess over rows, lists and
// results; its end takes away that one entry. When the ground below an intent moves, the intents from there on are
// taken off and laid anew, and a guess is made again only if something its function read has changed.
//
//   shown:  base ─▶ +intent 1 ─▶ +intent 2 ─▶ +intent 3          intent 2 fails:
//           base ─▶ +intent 1 ─▶ +intent 3                       (nobody else is rolled back)
import { Effects } from './effects.ts';
import type { Creation } from './effects.ts';
import { isEqual } from './fields.ts';
import { foldList, isSameMembers, withoutRepeats } from './list-members.ts';
import { judge, listsToEnter } from './membership.ts';
import { foldRow } from './merge-row.ts';
import { IndexEntry, List, Row, Slot, Table } from './nodes.ts';
import type { Fields, Intent, ListLayer, RowPolicy, RowState } from './nodes.ts';
import type { Node } from './view.ts';
import { orElse } from './prepare-effects.ts';
import { rowOf } from './reference.ts';
import { itemsOf } from './small-set.ts';
import type { Store } from './store.ts';

/** Adds a mutation that was just called. Call inside a batch. */
export function addIntent(store: Store, intent: Intent): void {
  store.settle();
  store.replay = replayIntents;
  store.intents.push(intent);
  intent.run();
  layIntent(store, intent);
}

/** Takes one mutation's guess away, by identity; the others stay. Call inside a batch. */
export function removeIntent(store: Store, intent: Intent): void {
  const at = store.intents.indexOf(intent);
  if (at < 0) return;
  store.layAnew(intent);
  for (const later of store.intents.slice(at).toReversed()) liftIntent(store, later);
  store.intents.splice(at, 1);
  if (store.intents.length === 0) store.guessReads.clear();
}

/** Lays the intents from `store.replayFrom` on anew. Called by the store before anything is read. */
function replayIntents(store: Store): void {
  const moved = store.intents.slice(store.replayFrom);
  store.replayFrom = Infinity;
  for (const intent of moved.toReversed()) liftIntent(store, intent);
  for (const intent of moved) {
    if (intent.mustRun || sawSomethingElse(intent)) intent.run();
    intent.mustRun = false;
    layIntent(store, intent);
  }
}

/** What a read of this node sees, to be compared with what it sees later. */
export function contentOf(node: Node): unknown {
  if (node instanceof Row) return node.shown;
  if (node instanceof List) return node.exists || node.layers !== null ? node.shown : undefined;
  if (node instanceof Slot) return [node.stored, node.error, node.invalidatedAt];
  if (node instanceof Table) return [...node.rows.values()].filter((row) => row.shown);
  return node instanceof IndexEntry ? [...node.rows] : node;
}

function sawSomethingElse(intent: Intent): boolean {
  for (const [node, seen] of intent.reads) if (!isEqual(contentOf(node), seen)) return true;
  return false;
}

// ── laying and lifting ───────────────────────────────────────────────────────────────────────────

function layIntent(store: Store, intent: Intent): void {
  for (const node of intent.reads.keys()) store.guessReads.add(node);
  const { effects } = intent;
  if (!(effects instanceof Effects)) return; // the guess was called off
  for (const [at, row] of effects.rows.entries()) {
    layRow(store, intent, row, effects.fields[at]!, effects.policies?.get(at) ?? null);
  }
  for (const row of effects.removed) layRow(store, intent, row, null, null);
  for (const { list, members } of effects.lists)
    layList(store, list, { intent, op: 'replace', members: withoutRepeats(members) });
  for (const creation of effects.creations) layCreation(store, intent, creation);
}

function layRow(
  store: Store,
  intent: Intent,
  row: Row,
  fields: Fields | null,
  policy: RowPolicy | null,
): void {
  // a change cannot bring back what is deleted below it, nor a draft whose creation has ended: only a creation can
  const isGone = row.shown === null || (row.shown === undefined && row.localId !== null);
  if (fields !== null && isGone && !intent.drafts.includes(row)) {
    store.guessReads.add(row); // should it come back, the change shows
    return;
  }
  store.remember(row);
  const before = row.shown;
  (row.layers ??= []).push({ intent, fields, policy });
  intent.rows.push(row);
  store.showRow(row, foldRow(row));
  if (before && row.shown) layMoves(store, intent, row, before, row.shown);
}

/** A guess that changes a field moves the row between lists at once, as the answer will. */
function layMoves(store: Store, intent: Intent, row: Row, before: RowState, after: RowState): void {
  const { table } = row;
  if (table.listGroups.size === 0) return;
  const isShownIn = (list: List): boolean => list.shown.some((member) => rowOf(member) === row);
  const layered = store.intents.flatMap((one) => one.lists);
  for (const list of new Set([...itemsOf(row.holders), ...layered])) {
    if (list.table === table && judge(list, before, after) === 'leave' && isShownIn(list)) {
      layList(store, list, { intent, op: 'remove', row });
    }
  }
  for (const list of listsToEnter(table, before, after)) {
    if (!isShownIn(list)) layList(store, list, { intent, op: 'add', members: [row], place: 'end' });
  }
}

function layCreation(store: Store, intent: Intent, creation: Creation): void {
  const { members, op, merge } = creation;
  const lists = op === 'remove' ? [] : orElse(creation.select, () => []);
  for (const member of creation.leaves === null ? [] : members) {
    const row = rowOf(member);
    if (row === undefined) continue;
    // a pending creation's row stands in lists by layers alone
    const layered = store.intents.flatMap((one) => one.lists);
    for (const list of new Set([...itemsOf(row.holders), ...layered])) {
      if (
        orElse(
          () => creation.leaves?.(list, row) ?? false,
          () => false,
        )
      )
        layList(store, list, { intent, op: 'remove', row });
    }
  }
  for (const list of lists) {
    const layer: ListLayer = merge
      ? {
          intent,
          op: 'merge',
          merge: (present) =>
            orElse(
              () => merge(present, members),
              () => present,
            ),
        }
      : { intent, op: 'add', members, place: op === 'start' ? 'start' : 'end' };
    layList(store, list, layer);
  }
}

function layList(store: Store, list: List, layer: ListLayer): void {
  const { answeredAt } = layer.intent;
  // asked for again since it was answered without a name: the list knows better
  if (answeredAt > 0 && list.segments.some(({ stamp }) => stamp.fence > answeredAt)) return;
  store.remember(list);
  (list.layers ??= []).push(layer);
  layer.intent.lists.push(list);
  store.showList(list, foldList(list));
}

function liftIntent(store: Store, intent: Intent): void {
  for (const row of intent.rows) {
    store.remember(row);
    row.layers = withoutIntent(row.layers, intent);
    store.showRow(row, foldRow(row));
  }
  for (const list of intent.lists) {
    store.remember(list);
    list.layers = withoutIntent(list.layers, intent);
    const shown = foldList(list);
    store.showList(list, isSameMembers(shown, list.shown) ? list.shown : shown);
  }
  intent.rows = [];
  intent.lists = [];
}

function withoutIntent<L extends { readonly intent: Intent }>(
  layers: L[] | null,
  intent: Intent,
): L[] | null {
  const rest = layers?.filter((layer) => layer.intent !== intent) ?? [];
  return rest.length > 0 ? rest : null;
}
