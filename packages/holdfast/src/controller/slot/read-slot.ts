// What is stored for an endpoint and its arguments, as one observation: the value, the error that readers see, how good
// the value is and until when. A view over the slot and what its data is read from, put together without a walk: every
// reader on a page has one.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { lookUpArgs } from '../../endpoint/row-name.ts';
import { AnswerKind } from '../../normalize/answer.ts';
import type { Engine } from '../../normalize/engine.ts';
import type { Reads } from '../../normalize/read.ts';
import { EntityKind } from '../../schema/entity/entity-kind.ts';
import { INVALID } from '../../schema/protocol/protocol.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import { linkChildren } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Slot } from '../../store/nodes.ts';
import { contentOf } from '../../store/overlay.ts';
import { View } from '../../store/view.ts';
import { ExpiryStatus } from '../state/expiry-status.ts';
import { hasSchema, kindFor, slotOf } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { expiryOf, shownError, statusOf } from './freshness.ts';
import { dataLifetime, isOver } from '../state/lifetimes.ts';

/** One look at an endpoint's data. Immutable; the same object as long as nothing in it changed. */
export interface Observation {
  readonly data: unknown;
  readonly error: Error | undefined;
  readonly expiryStatus: ExpiryStatus;
  readonly expiresAt: number;
  /** Until when the error stands before it is tried again. */
  readonly errorExpiresAt: number;
  readonly isFetching: boolean;
  /** Whether the data is this endpoint's own answer, or was found among what others brought. */
  readonly isOwn: boolean;
}

/** The view of what is stored for an endpoint and its arguments. */
export function observationView(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  slotKey?: string,
): View {
  core.touch();
  const slot = slotOf(core, endpoint, args, slotKey);
  return core.engine.viewOf(slot, observationKind(core.engine, endpoint), args);
}

export function readSlot(core: Core, endpoint: EndpointInterface, args: readonly unknown[]): Observation {
  return core.engine.read(observationView(core, endpoint, args)) as Observation; // cast: what the kind below builds
}

/** The same without memo, with a record of what was read: for snapshots, which look while a guess is being made. */
export function readSlotFresh(
  core: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  reads: Reads,
): Observation {
  const { engine } = core;
  core.touch();
  const slot = slotOf(core, endpoint, args);
  reads.set(slot, contentOf(slot));
  const kind = kindFor(endpoint);
  const source = sourceOf(engine, endpoint, kind, slot, args);
  return observe(endpoint, kind, slot, source && engine.openFresh(source, reads));
}

/** Whether what was seen must be fetched again before it counts as right. */
export function isStale(
  core: Core,
  endpoint: EndpointInterface,
  seen: Observation,
  now: number = core.environment.clock.now(),
): boolean {
  if (seen.expiryStatus === ExpiryStatus.Invalid) return true;
  // what others brought has their lifetime, which is not known here
  const lifetime = seen.isOwn ? dataLifetime(endpoint, core.lifetimes) : Infinity;
  return isOver(seen.expiresAt, lifetime, now);
}

/** Data that only grew old can wait while nobody looks, or the network is away. */
export function isResting(core: Core, seen: Observation): boolean {
  const { online, visibility } = core.environment;
  const isUsable = seen.expiryStatus === ExpiryStatus.Valid && seen.expiresAt > 0;
  return isUsable && !(online.isOnline() && visibility.isVisible());
}

// one per engine and endpoint: a memo keyed by objects of the caller
const kinds = new WeakMap<Engine, WeakMap<object, ObservationKind>>();

function observationKind(engine: Engine, endpoint: EndpointInterface): ObservationKind {
  let ofEngine = kinds.get(engine);
  if (!ofEngine) kinds.set(engine, (ofEngine = new WeakMap()));
  let kind = ofEngine.get(endpoint);
  if (!kind) ofEngine.set(endpoint, (kind = new ObservationKind(engine, endpoint)));
  return kind;
}

class ObservationKind extends AnswerKind {
  readonly #engine: Engine;
  readonly #endpoint: EndpointInterface;

