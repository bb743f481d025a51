// What is stored for an endpoint and its arguments, as facts that decide.ts judges: the value, the failure, how long each
// stands. Read directly by `getResponse` and snapshots; each observer reads through a view of its own.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { targetsOf } from '../../dispatch/write-queues.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Reads } from '../../normalize/read.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { ReadContext } from '../../schema/protocol/protocol.ts';
import { View } from '../../store/graph.ts';
import type { Node } from '../../store/graph.ts';
import { isNode, List, Row, Table } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { contentOf } from '../../store/overlay.ts';
import { NEVER } from '../../store/stamp.ts';
import type { Stamp } from '../../store/stamp.ts';
import type { Store } from '../../store/store.ts';
import type { Core } from '../state/core.ts';
import { isPlain } from '../../support/plain.ts';

/** The facts of one look. Immutable; the same object as long as nothing in it changed: readers are not woken for nothing. */
export interface Seen {
  readonly data: unknown;
  /** Whether `data` is something to show: undefined is, where the endpoint has no schema. */
  readonly isThere: boolean;
  /** Whether the data is this endpoint's own answer; else it was found among the answers of others. */
  readonly isOwn: boolean;
  readonly isInvalidated: boolean;
  /** When the data counts as stale; 0 where it is stale already. */
  readonly expiresAt: number;
  /** When another request is due: later than `expiresAt` where a request sent after a doubt has not settled it. */
  readonly dueAt: number;
  /** The time of day at which the data was stored. */
  readonly storedAt: number;
  /** How long the answer was fresh when it arrived; undefined where its endpoint says that. */
  readonly lifetimeMs: number | undefined;
  readonly error: Error | undefined;
  /** When the failure may be tried again; 0 without one. */
  readonly errorExpiresAt: number;
  readonly isFetching: boolean;
}

/** Whether two records of the same type hold the same. */
export function isAlike<T extends object>(left: T, right: T | null | undefined): boolean {
  if (!right) return false;
  for (const name in left) if (left[name] !== right[name]) return false;
  return true;
}

/** The stored answer, made absent when there is none so that readers may wait on it. Remembers the pattern of its endpoint's keys. */
export function slotOf(core: Core, { slotKey, endpoint }: EndpointCall): Slot {
  core.touch();
  const slot = core.engine.store.slot(slotKey);
  const pattern = endpoint.keyPattern?.();
  if (pattern !== undefined && !slot.keyPatterns.includes(pattern))
    slot.keyPatterns = [...slot.keyPatterns, pattern];
  return slot;
}

/** The read of the slot's key that is under way and that a new fetch may join. */
export function joinable(slot: Slot, call: EndpointCall): Flight | undefined {
  return (slot.flights as readonly Flight[]).find((flight) => flight.suits(call)); // cast: opaque to the store
}

/** One look. With `reads` it leaves the memo alone and records what it read: a snapshot looks while a guess is made. */
export function readSlot(core: Core, call: EndpointCall, reads?: Reads): Seen {
  const { engine } = core;
  const slot = slotOf(core, call);
  reads?.set(slot, contentOf(slot));
  let source = sourceOf(engine, call, slot);
  if (source && reads) source = engine.viewWithoutMemo(source, reads);
  else if (source) engine.read(source);
  return see(engine, call, slot, source);
}

/** Builds an observer's view of a slot. Its only child is what the data is read from. */
export function buildSlotView({ engine }: Core, call: EndpointCall, view: View, at: ReadContext): void {
  const slot = view.subject as Slot; // cast: observers' views are over slots
  const source = rowSource(engine, call, slot, view.readNodes?.[0]) ?? sourceOf(engine, call, slot);
  if (source) {
    at.depend(source);
    at.revisit(source);
  }
  const seen = see(engine, call, slot, source);
  at.complete(view, isAlike(seen, view.value as Seen | undefined) ? view.value : seen); // cast: built here before
}

/** What the data is read from: the stored answer, or what the arguments name among the answers of others. */
function sourceOf(engine: Engine, call: EndpointCall, slot: Slot): View | null {
  if (slot.hasResult) return engine.responseView(slot, call.kind, call.args);
  return call.hasSchema && !call.kind.isLive ? engine.cellView(call.kind, call.lookUpArgs) : null;
}

/**
 * Where one entity is asked for and there, the view of its row: a page of rows has nothing in between.
 * fast: R2, W5; test/simulation reads rows that come and go both ways.
 */
