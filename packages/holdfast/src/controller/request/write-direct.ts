// Writes without a request of this controller: `set`, `setResponse`, `setError`, and `resolve` for a response that other code
// received. The first three count as mutations that were sent and acknowledged at this moment.
import { slotOf } from '../slot/read-slot.ts';
import { applyPayload } from './apply-payload.ts';
import { createStamp, writeError } from '../slot/write-slot.ts';
import { Row } from '../../store/nodes.ts';
import { supersedeFields } from '../../store/overlay.ts';
import { removeProtectedFields } from './keep-acknowledged.ts';
import { writeResponse, throwWrongShape } from './write-response.ts';
import { lookUp } from '../slot/read-stored.ts';
import { isRecord } from '../../support/plain.ts';
import { toError } from '../../support/errors.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import { isRowKind } from '../../schema/protocol/protocol.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { Core } from '../state/core.ts';

type WriteArgs = readonly unknown[];

/** A response that this controller did not request. */
export interface DirectResponse {
  readonly response: unknown;
  /** When the request was sent, as a time of day. Default: now. */
  readonly fetchedAt?: number | undefined;
  readonly error?: boolean | undefined;
  /**
   * Whether this is the response to a read. If not, the response counts as the response to a mutation that was acknowledged at this
   * moment.
   */
  readonly isRead: boolean;
}

/** Stores a value, or the result of a function of the present value. The function is not called when there is no present value. */
export function setValue(core: Core, kind: Kind, args: WriteArgs, given: unknown): void {
  const { engine } = core;
  core.scheduleCollection(); // a value that is refused below emits no event, but the look-up may have created nodes
  let value = given;
  if (typeof given === 'function') {
    const present = lookUp(core, kind, args);
    if (present === undefined) return;
    value = (given as (present: unknown) => unknown)(present); // cast: `typeof` has checked it
  }
  // The arguments that identify an entity are fields of the entity, so the value need not repeat them.
  const isRow = isRowKind(kind);
  if (isRow && isRecord(args[0]) && isRecord(value)) value = { ...args[0], ...value };
  const effects = engine.normalize(kind, value, { args });
  const { rows, removed, lists, stored } = effects;
  const pk = isRow ? kind.pkOf(args) : undefined;
  if (pk !== undefined && stored instanceof Row && stored.pk !== pk && stored.localId !== pk)
    throwWrongShape(value, 'set', `${stored.table.key} ${pk}`, 'another row');
  // A primitive value, such as an id, would store nothing, so an error is thrown.
  if (rows.length + removed.length + lists.length === 0 && Object(value) !== value)
    throwWrongShape(value, 'set');
  effects.noteNested();
  engine.store.batch(() => {
    // A plain value may be older than this client's mutations. The result of a function is newer than the pending mutations,
    // because the function has read the present value.
    if (typeof given !== 'function') removeProtectedFields(core, effects);
    else
      for (const [index, row] of rows.entries())
        supersedeFields(engine.store, row, Object.keys(effects.fields[index]!), Infinity); // `rows` and `fields` have equal lengths
    applyPayload(core, effects, createStamp(core, {}, { isRead: false, sent: Infinity }));
  });
  core.emit({ type: 'set' });
}

/** Stores a response, or an error. Without `fetchedAt`, the request counts as sent at this moment. */
export function storeResponse(core: Core, call: EndpointCall, given: DirectResponse): void {
  const { endpoint } = call;
  const { response, error, isRead, fetchedAt = Infinity } = given;
  const sent = core.engine.store.timeline.toTimeline(fetchedAt);
  core.scheduleCollection(); // a response that is refused below emits no event, but may have created nodes
  core.engine.store.batch(() => {
    if (error) {
      const slot = slotOf(core, call);
      const origin = createStamp(core, endpoint, { isRead, sent, failureCount: slot.failureCount + 1 });
      writeError(core.engine.store, slot, toError(response), origin);
    } else writeResponse(core, call, response, createStamp(core, endpoint, { isRead, sent }));
  });
  core.emit({ type: 'set' });
}
