// Optimism as a log of intents replayed over server truth. Each pending mutation lays its guess over rows and
// lists; its end takes away that one entry. When the ground below an intent moves, the intents from there on are
// taken off and laid again, and a guess is made again only if something its function read has changed.
//
//   shown:  base ─▶ +intent 1 ─▶ +intent 2 ─▶ +intent 3          intent 2 fails:
//           base ─▶ +intent 1 ─▶ +intent 3                       (nothing else is rolled back)
import type { Effects } from './effects.ts';
import { isEqual, mergeFields, omit } from './fields.ts';
import { itemsOf } from './graph.ts';
import type { Node } from './graph.ts';
import { holds, withoutRepeats } from './list-members.ts';
import type { Members } from './list-members.ts';
import { IndexEntry, List, Row, Slot, Table } from './nodes.ts';
import type { Fields, Intent, Layer, Layered, RowPolicy } from './nodes.ts';
import { placeMembers, placeRow } from './place-rows.ts';
import type { Edit, Lists } from './place-rows.ts';
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
  liftFrom(store, at);
  store.intents.splice(at, 1);
  if (store.intents.length === 0) store.guessReads.clear();
}

/**
 * A call sent later than some pending ones of the same row was answered: their guesses do not cover the fields that it says.
 * Call inside a batch.
 */
export function uncover(store: Store, row: Row, names: readonly string[], sent: number): void {
  for (const { intent } of row.layers ?? []) {
    if (intent.requestSent === 0 || intent.requestSent >= sent) continue;
    intent.covered.set(row, [...(intent.covered.get(row) ?? []), ...names]);
    store.layAnew(intent);
  }
}

/** Lays the intents from `store.replayFrom` on again. Called by the store before anything is read. */
function replayIntents(store: Store): void {
  const moved = liftFrom(store, store.replayFrom);
  store.replayFrom = Infinity;
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
  const effects = intent.effects as Effects | null; // cast: nodes.ts cannot name them
  if (effects === null) return; // the guess was called off
  const { rows, fields, policies, removed } = effects;
  const lists = new LayerLists(store, intent);
  for (const [at, row] of rows.entries()) layRow(lists, row, fields[at]!, policies?.get(at) ?? null); // grow together
  for (const row of removed) layRow(lists, row, null, null);
  for (const { list, members } of effects.lists) lists.edit(list, () => withoutRepeats(members));
  for (const placement of effects.placements) placeMembers(lists, placement);
}

function layRow(lists: LayerLists, row: Row, fields: Fields | null, policy: RowPolicy | null): void {
  const { store, intent } = lists;
  const before = row.shown;
  // a change cannot bring back what is deleted below it, nor a draft whose creation has ended: only a creation can
  // and of a row that was never loaded a change alone would show defaults
  const isGone = before === null || (before === undefined && (row.localId !== null || intent.isPartial));
  if (fields !== null && isGone && (intent.isPartial || !intent.drafts.includes(row))) {
    store.guessReads.add(row); // should it come back, the change shows
    return;
  }
  intent.rows.push(row);
  const covered = intent.covered.get(row);
  lay(store, row, intent, (below) => {
    if (fields === null || !below) return fields;
    const told = covered ? omit(fields, covered) : fields;
    return policy === null ? mergeFields(below, told) : policy.overlay(below, told);
  });
  // a changed field moves the row between lists at once, as the answer will
  if (before && row.shown) placeRow(lists, row, row.shown, { before, said: null }, false);
}

/** The lists under one pending intent: each edit is a layer over what is below. */
class LayerLists implements Lists {
  readonly sent: number = Infinity;
  readonly store: Store;
  readonly intent: Intent;

  constructor(store: Store, intent: Intent) {
    this.store = store;
    this.intent = intent;
  }

  /** A row that a pending intent has created stands in lists by layers alone. */
  of(row: Row): ReadonlySet<List> {
    return new Set([...itemsOf(row.holders), ...this.store.intents.flatMap((one) => one.lists)]);
  }

  has(list: List, row: Row, among: Members = list.shown): boolean {
    return holds(among, row);
  }

  /** A guess proves nothing: no list is read again for it. */
  doubt(): void {}

  edit(list: List, edit: Edit): void {
    const { store, intent } = this;
    // asked for again since the intent was answered without a name: the list knows better
    if (intent.answeredAt > 0 && list.segments.some(({ stamp }) => stamp.fence > intent.answeredAt)) return;
    intent.lists.push(list);
    lay(store, list, intent, (all) => edit(all, { isFirst: true, isLast: true, all }));
  }
}

function lay<T>(store: Store, node: (Row | List) & Layered<T>, intent: Intent, edit: Layer<T>['edit']): void {
  (node.layers ??= []).push({ intent, edit });
  store.show(node);
}

/** Takes off the intents from one on. */
function liftFrom(store: Store, at: number): readonly Intent[] {
  const lifted = store.intents.slice(at);
  for (const intent of lifted.toReversed()) {
    for (const node of [...intent.rows, ...intent.lists]) {
      store.remember(node);
      const layers = node.layers as Layer<unknown>[] | null; // cast: of rows and lists alike
      const rest = layers?.filter((layer) => layer.intent !== intent) ?? [];
      node.layers = rest.length > 0 ? (rest as never) : null; // cast: as above
      store.show(node);
    }
    intent.rows = [];
    intent.lists = [];
  }
  return lifted;
}
