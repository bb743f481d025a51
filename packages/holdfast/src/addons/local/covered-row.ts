// Reads the row that a call identifies, as far as the row is stored, and names the missing fields: the fields that are not stored
// and that no response has declared yet.
import type { EndpointCall } from '../../dispatch/call.ts';
import { EntityKind } from '../../schema/entity/entity-kind.ts';
import { isThere, queryKind } from '../../schema/protocol/protocol.ts';
import type { ReadContext } from '../../schema/protocol/protocol.ts';
import { hasField } from '../../store/fields.ts';
import { hasSameItems } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import type { Row } from '../../store/nodes.ts';
import { isAfter } from '../../store/order.ts';
import type { Slot } from '../../store/slot.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import { createPicked, kindOfClass, wholeOf } from './pick.ts';

export interface CoveredRow {
  /**
   * An instance of the call's class, or an instance with only the fields that are not missing; undefined if neither can be shown.
   */
  readonly data: unknown;
  readonly missing: readonly string[];
  readonly row: Row | undefined;
}

// The kind that reads a row with only some fields, by the kind of the call and then by the names of the fields.
const partKinds = new WeakMap<EntityKind, Map<string, EntityKind>>();

function kindWith(whole: EntityKind, names: readonly string[]): EntityKind {
  const kinds = ensure(partKinds, whole, () => new Map<string, EntityKind>());
  return ensure(kinds, names.join(), () =>
    kindOfClass(createPicked(wholeOf(whole.entity), names, new Set())),
  );
}

/** The kind of the call's row. Throws for a call whose schema is not an entity class. */
export function rowKindOf({ kind, endpoint }: EndpointCall): EntityKind {
  if (kind instanceof EntityKind) return kind;
  throw new HoldfastError('COVERED_WITHOUT_ROW', { endpoint: endpoint.name });
}

/** Builds an observer's view of a slot: the row of the slot's call, as far as the row is stored. */
export function buildCoveredRow(call: EndpointCall, view: View, at: ReadContext): void {
  const slot = view.subject as Slot; // cast: the observer makes views of slots only
  const { argsForLookUp: args } = call;
  const kind = rowKindOf(call);
  const look = { engine: at.engine, args, depend: at.depend.bind(at) };
  const row = rowOf(slot.hasResult ? slot.stored : queryKind(kind, args, look));
  const before = view.value as CoveredRow | undefined; // cast: only this function sets the value
  let data: unknown;
  let missing: readonly string[] = [];
  if (row && !isAfter(slot.invalidatedAt, 0)) {
    const whole = at.readNode(row, kind);
    const { shown, coverage } = row;
    const names = kind.fieldNames();
    // If this call has its own response and the row can be shown, no field is missing: the response has all fields of the row, even
    // if the server leaves out the empty fields.
    if (shown && !(slot.hasResult && isThere(whole)))
      missing = names.filter((name) => !hasField(shown, name) && !coverage?.names?.has(name));
    const there = names.filter((name) => !missing.includes(name));
    const found = missing.length > 0 ? at.readNode(row, kindWith(kind, there)) : whole;
    if (isThere(found)) data = found;
  }
  if (before && hasSameItems(before.missing, missing)) ({ missing } = before);
  const isSame = before?.data === data && before?.missing === missing && before.row === row;
  at.finishView(view, isSame ? before : ({ data, missing, row } satisfies CoveredRow));
}
