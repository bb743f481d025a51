// What the controller's parts share: the engine, the requests in flight, the environment and the options. Controller is
// its public face; the files beside it are its verbs.
import type { Flight, Flights } from '../../dispatch/flights.ts';
import type { ControllerEvent, LiveSubscription, Send } from '../../dispatch/manager.ts';
import type { AnyEndpoint, EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { settle } from '../../endpoint/settle.ts';
import type { Engine } from '../../normalize/engine.ts';
import { PlainKind } from '../../schema/kinds/field-kind.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { Slot } from '../../store/nodes.ts';
import type { View } from '../../store/view.ts';
import type { Environment } from '../../support/environment.ts';
import type { Alarms } from './alarms.ts';
import type { Drafts } from './drafts.ts';
import type { Lifetimes } from './lifetimes.ts';
import type { PendingBook } from './pending-book.ts';

/** How the library's own functions reach what a controller is made of. */
export const CORE: unique symbol = Symbol('holdfast.core');

/** Whoever misses something: an observer. */
export interface WantingReader {
  readonly isWanting: boolean;
  refresh(): void;
  readShown(): {
    readonly data: unknown;
    readonly error: Error | undefined;
    readonly promise: Promise<unknown>;
  };
}

/** States that are still to come; see arrivals.ts. */
export interface Arriving {
  /** What the reader has to wait for, if a state that is there and not taken in yet may bring what it misses. */
  waitFor(reader: WantingReader): Promise<unknown> | undefined;
  /** What the reader was given to wait for, while it is being served. */
  awaitedBy(reader: WantingReader): Promise<unknown> | undefined;
  /** What was there from the start is on screen: the rest may come in at leisure. */
  finish(): void;
}

/** How a controller takes its initial state in: the code for it comes with the state, not with the controller. */
export const START: unique symbol = Symbol('holdfast.start');

/** What a controller may start with. Made by `savedState` and `readPage`. */
export interface InitialState {
  /** Takes the state in; gives what is still to come after it. */
  readonly [START]: (core: Core) => Arriving | null;
}

export interface Core {
  /** Replaced by a reset; never keep it across an await. */
  readonly engine: Engine;
  readonly environment: Environment;
  readonly flights: Flights;
  readonly drafts: Drafts;
  /** When observers look again at what they show. */
  readonly alarms: Alarms;
  readonly lifetimes: Lifetimes;
  /** What the pending intents are, for `getPending`. */
  readonly pending: PendingBook;
  readonly send: Send;
  /** States that are still to come; null when none are. */
  readonly arrivals: Arriving | null;
  /** Counts resets: what was sent in an older one may not enter the store. */
  readonly generation: number;
  emit(event: ControllerEvent): void;
  /** Looks again at what mounted readers show: something became stale. */
  recheck(): void;
  /** Something may be made now of which no event tells, as by a look-up: it has to go again. Next to nothing to call. */
  touch(): void;
}

/** Takes an endpoint in hand: what its options say is on it from here on, class fields of a subclass or not. */
export function take(endpoint: AnyEndpoint): EndpointInterface {
  return settle(endpoint) as EndpointInterface; // cast: only endpoints have the slot that AnyEndpoint asks for
}

const NO_SCHEMA: Kind = new PlainKind(undefined);
// keyed by the user's own endpoints: a memo, not state
const kinds = new WeakMap<object, { schema: unknown; kind: Kind }>();

/** The kind of an endpoint's schema; one without reads as the response itself. */
export function kindFor(endpoint: EndpointInterface): Kind {
  const { schema } = endpoint;
  if (schema === undefined || schema === null) return NO_SCHEMA;
  // an entity's kind is compiled from its static schema, which may be assigned late: it is asked again
  if (typeof schema === 'function') return kindOf(schema);
  const known = kinds.get(endpoint);
  if (known !== undefined && known.schema === schema) return known.kind;
  const kind = kindOf(schema);
  kinds.set(endpoint, { schema, kind });
  return kind;
}

/** The kind of what the endpoint is about: of the entity itself where the schema says that it is removed. */
export function sourceKind(endpoint: EndpointInterface): Kind {
  const kind = kindFor(endpoint);
  return kind.removed?.() ?? kind;
}

/** Whether there is nothing to ask for: null in place of arguments. */
export function isNothing(args: readonly unknown[]): boolean {
  return args.length === 1 && args[0] === null;
}

export function hasSchema(endpoint: EndpointInterface): boolean {
  return endpoint.schema !== undefined && endpoint.schema !== null;
}

export function keyOf(endpoint: EndpointInterface, args: readonly unknown[]): string {
  const { key } = endpoint as { key(...given: readonly unknown[]): string }; // cast: the public signatures check arguments
  return args.length === 1 ? key.call(endpoint, args[0]) : key.apply(endpoint, [...args]);
}

/** The key under which the answer is stored: a page's is that of the list it extends. */
export function slotKeyOf(endpoint: EndpointInterface, args: readonly unknown[]): string {
  const listKey = endpoint.listKey as ((...given: readonly unknown[]) => string) | undefined; // cast: as above
  return listKey === undefined ? keyOf(endpoint, args) : listKey.apply(endpoint, [...args]);
}

/** The stored answer for an endpoint and its arguments. It remembers the endpoint by the pattern of its keys: see expire.ts. */
export function slotOf(
  { engine }: Core,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  slotKey: string = slotKeyOf(endpoint, args),
): Slot {
  const slot = engine.store.slot(slotKey);
  slot.keyPattern ??= endpoint.keyPattern?.();
  return slot;
}

/** Parameters and body, told apart as the endpoint tells them apart. */
export function sentOf(endpoint: EndpointInterface, args: readonly unknown[]): readonly unknown[] {
  if (args.length > 2) return args;
  const { params, body } = endpoint.splitArgs(args);
  return [params, body];
}

export function subscriptionOf(given: AnyEndpoint, args: readonly unknown[]): LiveSubscription {
  const endpoint = take(given);
  return { endpoint, args, key: keyOf(endpoint, args) };
}

/** Hands a request over to the managers. */
export function sendFlight(
  { environment, send }: Core,
  { key, isRead, aborter }: Flight,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Promise<RequestOutcome> {
  return send({ endpoint, args, key, isRead, signal: aborter.signal, environment });
}

/** What the view gives; nothing where a class's own code throws: whoever reads it meets that. */
export function tryRead({ engine }: Core, view: View): unknown {
  try {
    return engine.read(view);
  } catch {
    return undefined;
  }
}
