// The ancestor of a call: the rows that a mutation names, with the fields that base had when the mutation was called and with the
// changes of this client's earlier mutations. Features that compare or restore fields import this file; the core does not. The
// ancestor contains no optimistic update: an earlier mutation that is pending at the call enters the ancestor when it is
// acknowledged, and not if it fails. Only a DELETE enters even if it fails because its row is already deleted.
//
//   open ─▶ base of the named rows ──an earlier mutation is acknowledged──▶ its fields ──▶ ancestor
//   acknowledged ─▶ the fields that the mutation has changed
import { extend } from '../../dispatch/extension.ts';
import type { Extension, ExtensionHost } from '../../dispatch/extension.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { queueNameOf, rowsAmong, targetsOfCall } from '../../dispatch/write-queues.ts';
import { sentFields } from '../../endpoint/row-name.ts';
import { Effects } from '../../store/effects.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowState } from '../../store/nodes.ts';
import { isAfter } from '../../store/order.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { normalizeSentRows } from './keep-acknowledged.ts';

/** The rows of one mutation, each with its fields; null for a deleted row, undefined for a row that is not stored. */
export type RowStates = ReadonlyMap<Row, RowState>;

type FindPending = (flight: Flight, changed: RowStates) => Iterable<Flight>;

interface AncestorRecord {
  before: Map<Row, RowState>;
  /** The names of the fields in the body. */
  names: readonly string[];
  changed: Map<Row, RowState>;
}

// The keys are weak, so an entry is collected together with its mutation.
const recordByFlight = new WeakMap<Flight, AncestorRecord>();

/**
 * The ancestor: the rows that the mutation names, with their fields before the mutation. A row that was not stored at the call has
 * only the fields that earlier mutations have changed, or is missing. The ancestor is complete when the earlier mutations in the
 * mutation's queues have ended.
 */
export function ancestorsOf(flight: Flight): RowStates {
  return recordByFlight.get(flight)?.before ?? new Map();
}

/**
 * The rows that an acknowledged mutation has changed, with the changed fields as the server has acknowledged them; null for a row
 * that the mutation has deleted.
 */
export function changesOf(flight: Flight): Map<Row, RowState> {
  return recordByFlight.get(flight)?.changed ?? new Map();
}

/** The changes that a mutation without an acknowledgement would make, as far as its body and its optimistic update tell. */
export function expectedChangesOf(host: ExtensionHost, flight: Flight): RowStates {
  const effects = flight.intent?.effects ?? new Effects();
  return findChanged(host, flight, effects, fieldsByRow(effects));
}

/** The fields that have one of the names; none if the row is deleted or not stored. */
export function pickFields(fields: RowState, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => names.includes(name)));
}

function fieldsByRow({ rows, fields }: Effects): ReadonlyMap<Row, Fields> {
  return new Map(rows.map((row, at) => [row, fields[at]!])); // the arrays grow together
}

/**
 * Keeps the ancestors of all mutations that are called from now on. It may wrap an extension that keeps ancestors already.
 * `findPending` returns all mutations of the changed rows that have not ended, and perhaps other mutations.
 */
export function keepAncestors(
  host: ExtensionHost,
  inner: Extension,
  findPending: FindPending = () => host.flights,
): Extension {
  return extend(inner, {
    onWrite(flight, event) {
      if (event === 'open' || event === 'amend') noteBefore(host, flight);
    },
    beforeStore(effects, _origin, flight) {
      if (!flight || flight.isRead) return undefined;
      const incoming = fieldsByRow(effects);
      return () => {
        const changed = findChanged(host, flight, effects, incoming);
        const known = recordByFlight.get(flight);
        if (known) known.changed = changed;
        // The server handles the mutations that are not sent yet, or were sent later, after this one.
        for (const other of findPending(flight, changed))
          if (other !== flight && (!other.sent || isAfter(other.sent, flight.sent)))
            addChanges(other, changed);
      };
    },
  });
}

/**
 * Notes the rows before the mutation. After an amendment, a row that has fields here gets only those that the old body did not
 * contain, with their present values. Any other row is noted as it is stored now.
 */
function noteBefore({ engine }: ExtensionHost, flight: Flight): void {
  const { endpoint, args } = flight.call;
  const known = ensure(
    recordByFlight,
    flight,
    () => ({ before: new Map(), names: [], changed: new Map() }) as AncestorRecord,
  ); // cast: an empty map
  const names = Object.keys(sentFields(endpoint.splitArgs(args).body));
  for (const row of rowsAmong(targetsOfCall(engine, flight.call))) {
    const { base } = row;
    const before = known.before.get(row);
    const added = pickFields(
      base,
      names.filter((name) => !known.names.includes(name)),
    );
    known.before.set(row, before ? { ...before, ...added } : base);
  }
  known.names = names;
}

function addChanges(flight: Flight, changed: RowStates): void {
  const before = ancestorsOf(flight) as Map<Row, RowState>; // cast: `keepAncestors` has made it
  for (const [row, fields] of changed) {
    // A read may have brought the row before the response of its creation: then the draft, which later mutations name, refers to it.
    const named = [...before.keys()].find((each) => rowOf(each) === row);
    if (!named && !flight.rowQueues.includes(queueNameOf(row))) continue;
    const state = before.get(named!);
    before.delete(named!);
    before.set(row, fields && state ? { ...state, ...fields } : fields);
  }
}

/**
 * The changes of the mutation, by row: the fields that it has sent and the fields that its optimistic update has changed. Each of
 * these fields has its value in the response or, if the response omits the field, the value that was sent or shown. A created row
 * has all fields of the response; a removed row is null. Other fields are left out, because another client may have changed them.
 */
function findChanged(
  { engine }: ExtensionHost,
  flight: Flight,
  { stored, removed, placements }: Effects,
  incoming: ReadonlyMap<Row, Fields>,
): Map<Row, RowState> {
  const before = ancestorsOf(flight);
  const changed = new Map<Row, RowState>();
  const add = (row: Row, fields: Fields): void => {
    const mine = row.replacedBy ?? row;
    const response = incoming.get(row) ?? incoming.get(mine) ?? {};
    const acknowledged = pickFields({ ...fields, ...response }, Object.keys(fields));
    changed.set(mine, { ...changed.get(mine), ...acknowledged });
  };
  for (const { row, fields } of normalizeSentRows({ engine }, flight)) add(row, fields);
  const update = flight.intent?.effects;
  // A row may occur more than once in an update.
  for (const [at, row] of update?.rows.entries() ?? []) {
    const state = before.get(row);
    const fields = Object.entries(update!.fields[at]!); // the arrays grow together
    if (state) add(row, Object.fromEntries(fields.filter(([name, value]) => !isEqual(state[name], value))));
  }
  const members = flight.call.kind.isPlacement ? [stored, ...placements.flatMap((each) => each.members)] : [];
  for (const member of members) {
    const row = rowOf(member);
    if (row && !before.get(row)) add(row, incoming.get(row) ?? {});
  }
  for (const row of removed) changed.set(row, null);
  return changed;
}
