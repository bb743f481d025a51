// Handles rows of a saved state whose responses declare only some fields. A reader of a field that they do not declare, and that is
// not stored, gets no data. This file is used until the process uses a picked class of the table, whose code
// (addons/local/row-coverage.ts) may never be loaded.
import type { EntityReader } from '../../schema/entity/entity-read.ts';
import { ownersOf } from '../../schema/protocol/protocol.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import { hasField } from '../../store/fields.ts';
import { addBeforeRowWrite, Row } from '../../store/nodes.ts';
import type { BeforeRowWrite, Fields, TableCoverage } from '../../store/nodes.ts';
import { isRead, NO_STAMP } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import { rowOf } from '../../store/stored-form.ts';

const savedCoverage: TableCoverage = {
  isSaved: true,
  stateOf({ shown, coverage }, kind) {
    const names = coverage?.names;
    const isWanted = (name: string): boolean => !shown || names!.has(name) || hasField(shown, name); // called only if `names` is set
    return names && !(kind as EntityReader).fieldNames().every(isWanted) ? undefined : shown; // cast: rows have kinds of entities
  },
  stampsOf(part, kind) {
    if (part instanceof Row) return undefined;
    const owners = ownersOf(kind as Kind); // cast: a response is read with a kind
    const wanted = owners.flatMap((owner) => (owner.key === part.table.key ? owner.fieldNames() : []));
    // Rows that lack a field of this reader are not shown to the reader. The list counts as expired for the reader, so that it is
    // fetched.
    const isLacking = part.segments.some(
      ({ stamp: { fieldNames: names } }) => names && !wanted.every((name) => names.has(name)),
    );
    return isLacking ? [{ ...NO_STAMP, fence: Infinity, storedAt: Infinity }] : undefined;
  },
};

/**
 * When a row is deleted or a read brings it, forgets which fields the row has. While this file is used, all classes of the table
 * are whole, and a read of a whole class brings all fields. The response to a mutation, or a message, may omit some fields.
 */
const forgetWhenRead: BeforeRowWrite = ({ origin, store }, row, payload) => {
  if (!origin || !row.coverage || row.table.coverage !== savedCoverage || (payload && !isRead(origin)))
    return undefined;
  row.coverage = undefined;
  return () => store.mark(row);
};

/**
 * The stamp of a page. If some of its rows are not whole, `fieldNames` has the fields that at least one response of each row
 * declares.
 */
export function withCommonNames(stamp: Stamp, members: readonly unknown[]): Stamp {
  const [first, ...others] = members.flatMap((member) => rowOf(member)?.coverage?.names ?? []);
  if (!first) return stamp;
  return {
    ...stamp,
    fieldNames: new Set([...first].filter((name) => others.every((names) => names.has(name)))),
  };
}

/**
 * Called when the fields `saved` of a state were merged into a row that had the fields `before`. Records which fields the responses
 * of the row declare. All these fields count as equally old: the stamp of the row has the age of the oldest field.
 */
export function noteCoverage(
  row: Row,
  before: Row['base'],
  saved: Fields,
  lacks: readonly string[] | undefined,
): void {
  const { table } = row;
  const here = row.coverage?.names ?? null;
  const hasAllSaved = Object.keys(saved).every((name) => Object.hasOwn(row.base ?? {}, name));
  const names = lacks ? new Set([...(before ? (here ?? []) : []), ...Object.keys(saved), ...lacks]) : null;
  // A row that was whole in the store stays whole. A row that did not take all fields of the state keeps the names that it had.
  const known = before && (!here || !hasAllSaved) ? here : names;
  if (known || row.coverage) row.coverage = known ? { names: known, groups: [] } : undefined;
  if (!known || table.coverage) return;
  table.coverage = savedCoverage;
  addBeforeRowWrite(table, forgetWhenRead);
}
