// Reads the facts that decide.ts needs about an endpoint and its arguments: the stored value, the error, and when each expires.
// `readSlot` reads them once. An observer reads them through a view of its own, which `buildSlotView` builds.
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { targetsOfArgs } from '../../dispatch/write-queues.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { ReadNodes } from '../../normalize/read.ts';
import { INVALID, isRowKind } from '../../schema/protocol/protocol.ts';
import type { ReadContext } from '../../schema/protocol/protocol.ts';
import { View } from '../../store/graph.ts';
import type { Node } from '../../store/graph.ts';
import { isRowOrList, List, Row, Table } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { contentOf } from '../../store/overlay.ts';
import { isAfter, isStale, latest, NO_STAMP } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import type { Store } from '../../store/store.ts';
import type { Core } from '../state/core.ts';
import { isPlain } from '../../support/plain.ts';

/**
 * The facts are immutable. An observer gets the same object as long as the content is the same, so that it is not woken without a
 * change.
 */
export interface SlotFacts {
  readonly data: unknown;
  /** Whether there is data to show. Without a schema, `undefined` may be the data. */
  readonly hasData: boolean;
  /**
   * Whether the slot has a response of this call. If not, any data comes from elsewhere, for example from other calls or from
   * `set`.
   */
  readonly isOwnResponse: boolean;
  readonly isInvalidated: boolean;
  /** Whether the data is one row that the server has and that a pending mutation of this client removes. */
  readonly isRowHidden: boolean;
  /**
   * When the data becomes stale, as a time of day. It is 0 when the data was marked stale or invalid, or when this call has no
   * response and the data is not stored or is a row that lacks declared fields.
   */
  readonly expiresAt: number;
  /**
   * When another request is due. This is later than `expiresAt` when a request that was sent after a stale mark has not removed the
   * mark, or when a row or list that came after the response expires earlier.
   */
  readonly nextRequestAt: number;
  /** The time of day at which the response, or a row or list at its top, was last stored. */
  readonly storedAt: number;
  /** The expiry time that the headers of the response gave; undefined if the endpoint decides. */
  readonly expiryMs: number | undefined;
  readonly error: Error | undefined;
  /** When the failed request may be repeated; 0 without an error. */
  readonly errorExpiresAt: number;
  readonly isFetching: boolean;
}

/** Whether two objects of the same type have identical property values. */
export function isShallowEqual<T extends object>(left: T, right: T | null | undefined): boolean {
  if (!right) return false;
  for (const name in left) if (left[name] !== right[name]) return false;
  return true;
}

/**
 * Returns the slot of the call; creates it if necessary, so that readers can subscribe to it. Adds the endpoint's key pattern, if
 * it has one, to the slot.
 */
export function slotOf(
  core: Pick<Core, 'scheduleCollection' | 'engine'>,
  { slotKey, endpoint }: EndpointCall,
): Slot {
  core.scheduleCollection();
  const slot = core.engine.store.slot(slotKey);
  const pattern = endpoint.keyPattern?.();
  if (pattern !== undefined && !slot.keyPatterns.includes(pattern))
    slot.keyPatterns = [...slot.keyPatterns, pattern];
  return slot;
}

/** Returns the read in flight that a new fetch of this call may join, if there is one. */
export function findJoinable({ flights }: Pick<Core, 'flights'>, call: EndpointCall): Flight | undefined {
  return flights.readsOf(call.slotKey).find((flight) => flight.canServe(call));
}

/** Reads the facts. A snapshot passes `reads`: then no memoized view is used, and `reads` records the nodes that are read. */
export function readSlot(core: Core, call: EndpointCall, reads?: ReadNodes): SlotFacts {
  const { engine } = core;
  const slot = slotOf(core, call);
  reads?.set(slot, contentOf(slot));
  let source = sourceViewOf(engine, call, slot);
  if (source && reads) source = engine.readWithoutMemo(source, reads);
  else if (source) engine.read(source);
  return readFacts(core, call, slot, source);
}

