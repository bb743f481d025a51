// The inverse of one mutation: the fields that must still be restored, and the mutations that restore them. undo.ts sends these
// mutations.
//
//   changed fields   ─▶ partialUpdate with the ancestor, where the row still shows what the mutation wrote
//   a creation       ─▶ delete
//   a deletion       ─▶ restore
import { changesOf, ancestorsOf, expectedChangesOf } from '../../controller/request/ancestor.ts';
import type { Core } from '../../controller/state/core.ts';
import { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { finishEndpoint } from '../../endpoint/endpoint-base.ts';
import { parsePath } from '../../endpoint/path-template.ts';
import { entityKindOf, respondOptimistically, sentFields } from '../../endpoint/row-name.ts';
import { pkFieldOf } from '../../schema/entity/pk-field.ts';
import { Removal } from '../../schema/kinds/removal.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowState, Table } from '../../store/nodes.ts';
import { plainFields } from '../../store/stored-form.ts';

/**
 * A field that an undo has not restored. `changed`: the field does not have the written value any more. `gone`: the row of the
 * field is deleted, or not stored any more. `no-inverse`: no endpoint can restore the field, or its earlier value is unknown.
 * `refused`: the server does not accept the undo. `field` is empty for a whole row, and for an undo that the server has refused.
 *
 * @example
 * const textOf = ({ field, why }: history.Left) =>
 *   why === 'changed' ? `Somebody else has changed ${field}.` : `${field} cannot be undone.`;
 */
export interface LeftField {
  readonly entity: string;
  readonly pk: string;
  readonly field: string;
  readonly why: 'changed' | 'gone' | 'no-inverse' | 'refused';
}

/** An endpoint of one of the library's classes. */
export interface InverseEndpoint extends EndpointInterface {
  extend(options: object): InverseEndpoint;
}

/** The endpoints that undo the mutations of a table. */
export interface InverseEndpoints {
  readonly get?: InverseEndpoint;
  readonly partialUpdate?: InverseEndpoint;
  readonly delete?: InverseEndpoint;
  readonly restore?: InverseEndpoint;
}

/** A mutation that restores fields of one row, or the row itself. */
export interface InverseCall {
  readonly row: Row;
  readonly endpoint: InverseEndpoint;
  readonly args: readonly unknown[];
  /** The fields that must still have the values that the undone mutation wrote. */
  readonly written: Fields;
  /** Whether the row itself is deleted or restored. All fields of `written` must then still have the written values. */
  readonly isWhole: boolean;
  /** The whole row as this inverse leaves it; null if it deletes the row. */
  readonly leaves: RowState;
  /** The call that reads the row; undefined if there is no endpoint `get`. */
  readonly read: EndpointCall | undefined;
  /** Returns the arguments of a mutation with only some of the fields. */
  argsOf(names: readonly string[]): readonly unknown[];
}

/**
 * Finds what an undo of one mutation must send, and which fields it cannot restore. The mutation must be in flight or acknowledged.
 * The function changes nothing.
 */
export function findInverses(
  core: Core,
  flight: Flight,
  endpointsOf: (table: Table) => InverseEndpoints | undefined,
  leftBy: (row: Row) => RowState,
): { inverses: InverseCall[]; left: LeftField[] } {
  const inverses: InverseCall[] = [];
  const left: LeftField[] = [];
  const acknowledged = changesOf(flight);
  const changes = acknowledged.size ? acknowledged : expectedChangesOf(core, flight);
  const ancestors = ancestorsOf(flight);
  /**
   * True for a mutation in flight without an optimistic update. If its row shows the base value of a field, no later mutation of
   * the field is shown either.
   */
  const isUnshown = !flight.isSettled && !flight.intent?.effects;
  for (const [row, written] of changes) {
    const now = presentRow(row);
    const before = ancestors.get(row);
    /** The shown row. If the row is not shown, the row as an earlier inverse leaves it. */
    const shown = now.shown ?? leftBy(now);
    const endpoints = { ...deriveEndpoints(flight), ...endpointsOf(row.table) };
    const leave = (field: string, why: LeftField['why']): void => void left.push(leftOf(now, field, why));
    const add = (
      given: InverseEndpoint | undefined,
      sent: Fields,
      change: Pick<InverseCall, 'written' | 'isWhole'>,
    ): void => {
      if (!given) return leave('', 'no-inverse');
      const endpoint = finishEndpoint(given) as InverseEndpoint; // cast: both classes have `extend`
      const params = (of: InverseEndpoint): Fields => paramsOf(of, flight, now, now.base ?? before);
      const argsOf = (names: readonly string[]): readonly unknown[] => {
        const args = [params(endpoint), plainFields(pickFields(sent, names))];
        return names.length && endpoint.splitArgs(args).body ? args : args.slice(0, 1);
      };
      const { get } = endpoints;
      inverses.push({
        row: now,
        // A restore may send no fields, so that its update would show an empty row: the row comes back with the response.
        endpoint: written === null ? endpoint : withOptimisticUpdate(endpoint),
        args: argsOf(Object.keys(sent)),
        argsOf,
        read: get && new EndpointCall(get, [params(get)]),
        leaves: change.isWhole && written !== null ? null : { ...shown, ...sent },
        ...change,
      });
    };
    if (written === null) {
      if (before !== null) add(endpoints.restore, before ?? {}, { written: {}, isWhole: true });
    } else if (!before) {
      // A DELETE is an inverse only if the mutation has created the row, or has restored it, so that `before` is null. Any other
      // row without an ancestor existed on the server but was not loaded.
      const { kind, endpoint } = flight.call;
      const isNew = before === null || (kind.isPlacement && endpoint.method === 'POST');
      // A created row that is gone needs no undo. But if only a pending deletion hides the row, an undo is needed, because that
      // deletion may fail or be discarded.
      if (shown ? hasValues(shown, written) : isNew && now.layers)
        add(isNew ? endpoints.delete : undefined, {}, { written: written ?? {}, isWhole: true });
      else if (shown) leave('', 'changed');
    } else if (!shown) {
      if (shown !== null) leave('', 'gone'); // a row that an inverse deletes needs no undo
    } else {
      const names: string[] = [];
      for (const [name, value] of Object.entries(written ?? {})) {
        if (Object.hasOwn(before, name) && isEqual(before[name], value)) continue;
        if (!isEqual(shown[name], isUnshown ? now.base?.[name] : value)) leave(name, 'changed');
        else if (Object.hasOwn(before, name) && endpoints.partialUpdate) names.push(name);
        else leave(name, 'no-inverse');
      }
      if (names.length)
        add(endpoints.partialUpdate, pickFields(before, names), {
          written: pickFields(written, names),
          isWhole: false,
        });
      // This is an action such as `POST /todos/1/vote`: it has no body and no update, and its response has brought no field to
      // restore.
      else if (flight.isSettled && !flight.intent && Object.keys(bodyOf(flight)).length === 0)
        leave('', 'no-inverse');
    }
  }
  return { inverses, left };
}

export function leftOf(row: Row, field: string, why: LeftField['why']): LeftField {
  return { entity: row.table.key, pk: String(row), field, why };
}

/**
 * The row that is stored now. The row of the server may have replaced the draft, and a row that was collected may have been stored
 * again.
 */
export function presentRow(row: Row): Row {
  const saved = row.replacedBy ?? row;
  return saved.table.rows.get(saved.pk) ?? saved;
}

function hasValues(shown: Fields, written: RowState): boolean {
  return Object.entries(written ?? {}).every(([name, value]) => isEqual(shown[name], value));
}

/** The fields in the body of a mutation. */
export function bodyOf({ call: { endpoint, args } }: Flight): Fields {
  return sentFields(endpoint.splitArgs(args).body);
}

export function pickFields(fields: RowState, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields?.[name]]));
}

