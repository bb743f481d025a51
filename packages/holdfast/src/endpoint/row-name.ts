// Finds the row that a call's arguments identify, before the server responds: the `todoId` of `/todos/:todoId` is the primary key
// `id`. This serves look-ups, responses without a body and, together with the request's body, `optimistic: true`.
import type { Engine } from '../normalize/engine.ts';
import { EntityKind } from '../schema/entity/entity-kind.ts';
import { pkFieldOf } from '../schema/entity/pk-field.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { ObjectKind } from '../schema/kinds/object-kind.ts';
import { isOfRows, ownersOf, withoutRemoval } from '../schema/protocol/protocol.ts';
import type { Kind } from '../schema/protocol/protocol.ts';
import { fieldOf } from '../store/fields.ts';
import { isForm, isObject } from '../support/plain.ts';
import type { RequestArgs } from './endpoint-interface.ts';
import type { Snapshot } from './snapshot.ts';
import { isSchema } from './url-text.ts';

type ParamsByName = Readonly<Record<string, unknown>>;

interface RowOptions {
  readonly schema?: unknown;
  readonly idParam?: string | undefined;
}

export interface OptimisticOptions extends RowOptions {
  readonly method?: string;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/**
 * The kind of the first entity in an endpoint's schema; undefined when the schema contains no entity, or only entities in a
 * `schema.Values` without a Collection.
 */
export function entityKindOf({ schema }: RowOptions): EntityKind | undefined {
  const [owner] = isSchema(schema) ? ownersOf(kindOf(schema)) : [];
  return owner instanceof EntityKind ? owner : undefined;
}

export function entityOf(endpoint: RowOptions): EntityKind['entity'] | undefined {
  return entityKindOf(endpoint)?.entity;
}

/** The field of the primary key of the endpoint's rows, if it is one field, and the fields that the entity declares. */
function pkFieldAndDefaultsOf(endpoint: RowOptions): { pkField: string | null; declared: ParamsByName } {
  const entity = entityOf(endpoint);
  return {
    pkField: entity ? pkFieldOf(entity) : null,
    declared: (entity?.defaults ?? {}) as ParamsByName, // cast: allows reading fields by name
  };
}

/**
 * Adds the value of `idParam` under the name of the primary key's field: `{ todoId: 5 }` becomes `{ todoId: 5, id: 5 }`. Returns
 * the parameters unchanged if they contain that field or no `idParam`, if `idParam` is itself a field of the entity, or if the
 * primary key is not one field.
 */
export function withPkField(endpoint: RowOptions, params: ParamsByName): ParamsByName {
  const { idParam } = endpoint;
  if (!idParam || !Object.hasOwn(params, idParam)) return params;
  const { pkField, declared } = pkFieldAndDefaultsOf(endpoint);
  if (!pkField || Object.hasOwn(params, pkField) || Object.hasOwn(declared, idParam)) return params;
  return { ...params, [pkField]: params[idParam] };
}

/**
 * Finds the primary key of a row that the parameters identify by other fields: `/issues/:number` when the primary key is `id`.
 * Returns an object with the field of the primary key. Returns null for a POST, if the primary key is not one field, if the
 * parameters contain the primary key or no `idParam`, and if no or several stored rows have all these fields.
 */
export function pkByFields(
  engine: Engine,
  endpoint: OptimisticOptions,
  args: readonly unknown[],
): object | null {
  const { pkField, declared } = pkFieldAndDefaultsOf(endpoint);
  if (!pkField || endpoint.method === 'POST') return null;
  const given = rowFields(endpoint, endpoint.splitArgs(args).params);
  if (Object.hasOwn(given, pkField) || !Object.hasOwn(given, endpoint.idParam ?? '')) return null;
  const table = engine.tableOf(entityKindOf(endpoint)!); // there is one, because it has a primary key
  const [first, ...others] = Object.entries(given)
    .filter(([name]) => Object.hasOwn(declared, name))
    .map(([name, value]) => engine.store.indexEntry(table, name, value).rows);
  const found = [...(first ?? [])].filter((row) => others.every((rows) => rows.has(row)));
  return found.length === 1 ? { [pkField]: fieldOf(found[0]!.shown, pkField) } : null; // the array has one row
}

/** The arguments, with parameters to which `withPkField` has added the primary key, if it can. */
export function argsForLookUp(endpoint: RowOptions, args: readonly unknown[]): readonly unknown[] {
  const [params, ...rest] = args;
  return isObject(params) ? [withPkField(endpoint, params as ParamsByName), ...rest] : args; // cast: an object
}

/** The `getOptimisticResponse` of `optimistic: true`: returns the sent fields in the form of a response. */
export function respondOptimistically(
  this: OptimisticOptions,
  _snapshot: Snapshot | undefined,
  ...args: readonly unknown[]
): unknown {
  const envelope = isSchema(this.schema) ? envelopeOf(kindOf(this.schema)) : undefined;
  return wrapInEnvelope(envelope ?? [], sentRowsOf(this, args));
}

/** The fields that a mutation sends for a row, or an array of such records for a bulk body. A DELETE sends only its parameters. */
export function sentRowsOf(endpoint: OptimisticOptions, args: readonly unknown[]): unknown {
  const { params: given, body } = endpoint.splitArgs(args);
  const params = rowFields(endpoint, given);
  if (endpoint.method === 'DELETE') return params;
  const toRow = (item: unknown): object => ({ ...params, ...sentFields(item) });
  return Array.isArray(body) ? body.map(toRow) : toRow(body);
}

/**
 * The path of property names to the row, or list of rows, in a response: `['data', 'todo']` for `{ data: { todo: Todo } }`.
 * Undefined when the response contains no row, rows in several properties, or a map of rows.
 */
export function envelopeOf(kind: Kind): readonly string[] | undefined {
  const source = withoutRemoval(kind);
  if (!(source instanceof ObjectKind)) return isOfRows(source) ? [] : undefined;
  const [first, second] = [...source.members].filter(([, member]) => ownersOf(member).length);
  if (!first || second) return undefined;
  const inside = envelopeOf(first[1]);
  return inside && [first[0], ...inside];
}

/** The value in the response at the path `envelope` of property names; undefined when a property is missing. */
export function unwrapEnvelope(envelope: readonly string[], response: unknown): unknown {
  return envelope.reduce<unknown>(
    (value, name) => (value as ParamsByName | null | undefined)?.[name],
    response,
  ); // cast: reading a property of a primitive gives undefined
}

/** A copy of the response with `value` at the path `envelope` of property names. */
export function wrapInEnvelope(envelope: readonly string[], value: unknown, response?: unknown): unknown {
  const [name, ...rest] = envelope;
  if (name === undefined) return value;
  return {
    ...(isObject(response) && response),
    [name]: wrapInEnvelope(rest, value, unwrapEnvelope([name], response)),
  };
}

/** The fields of a body, without undefined values. In a form, a repeated name gives an array, and files are left out. */
export function sentFields(body: unknown): ParamsByName {
  const fields = isForm(body)
    ? [...new Set(body.keys())].map((name): [string, unknown] => {
        const values = body.getAll(name).filter((value) => typeof value === 'string');
        return [name, values.length > 1 ? values : values[0]];
      })
    : Object.entries(typeof body === 'object' ? { ...body } : {});
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/**
 * The parameters that are fields of the row, or all parameters if the primary key's field is not among them. A string such as '5',
 * for example from the page's URL, becomes a number when the entity declares the field as a number.
 */
function rowFields(endpoint: OptimisticOptions, params: ParamsByName): ParamsByName {
  const given = withPkField(endpoint, params);
  const { pkField, declared } = pkFieldAndDefaultsOf(endpoint);
  // Without the primary key's field, all parameters are kept: the primary key may consist of several of them, and in a creation
  // they select the lists of the new row.
  const keepsAll = !pkField || !Object.hasOwn(given, pkField);
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => keepsAll || name === pkField || Object.hasOwn(declared, name))
      .map(([name, value]) => {
        const isNumber = typeof declared[name] === 'number' && String(Number(value)) === value;
        return [name, isNumber ? Number(value) : value];
      }),
  );
}
