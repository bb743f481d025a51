// Optimism as a log of intents replayed over server truth. Each pending mutation lays its guess over rows, lists and
// results; its end takes away that one entry. When the ground below an intent moves, the intents from there on are
// taken off and laid anew, and a guess is made again only if something its function read has changed.
//
//   shown:  base ─▶ +intent 1 ─▶ +intent 2 ─▶ +intent 3          intent 2 fails:
//           base ─▶ +intent 1 ─▶ +intent 3                       (nobody else is rolled back)
import type { Effects } from './effects.ts';
import { isEqual, mergeFields } from './fields.ts';
import { holds, withMembers, without, withoutRepeats } from './list-members.ts';
import { IndexEntry, List, Row, Slot, Table } from './nodes.ts';
import type { Fields, Intent, Layer, Layered, Place, RowPolicy } from './nodes.ts';
import { placeMembers, placeRow } from './place-rows.ts';
import type { Lists } from './place-rows.ts';
import type { Node } from './view.ts';
import { itemsOf } from './small-set.ts';
import type { Store } from './store.ts';
import { attempt } from '../support/call-safely.ts';

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
  const effects = intent.effects as Effects | null; // cast: nodes.ts cannot name them
  if (effects === null) return; // the guess was called off
  const { rows, fields, policies, removed } = effects;
  const lists = new LayerLists(store, intent);
  for (const [at, row] of rows.entries()) layRow(lists, row, fields[at]!, policies?.get(at) ?? null); // grow together
  for (const row of removed) layRow(lists, row, null, null);
  for (const { list, members } of effects.lists) lists.merge(list, () => members);
  for (const placement of effects.placements) placeMembers(lists, placement);
}

function layRow(lists: LayerLists, row: Row, fields: Fields | null, policy: RowPolicy | null): void {
  const { store, intent } = lists;
  const before = row.shown;
  // a change cannot bring back what is deleted below it, nor a draft whose creation has ended: only a creation can
  const isGone = before === null || (before === undefined && row.localId !== null);
  if (fields !== null && isGone && !intent.drafts.includes(row)) {
    store.guessReads.add(row); // should it come back, the change shows
    return;
  }
  intent.rows.push(row);
  lay(row, intent, (below) => {
    if (fields === null || !below) return fields;
    return policy === null ? mergeFields(below, fields) : policy.overlay(below, fields);
  });
  store.show(row);
  // a changed field moves the row between lists at once, as the answer will
  if (before && row.shown) placeRow(lists, row, row.shown, { before, said: null }, false);
}

type Edit = Layer<readonly unknown[]>['edit'];

/** The lists under one pending intent: each edit is a layer over what is below. */
class LayerLists implements Lists {
  readonly store: Store;
  readonly intent: Intent;

  constructor(store: Store, intent: Intent) {
    this.store = store;
    this.intent = intent;
  }

  ask<T>(hook: () => T): T | undefined {
    return attempt(hook);
  }

  /** A row that a pending intent has created stands in lists by layers alone. */
  of(row: Row): ReadonlySet<List> {
    return new Set([...itemsOf(row.holders), ...this.store.intents.flatMap((one) => one.lists)]);
  }

  has(list: List, row: Row): boolean {
    return holds(list.shown, row);
  }

  add(list: List, added: readonly unknown[], place: Place): void {
    this.#lay(list, (members) => withMembers(members, added, place, (row) => holds(members, row)));
  }

  remove(list: List, row: Row): void {
    this.#lay(list, (members) => without(members, (one) => one === row));
  }

  merge(list: List, merge: Edit): void {
    this.#lay(list, (members) => withoutRepeats(merge(members)));
  }

  /** A guess proves nothing: no list is read again for it. */
  doubt(): void {}

  #lay(list: List, edit: Edit): void {
    const { store, intent } = this;
    // asked for again since the intent was answered without a name: the list knows better
    if (intent.answeredAt > 0 && list.segments.some(({ stamp }) => stamp.fence > intent.answeredAt)) return;
    intent.lists.push(list);
    lay(list, intent, edit);
    store.show(list);
  }
}

function lay<T>(node: Layered<T>, intent: Intent, edit: Layer<T>['edit']): void {
  (node.layers ??= []).push({ intent, edit });
}

function liftIntent(store: Store, intent: Intent): void {
  for (const node of [...intent.rows, ...intent.lists]) {
    store.remember(node);
    lift<unknown>(node as Layered<unknown>, intent); // cast: rows and lists alike
    store.show(node);
  }
  intent.rows = [];
  intent.lists = [];
}

function lift<T>(node: Layered<T>, intent: Intent): void {
  const rest = node.layers?.filter((layer) => layer.intent !== intent) ?? [];
  node.layers = rest.length > 0 ? rest : null;
}