  constructor(engine: Engine, endpoint: EndpointInterface) {
    super(kindFor(endpoint));
    this.#engine = engine;
    this.#endpoint = endpoint;
  }

  /** No value holds an observation, so no cycle closes on it: what it stands on is read first. */
  readView(view: View): unknown {
    const slot = view.subject as Slot; // cast: made over slots only
    const previous = view.value as Observation | undefined; // cast: built here before
    let source: View | null = null;
    view.failure = null;
    try {
      const kind = kindFor(this.#endpoint);
      source = sameSource(view, kind, slot) ?? sourceOf(this.#engine, this.#endpoint, kind, slot, view.args);
      if (source !== null) this.#engine.read(source);
      const next = observe(this.#endpoint, kind, slot, source);
      if (previous === undefined || !isSame(previous, next)) view.value = next;
    } catch (error) {
      view.value = undefined;
      view.failure = { error };
    }
    if ((view.children?.[0] ?? null) !== source) linkChildren(view, source && [source]);
    view.isClean = true;
    if (view.failure !== null) throw view.failure.error;
    return view.value;
  }
}

/**
 * What the data is read from: the row itself where one entity is asked for, so that a page of rows has nothing in between;
 * else the stored answer, or what the arguments name among the answers of others. Null where there can be nothing.
 */
function sourceOf(
  engine: Engine,
  endpoint: EndpointInterface,
  kind: Kind,
  slot: Slot,
  args: readonly unknown[],
): View | null {
  if (!slot.hasResult && !hasSchema(endpoint)) return null;
  const named = slot.hasResult ? args : lookUpArgs(endpoint, args);
  if (kind instanceof EntityKind) {
    const row = slot.hasResult ? slot.stored : rowNamed(engine, kind, named);
    if (row instanceof Row) return engine.viewOf(row.forward ?? row, kind);
  }
  return slot.hasResult ? engine.answerView(slot, kind, args) : engine.cellView(kind, named);
}

/** The row's view that was read the last time, where that is known to be the one still: rows keep their names. */
function sameSource({ children }: View, kind: Kind, slot: Slot): View | null {
  const known = children?.[0];
  if (!(known instanceof View) || known.reader !== kind) return null;
  const { subject } = known;
  if (!(subject instanceof Row) || subject.forward !== null) return null;
  return !slot.hasResult || slot.stored === subject ? known : null;
}

/** The row that the arguments name by its primary key alone; an index may name another. */
function rowNamed(engine: Engine, kind: EntityKind, args: readonly unknown[]): Row | undefined {
  const pk = kind.entity.indexes === undefined ? kind.entity.queryKey(args) : undefined;
  return pk === undefined ? undefined : engine.store.row(engine.tableOf(kind), pk);
}

function observe(endpoint: EndpointInterface, kind: Kind, slot: Slot, source: View | null): Observation {
  const isOwn = slot.hasResult;
  const needsValue = hasSchema(endpoint);
  let value = source?.value;
  // to a look-up deleted and unknown are one; an answer that has lost what it brought is no longer one
  if (isOwn ? needsValue && value === undefined : value === INVALID) value = isOwn ? INVALID : undefined;
  const isFound = isOwn ? !needsValue || source?.value !== undefined : value !== undefined;
  const isThere = value !== INVALID;
  return {
    data: isThere ? value : undefined,
    error: shownError(slot, endpoint, isFound && isThere),
    expiryStatus: statusOf(slot, endpoint, value, isFound),
    expiresAt: expiryOf(slot, source?.subject instanceof Row ? source.subject : source?.stored, kind),
    errorExpiresAt: slot.error === undefined ? 0 : slot.errorStamp.expiresAt,
    isFetching: slot.flights > 0,
    isOwn,
  };
}

function isSame(left: Observation, right: Observation): boolean {
  return (
    left.data === right.data &&
    left.error === right.error &&
    left.expiryStatus === right.expiryStatus &&
    left.expiresAt === right.expiresAt &&
    left.errorExpiresAt === right.errorExpiresAt &&
    left.isFetching === right.isFetching &&
    left.isOwn === right.isOwn
  );
}
