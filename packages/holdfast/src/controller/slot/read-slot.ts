// What is stored for an endpoint and its arguments, as facts that decide.ts judges: the value, the failure, how long each
// stands. Read directly by `getResponse` and snapshots; each observer reads through a view of its own.
import type { Ask } from '../../dispatch/ask.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Reads } from '../../normalize/read.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import { linkChildren } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { contentOf } from '../../store/overlay.ts';
import { View } from '../../store/view.ts';
import type { Core } from '../state/core.ts';
import { isAlike } from '../state/is-alike.ts';
import { expiryOf } from './freshness.ts';
import { namedRow } from './named-row.ts';

/** The facts of one look. Immutable; the same object as long as nothing in it changed. */
export interface Seen {
  readonly data: unknown;
  /** Whether `data` is something to show: undefined is, where the endpoint has no schema. */
  readonly isThere: boolean;
  /** Whether the data is this endpoint's own answer; else it was found among the answers of others. */
  readonly isOwn: boolean;
  readonly isInvalidated: boolean;
  /** When the data counts as stale; 0 for always. */
  readonly expiresAt: number;
  readonly error: Error | undefined;
  /** When the failure may be tried again; 0 without one. */
  readonly errorExpiresAt: number;
  readonly isFetching: boolean;
}

/** The stored answer, made absent when there is none so that readers may wait on it. Remembers the pattern of its endpoint's keys. */
export function slotOf(core: Core, { slotKey, endpoint }: Ask): Slot {
  core.touch();
  const slot = core.engine.store.slot(slotKey);
  slot.keyPattern ??= endpoint.keyPattern?.();
  return slot;
}

/** One look. With `reads` it leaves the memo alone and records what it read: a snapshot looks while a guess is made. */
export function readSlot(core: Core, ask: Ask, reads?: Reads): Seen {
  const { engine } = core;
  const slot = slotOf(core, ask);
  reads?.set(slot, contentOf(slot));
  const source = sourceOf(engine, ask, slot);
  if (source !== null && reads) return see(ask, slot, engine.openFresh(source, reads));
  if (source !== null) engine.read(source);
  return see(ask, slot, source);
}

/** Builds an observer's view of a slot. Its only child is what the data is read from; no value holds it, so no cycle closes on it. */
export function readSlotView({ engine }: Core, ask: Ask, view: View): unknown {
  const slot = view.subject as Slot; // cast: observers' views are over slots
  let source: View | null = null;
  view.failure = null;
  try {
    source = rowSource(engine, ask, slot, view.children?.[0]) ?? sourceOf(engine, ask, slot);
    if (source !== null) engine.read(source);
    const next = see(ask, slot, source);
    if (!isAlike(next, view.value as Seen | undefined)) view.value = next; // cast: built here before
  } catch (error) {
    view.value = undefined;
    view.failure = { error };
  }
  if ((view.children?.[0] ?? null) !== source) linkChildren(view, source && [source]);
  view.isClean = true;
  if (view.failure !== null) throw view.failure.error;
  return view.value;
}

/** What the data is read from: the stored answer, or what the arguments name among the answers of others. */
function sourceOf(engine: Engine, ask: Ask, slot: Slot): View | null {
  if (slot.hasResult) return engine.answerView(slot, ask.kind, ask.args);
  return ask.hasSchema ? engine.cellView(ask.kind, ask.lookUpArgs) : null;
}

/**
 * Where one entity is asked for and there, the view of its row: a page of rows has nothing in between.
 * fast: R2, W5; test/simulation reads rows that come and go both ways.
 */
function rowSource(engine: Engine, ask: Ask, slot: Slot, known: unknown): View | null {
  const { kind } = ask;
  if (kind.pkOf === undefined) return null;
  // rows keep their names: the view that was read the last time is nearly always still the one
  const isKnown = known instanceof View && known.reader === kind && !slot.hasResult;
  const found = isKnown ? known.subject : slot.hasResult ? slot.stored : namedRow(engine, ask);
  if (!(found instanceof Row)) return null;
  const row = found.forward ?? found;
  return row.shown ? engine.viewOf(row, kind) : null;
}

function see(ask: Ask, slot: Slot, source: View | null): Seen {
  const value = source?.value;
  const isOwn = slot.hasResult;
  // to a look-up deleted and unknown are one; an answer that has lost what it brought is no longer one
  const isThere = value !== INVALID && (value !== undefined || (isOwn && !ask.hasSchema));
  return {
    data: isThere ? value : undefined,
    isThere,
    isOwn,
    isInvalidated: slot.invalidatedAt > 0,
    expiresAt: expiryOf(slot, source?.subject instanceof Row ? source.subject : source?.stored, ask.kind),
    error: slot.error,
    errorExpiresAt: slot.error === undefined ? 0 : slot.errorStamp.expiresAt,
    isFetching: slot.flights > 0,
  };
}
