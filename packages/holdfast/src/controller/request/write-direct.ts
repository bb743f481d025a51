// Writes that are no request of this controller: `set`, `setResponse`, `setError`, and `resolve` for an answer that
// came another way. The first three count as mutations, sent and acknowledged at this moment.
import { slotOf } from '../slot/read-slot.ts';
import { createOrigin, writeError } from '../slot/write-slot.ts';
import { Row } from '../../store/nodes.ts';
import { uncover } from '../../store/overlay.ts';
import { keepAcknowledged } from './keep-acknowledged.ts';
import { writeResponse, refuse } from './write-response.ts';
import { lookUp } from '../slot/read-stored.ts';
import { isRecord } from '../../support/plain.ts';
import { toError } from '../../support/errors.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { Core } from '../state/core.ts';

type WriteArgs = readonly unknown[];

/** An answer to a request that was sent elsewhere. */
export interface GivenResponse {
  readonly response: unknown;
  readonly fetchedAt?: number | undefined;
  readonly error?: boolean | undefined;
  /** Whether it answers a read; a write counts as acknowledged at this moment. */
  readonly isRead: boolean;
}

/** Stores a value, or what a function makes of the present one; nothing when there is none to work on. */
export function setValue(core: Core, kind: Kind, args: WriteArgs, given: unknown): void {
  const { engine } = core;
  core.touch(); // what is refused is no event, but may have been looked up
  let value = given;
  if (typeof given === 'function') {
    const present = lookUp(core, kind, args);
    if (present === undefined) return;
    value = (given as (present: unknown) => unknown)(present); // cast: typeof says so
  }
  // the arguments that name an entity are fields of it: the value need not say them again
  if (kind.pkOf && isRecord(args[0]) && isRecord(value)) value = { ...args[0], ...value };
  const effects = engine.normalize(kind, value, { args });
  const { rows, removed, lists, stored } = effects;
  const pk = kind.pkOf?.(args);
  if (pk !== undefined && stored instanceof Row && stored.pk !== pk && stored.localId !== pk)
    refuse(value, 'set', `${stored.table.key} ${pk}`, 'another row');
  // an id or nothing in place of an object would store nothing, silently
  if (rows.length + removed.length + lists.length === 0 && Object(value) !== value) refuse(value, 'set');
  effects.noteNested();
  engine.store.batch(() => {
    // a function has seen the present value: it is no older than a guess
    if (typeof given !== 'function') keepAcknowledged(core, effects);
    else
      for (const [at, row] of rows.entries())
        uncover(engine.store, row, Object.keys(effects.fields[at]!), Infinity); // grow together
    engine.apply(effects, createOrigin(core, {}, { isRead: false, sent: Infinity }));
  });
  core.emit({ type: 'set' });
}

/** Stores an answer, or a failure. What does not say when it was sent was sent at this moment. */
export function storeResponse(core: Core, call: EndpointCall, given: GivenResponse): void {
  const { endpoint } = call;
  const { response, error, isRead, fetchedAt = Infinity } = given;
  const sent = core.engine.store.timeline.stampOf(fetchedAt);
  core.touch(); // as above
  core.engine.store.batch(() => {
    if (error) {
      const slot = slotOf(core, call);
      const origin = createOrigin(core, endpoint, { isRead, sent, failures: slot.failures + 1 });
      writeError(core.engine.store, slot, toError(response), origin);
    } else {
      writeResponse(core, call, response, createOrigin(core, endpoint, { isRead, sent }));
      if (!endpoint.sideEffect) slotOf(core, call).failures = 0;
    }
  });
  core.emit({ type: 'set' });
}