/** Builds an observer's view of a slot. The view depends on its slot and, if there is one, on the view of the data. */
export function buildSlotView(core: Core, call: EndpointCall, view: View, context: ReadContext): void {
  const { engine } = core;
  const slot = view.subject as Slot; // cast: the subject of an observer's view is a slot
  const source = rowViewOf(engine, call, slot, view.readNodes?.[0]) ?? sourceViewOf(engine, call, slot);
  if (source) {
    context.depend(source);
    context.readView(source);
  }
  const facts = readFacts(core, call, slot, source);
  // cast: only this function sets the value
  context.finishView(view, isShallowEqual(facts, view.value as SlotFacts | undefined) ? view.value : facts);
}

/**
 * Returns the view from which the data is read: the view of the stored response; without a response, the view of what the arguments
 * identify, or null if the call has no schema or its kind has a value before any response.
 */
function sourceViewOf(engine: Engine, call: EndpointCall, slot: Slot): View | null {
  if (slot.hasResult) return engine.responseView(slot, call.kind, call.args);
  return call.hasSchema && !call.kind.needsNoResponse ? engine.cellView(call.kind, call.argsForLookUp) : null;
}

/**
 * The view of the row, if the call is for one entity and its row is shown; null otherwise. With this view, the row is read without
 * the view of the response. fast: R2 and W5, test/simulation.
 */
function rowViewOf(engine: Engine, call: EndpointCall, slot: Slot, known: unknown): View | null {
  const { kind } = call;
  if (!isRowKind(kind)) return null;
  // The view of the last read is nearly always still correct, because rows keep their primary keys.
  const isKnown = known instanceof View && known.reader === kind;
  const found = slot.hasResult
    ? slot.stored
    : isKnown
      ? known.subject
      : targetsOfArgs(engine, kind, [call.argsForLookUp])[0];
  if (!(found instanceof Row)) return null;
  const row = found.replacedBy ?? found;
  return row.shown ? engine.viewOf(row, kind) : null;
}

function readFacts(
  { engine, flights }: Core,
  call: EndpointCall,
  slot: Slot,
  source: View | null,
): SlotFacts {
  const value = source?.value;
  const subject = source?.subject;
  const isOwn = slot.hasResult;
  // The stored form of the response; without a response, the stored form that the arguments identify.
  const found = isOwn ? slot.stored : subject instanceof Row ? subject : source?.stored;
  // For a further page, only invalid and stale marks after its request count, because a read of one page does not refresh the whole
  // list.
  const since = (call.isPage && slot.pageStamp?.fence) || 0;
  // With a schema, undefined means that there is no data, for example because the row is unknown or deleted. Without a schema,
  // undefined may be the response.
  const hasData = value !== INVALID && (value !== undefined || (isOwn && !call.hasSchema));
  const isInvalidated = isAfter(slot.invalidatedAt, since);
  const { expiresAt, nextRequestAt, storedAt } =
    source && !isInvalidated ? slotTimesOf(engine.store, call, slot, source, found, since) : NO_TIMES;
  return {
    data: hasData ? value : undefined,
    hasData,
    isOwnResponse: isOwn,
    isInvalidated,
    isRowHidden: found instanceof Row && !found.shown && !!found.base,
    expiresAt,
    nextRequestAt,
    storedAt,
    expiryMs: slot.stamp.expiryMs,
    error: slot.error,
    errorExpiresAt: slot.error ? slot.errorStamp.expiresAt : 0,
    isFetching: flights.readsOf(slot.key).length > 0,
  };
}

// ── freshness ────────────────────────────────────────────────────────────────────────────────────

type SlotTimes = Pick<SlotFacts, 'expiresAt' | 'nextRequestAt' | 'storedAt'>;

const NO_TIMES: SlotTimes = { expiresAt: 0, nextRequestAt: 0, storedAt: 0 };

