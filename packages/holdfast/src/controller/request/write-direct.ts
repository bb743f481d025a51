// Writes that are no request of this controller: `set`, `setResponse`, `setError`, and `resolve` for an answer that
// came another way. The first three count as mutations, sent and acknowledged at this moment.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { applyEffects } from '../../store/apply-effects.ts';
import { EntityKind } from '../../schema/entity/entity-kind.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import { Row } from '../../store/nodes.ts';
import { readOrigin, writeOrigin } from '../../store/stamp.ts';
import type { Origin } from '../../store/stamp.ts';
import { nameOf, toError, ValidationError } from '../../support/errors.ts';
import { hasSchema, kindFor, sentOf, slotOf } from '../state/core.ts';
import type { Core } from '../state/core.ts';
import { dataExpiry, errorExpiry } from '../state/lifetimes.ts';
import { lookUp } from '../slot/look-up.ts';
import { writeError, writeResult } from '../slot/write-slot.ts';

type Args = readonly unknown[];

/** An answer to a request that was sent elsewhere. */
export interface ForeignAnswer {
  readonly args: Args;
  readonly response: unknown;
  readonly fetchedAt?: number;
  readonly error?: boolean;
}

/** Stores a value, or what a function makes of the present one; nothing when there is none to work on. */
export function setValue(core: Core, kind: Kind, args: Args, given: unknown): void {
  const { engine, environment, lifetimes } = core;
  core.touch(); // what is refused is no event, but may have been looked up
  let value = given;
  if (typeof given === 'function') {
    const present = lookUp(core, kind, args);
    if (present === undefined) return;
    value = (given as (present: unknown) => unknown)(present); // cast: typeof says so
  }
  value = withArguments(kind, args, value);
  const effects = engine.normalize(kind, value, { args });
  if (kind instanceof EntityKind && isAnother(kind.entity.queryKey(args), effects.stored))
    refuse(
      value,
      'set',
      `${kind.key} ${kind.entity.queryKey(args)}, which the arguments name`,
      'another one',
    );
  // an id or nothing in place of an object: nothing would be stored, and nobody told
  const isNothing = effects.rows.length + effects.removed.length + effects.lists.length === 0;
  if (isNothing && (typeof value !== 'object' || value === null)) refuse(value, 'set');
  engine.apply(effects, engine.now(environment.clock.now() + lifetimes.dataExpiryLength));
  core.emit({ type: 'set' });
}

/** The arguments that name an entity are fields of it: the value need not say them again. */
function withArguments(kind: Kind, [first]: Args, value: unknown): unknown {
  const isFields = (one: unknown): one is object =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  return kind instanceof EntityKind && isFields(first) && isFields(value) ? { ...first, ...value } : value;
}

function isAnother(pk: string | undefined, stored: unknown): boolean {
  return pk !== undefined && stored instanceof Row && stored.pk !== pk && stored.localId !== pk;
}

/** Stores the last of what is given as the answer, or the failure, to the arguments before it. */
export function setAnswer(
  core: Core,
  endpoint: EndpointInterface,
  given: Args,
  error: boolean = false,
): void {
  const answer = { args: given.slice(0, -1), response: given.at(-1), error };
  resolveForeign(core, endpoint, answer, false);
}

/** Stores an answer, or a failure. What does not say when it was sent was sent at this moment. */
export function resolveForeign(
  core: Core,
  endpoint: EndpointInterface,
  { args, response, fetchedAt, error }: ForeignAnswer,
  isRead: boolean = !endpoint.sideEffect,
): void {
  const { engine } = core;
  core.touch(); // as above
  const settled = engine.store.timeline.tick();
  const sent = Math.min(fetchedAt ?? settled, settled);
  const originOf = isRead ? readOrigin : writeOrigin;
  if (error === true) {
    const slot = slotOf(core, endpoint, args);
    const origin = originOf(sent, settled, errorExpiry(core, endpoint, slot.failures + 1));
    engine.store.batch(() => writeError(engine, slot, toError(response), origin));
  } else {
    writeAnswer(core, endpoint, args, response, originOf(sent, settled, dataExpiry(core, endpoint)));
  }
  core.emit({ type: 'set' });
}

function writeAnswer(
  core: Core,
  endpoint: EndpointInterface,
  args: Args,
  value: unknown,
  origin: Origin,
): void {
  const { engine } = core;
  if (hasSchema(endpoint) && (value === null || value === undefined)) refuse(value, endpoint.name);
  const sent = endpoint.sideEffect ? sentOf(endpoint, args) : args;
  const effects = engine.normalize(kindFor(endpoint), value, { args, sent, name: endpoint.name });
  engine.store.batch(() => {
    applyEffects(engine.store, effects, origin);
    if (endpoint.sideEffect) return;
    const slot = slotOf(core, endpoint, args);
    writeResult(engine, slot, effects.stored, origin, endpoint.listKey !== undefined);
    slot.failures = 0;
  });
}

function refuse(
  value: unknown,
  path: string,
  expected: string = 'an object',
  found: string = nameOf(value),
): never {
  throw new ValidationError('WRONG_SHAPE', { expected, found, path });
}