function rowSource(engine: Engine, call: EndpointCall, slot: Slot, known: unknown): View | null {
  const { kind } = call;
  if (!kind.pkOf) return null;
  // rows keep their names: the view that was read the last time is nearly always still the one
  const isKnown = known instanceof View && known.reader === kind;
  const found = slot.hasResult
    ? slot.stored
    : isKnown
      ? known.subject
      : targetsOf(engine, kind, [call.lookUpArgs])[0];
  if (!(found instanceof Row)) return null;
  const row = found.forward ?? found;
  return row.shown ? engine.viewOf(row, kind) : null;
}

function see({ store }: Engine, call: EndpointCall, slot: Slot, source: View | null): Seen {
  const value = source?.value;
  const isOwn = slot.hasResult;
  // what made a list old is nothing that another read of a further page could mend
  const since = (call.isPage && slot.page?.fence) || 0;
  // to a look-up deleted and unknown are one; an answer that has lost what it brought is no longer one
  const isThere = value !== INVALID && (value !== undefined || (isOwn && !call.hasSchema));
  return {
    data: isThere ? value : undefined,
    isThere,
    isOwn,
    isInvalidated: slot.invalidatedAt > since,
    ...(source ? ageOf(store, call, slot, source, since) : NO_AGE),
    lifetimeMs: slot.stamp.lifetimeMs,
    error: slot.error,
    errorExpiresAt: slot.error ? slot.errorStamp.expiresAt : 0,
    isFetching: slot.flights.length > 0,
  };
}

// ── freshness ────────────────────────────────────────────────────────────────────────────────────

type Age = Pick<Seen, 'expiresAt' | 'dueAt' | 'storedAt'>;

const NO_AGE: Age = { expiresAt: 0, dueAt: 0, storedAt: 0 };

/** How old the data is. A doubt that is older than `since`, the send of a further page, does not count. */
function ageOf(store: Store, { kind, isPage }: EndpointCall, slot: Slot, source: View, since: number): Age {
  const { hasResult, stored } = slot;
  const stamp = since ? slot.page! : slot.stamp; // its send
  // what a look-up found, where there is no answer
  const found = hasResult ? stored : source.subject instanceof Row ? source.subject : source.stored;
  const requested = since || (hasResult && !isPage ? stamp.fence : 0);
  const staleAt = staleOf(store, source, requested);
  if (slot.invalidatedAt > since || slot.staleSince > since || staleAt > requested) return NO_AGE;
  // a summary from a list is shown, and the rest is fetched
  const isSummary = found instanceof Row && found.shown && kind.covers?.(found.shown) === false;
  const parts = storedParts(found).flatMap(stampsOf);
  if (!hasResult && (isSummary || parts.length === 0)) return NO_AGE;
  const expiryOf = (stamps: readonly Stamp[]): number =>
    Math.min(...stamps.map(({ expiresAt }) => expiresAt));
  const dueAt = expiryOf(hasResult ? [stamp] : parts);
  const storedAt = Math.max(...[...parts, stamp].map((one) => one.storedAt));
  // a request sent after the doubt has not settled it, so another one would not either; what was newer than the answer has its own age
  const newer = parts.filter(({ fence }) => fence > stamp.fence);
  return { expiresAt: staleAt > since ? 0 : Math.min(dueAt, expiryOf(newer)), dueAt, storedAt };
}

/** The rows and lists that a stored form starts from: itself, or the members of an object. */
export function storedParts(stored: unknown): readonly (Row | List)[] {
  if (isNode(stored)) return [stored];
  return isPlain(stored) && !Array.isArray(stored) ? Object.values(stored).filter(isNode) : [];
}

/** A row that is gone is no data, however lately it went. */
function stampsOf(part: Row | List): readonly Stamp[] {
  if (part instanceof List) return part.segments.map(({ stamp }) => stamp);
  return [part.shown ? part.stamp : NEVER];
}

/**
 * When something that the data is built from came into doubt: a moment after `asked`, where there is one, else an earlier moment;
 * 0 for never. The data's own views tell, so it does not matter which of them were there when the doubt arose. The views are
 * walked only while something is in doubt.
 */
function staleOf({ staleNodes, tablesStaleAt }: Store, source: View, requested: number): number {
  let staleAt = 0;
  if (staleNodes.size === 0 && tablesStaleAt <= requested) return staleAt;
  const nodes = new Set<Node>([source]);
  for (const node of nodes) {
    if (isNode(node)) staleAt = Math.max(staleAt, node.staleSince);
    // a creation ended unknown after all rows were asked for
    else if (node instanceof Table && node.staleAt > requested) staleAt = node.staleAt;
    if (staleAt > requested) break;
    if (!(node instanceof View)) continue;
    if (node.subject) nodes.add(node.subject);
    for (const child of node.readNodes ?? []) nodes.add(child);
  }
  return staleAt;
}