/**
 * Returns when the data was stored, when it expires, and when it is requested again. All three times are 0 if the data was marked
 * stale after its last request, or if there is no response and the data is not stored or lacks declared fields. `found` is the
 * stored form of the data. `since` is the time at which a further page was requested, and 0 for any other data: marks from before
 * `since` do not count.
 */
function slotTimesOf(
  store: Store,
  { kind, isPage }: EndpointCall,
  slot: Slot,
  source: View,
  found: unknown,
  since: number,
): SlotTimes {
  const { hasResult } = slot;
  const stamp = since ? slot.pageStamp! : slot.stamp; // set, because `since` is its fence
  const requested = since || (hasResult && !isPage ? stamp.fence : 0);
  const staleAt = staleTimeOf(store, source, requested);
  if (isStale(slot, since) || isAfter(staleAt, requested)) return NO_TIMES;
  let isStored = hasResult;
  let dueAt = hasResult ? stamp.expiresAt : Infinity;
  let expiresAt = dueAt;
  let { storedAt } = stamp;
  for (const part of storedParts(found))
    for (const partStamp of part.table.coverage?.stampsOf(part, kind) ?? stampsOf(part)) {
      isStored = true;
      if (!hasResult) dueAt = Math.min(dueAt, partStamp.expiresAt);
      // A row or list that was stored after the response has its own expiry.
      if (isAfter(partStamp.fence, stamp.fence)) expiresAt = Math.min(expiresAt, partStamp.expiresAt);
      storedAt = Math.max(storedAt, partStamp.storedAt);
    }
  // A row that came with a list may lack fields. Without a response of this call, the row is shown but counts as expired, so that
  // the other fields are fetched.
  const isSummary = !hasResult && found instanceof Row && found.shown && kind.covers?.(found.shown) === false;
  if (isSummary || !isStored) return NO_TIMES;
  // A request that was sent after a stale mark may have left the mark. The data then stays stale, but `dueAt` does not change,
  // because another request would not remove the mark either.
  return {
    expiresAt: isAfter(staleAt, since) ? 0 : Math.min(dueAt, expiresAt),
    nextRequestAt: dueAt,
    storedAt,
  };
}

/** Returns the rows and lists at the top of a stored form: the form itself, or the properties of an object. */
export function storedParts(stored: unknown): readonly (Row | List)[] {
  if (isRowOrList(stored)) return [stored];
  return isPlain(stored) && !Array.isArray(stored) ? Object.values(stored).filter(isRowOrList) : [];
}

/**
 * The stamps of a list's segments, or of a row. A row that is not shown, for example because it was deleted, counts as never
 * stored.
 */
export function stampsOf(part: Row | List): readonly Stamp[] {
  if (part instanceof List) return part.segments.map(({ stamp }) => stamp);
  return [part.shown ? part.stamp : NO_STAMP];
}

/**
 * Returns when a node from which the data is built became stale: a time after `requested`, if there is one, else an earlier time; 0
 * if no node is stale. The function searches the nodes that the view has read, so it also finds marks that are older than the view.
 * It skips the search while no row or list is stale and no mutation has ended with an unknown result after `requested`.
 */
function staleTimeOf({ staleNodes, tablesStaleAt }: Store, source: View, requested: number): number {
  let staleAt = 0;
  if (staleNodes.size === 0 && !isAfter(tablesStaleAt, requested)) return staleAt;
  const nodes = new Set<Node>([source]);
  for (const node of nodes) {
    if (isRowOrList(node)) staleAt = latest(staleAt, node.staleSince);
    // The set of all rows of the table is stale, for example after a creation that ended without a response.
    else if (node instanceof Table && isAfter(node.listsStaleAt, requested)) staleAt = node.listsStaleAt;
    if (isAfter(staleAt, requested)) break;
    if (!(node instanceof View)) continue;
    if (node.subject) nodes.add(node.subject);
    for (const child of node.readNodes ?? []) nodes.add(child);
  }
  return staleAt;
}
