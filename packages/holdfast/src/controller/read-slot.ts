// What is stored for an endpoint and its arguments, as one observation: the value, the error that readers see, how good
// the value is and until when. A view like any other: it is built when read, and marked when something under it changes.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { lookUpArgs } from '../endpoint/row-name.ts';
import { AnswerKind } from '../normalize/answer.ts';
import type { Engine } from '../normalize/engine.ts';
import { INVALID, ReadFrame, UNKNOWN } from '../schema/protocol.ts';
import type { Kind, ReadContext } from '../schema/protocol.ts';
import { View } from '../store/view.ts';
import type { Slot } from '../store/nodes.ts';
import { ExpiryStatus } from './controller.types.ts';
import { hasSchema, kindFor, slotKeyOf } from './core.ts';
import type { Core } from './core.ts';
import { dataLifetime, expiryOf, isOver, shownError, statusOf } from './freshness.ts';

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
  slotKey: string = slotKeyOf(endpoint, args),
): View {
  const slot = core.engine.store.slot(slotKey);
  return core.engine.viewOf(slot, observationKind(core.engine, endpoint), args);
}

export function readSlot(core: Core, endpoint: EndpointInterface, args: readonly unknown[]): Observation {
  return core.engine.read(observationView(core, endpoint, args)) as Observation; // cast: what the kind below builds
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

  override openView(view: View, _at: ReadContext): unknown {
    const slot = view.subject as Slot; // cast: made over slots only
    const kind = kindFor(this.#endpoint);
    const source = slot.hasResult
      ? this.#engine.answerView(slot, kind, view.args)
      : this.#engine.cellView(kind, lookUpArgs(this.#endpoint, view.args));
    return new ObservationRead(view, this.#endpoint, kind, source);
  }
}

class ObservationRead extends ReadFrame {
  static readonly specimen: object = new ObservationRead(
    new View(null, null, []),
    { schema: undefined } as never, // cast: never run, nor the next
    {} as never,
    new View(null, null, []),
  );
  readonly size = 1;
  override readonly view: View;
  readonly #endpoint: EndpointInterface;
  readonly #slot: Slot;
  readonly #kind: Kind;
  readonly #hasSchema: boolean;
  readonly #source: View;
  #value: unknown = undefined;

  constructor(view: View, endpoint: EndpointInterface, kind: Kind, source: View) {
    super();
    this.view = view;
    this.#endpoint = endpoint;
    this.#slot = view.subject as Slot; // cast: made over slots only
    this.#kind = kind;
    this.#hasSchema = hasSchema(endpoint);
    this.#source = source;
  }

  next(at: ReadContext): unknown {
    if (!this.#slot.hasResult && !this.#hasSchema) return undefined;
    at.depend(this.#source);
    return at.revisit(this.#source);
  }

  accept(value: unknown): void {
    this.#value = value;
  }

  finish(at: ReadContext): unknown {
    const slot = this.#slot;
    const isFound = slot.hasResult
      ? !this.#hasSchema || this.#value !== undefined
      : this.#value !== undefined && this.#source.stored !== UNKNOWN;
    const value = this.#hasSchema && slot.hasResult && this.#value === undefined ? INVALID : this.#value;
    const data = value === INVALID ? undefined : value;
    const next: Observation = {
      data,
      error: shownError(slot, this.#endpoint, isFound && value !== INVALID),
      expiryStatus: statusOf(slot, this.#endpoint, value, isFound),
      expiresAt: expiryOf(slot, this.#source, this.#kind),
      errorExpiresAt: slot.error === undefined ? 0 : slot.errorStamp.expiresAt,
      isFetching: slot.flights > 0,
      isOwn: slot.hasResult,
    };
    const previous = this.view.value as Observation | undefined; // cast: built here before
    at.complete(this.view, previous !== undefined && isSame(previous, next) ? previous : next);
    return this.view.value;
  }
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