/** The endpoint with an optimistic update. */
export function withOptimisticUpdate(endpoint: InverseEndpoint): InverseEndpoint {
  return endpoint.getOptimisticResponse
    ? endpoint
    : endpoint.extend({ getOptimisticResponse: respondOptimistically });
}

/**
 * The endpoints that follow from the mutation itself. A PATCH of a row is undone by another PATCH. A creation in a list is undone
 * by a DELETE at the path of the list's rows. From `remove` and `move` of a list no PATCH follows.
 */
function deriveEndpoints({ call }: Flight): InverseEndpoints {
  const endpoint = call.endpoint as InverseEndpoint & { readonly movePath?: string }; // cast: only lists have the path
  if (call.kind.isPlacement) {
    const { movePath } = endpoint;
    const entity = entityKindOf(endpoint)?.entity;
    if (!movePath || !entity) return {};
    return {
      delete: endpoint.extend({
        path: movePath,
        idParam: parsePath(movePath).names.at(-1),
        method: 'DELETE',
        isRemoval: true,
        body: undefined,
        getOptimisticResponse: undefined,
        schema: new Removal(entity),
      }),
    };
  }
  return endpoint.method === 'PATCH' ? { partialUpdate: endpoint } : {};
}

/** The values of the parameters in the path. They come from the row, or else from the undone mutation. */
export function paramsOf(endpoint: InverseEndpoint, flight: Flight, row: Row, state: RowState): Fields {
  const { path, idParam } = finishEndpoint(endpoint) as { path?: string; idParam?: string }; // cast: only REST endpoints have them
  const entity = entityKindOf(endpoint)?.entity;
  const pkField = (entity && pkFieldOf(entity)) ?? 'id';
  const { params } = flight.call.endpoint.splitArgs(flight.call.args) as { params: Fields };
  const fields = plainFields(state ?? {});
  const names = path === undefined ? [pkField] : parsePath(path).names;
  const entries = names.map((name): [string, unknown] => [
    name,
    fields[name] ?? (name === pkField || name === idParam ? row.pk : params[name]),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
