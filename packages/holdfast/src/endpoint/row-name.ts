// What a call's arguments say of a row before the server answers. `/todos/:todoId` names the row whose primary key is in `id`: for
// look-ups and answers without a body. With the body it is the guess that `optimistic: true` shows.
import type { Engine } from '../normalize/engine.ts';
import { EntityKind } from '../schema/entity/entity-kind.ts';
import { pkFieldOf } from '../schema/entity/pk-field.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import type { Kind } from '../schema/protocol/protocol.ts';
import { fieldOf } from '../store/fields.ts';
import { isForm, isObject } from '../support/plain.ts';
import type { RequestArgs } from './endpoint-interface.ts';
import type { Snapshot } from './snapshot.ts';
import { isSchema } from './url-text.ts';

type ParamsByName = Readonly<Record<string, unknown>>;

interface RowNaming {
  readonly schema?: unknown;
  readonly idParam?: string | undefined;
}

export interface OptimisticOptions extends RowNaming {
  readonly method?: string;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/** The kind of the entity that an endpoint is about; undefined where it is about none. */
function ownerOf({ schema }: RowNaming): EntityKind | undefined {
  const [owner] = (isSchema(schema) && kindOf(schema).owners?.()) || [];
  return owner instanceof EntityKind ? owner : undefined;
}

function entityOf(endpoint: RowNaming): EntityKind['entity'] | undefined {
  return ownerOf(endpoint)?.entity;
}

/** The parameters with the primary key under its own name; themselves when they have it, or name the row by another field. */
export function withPk(endpoint: RowNaming, params: object): ParamsByName {
  const named = params as ParamsByName; // cast: parameters are read by name
  const { idParam } = endpoint;
  if (!idParam || !Object.hasOwn(named, idParam)) return named;
  const entity = entityOf(endpoint);
  const field = entity && pkFieldOf(entity);
  if (!field || Object.hasOwn(named, field) || Object.hasOwn(entity.defaults, idParam)) return named;
  return { ...named, [field]: named[idParam] };
}

/**
 * The primary key of the one stored row that has the fields among the parameters, all of them: `/issues/:number` where the
 * key is `id`. Null where the parameters hold the key itself, and where no row has the fields, or several have.
 */
export function pkByFields(
  engine: Engine,
  endpoint: OptimisticOptions,
  args: readonly unknown[],
): object | null {
  const owner = ownerOf(endpoint);
  const pkField = owner && pkFieldOf(owner.entity);
  if (!pkField || endpoint.method === 'POST') return null;
  const given = rowFields(endpoint, endpoint.splitArgs(args).params);
  if (Object.hasOwn(given, pkField) || !Object.hasOwn(given, endpoint.idParam ?? '')) return null;
  const table = engine.tableOf(owner);
  const [first, ...others] = Object.entries(given)
    .filter(([name]) => Object.hasOwn(owner.entity.defaults, name))
    .map(([name, value]) => engine.store.indexEntry(table, name, value).rows);
  const found = [...(first ?? [])].filter((row) => others.every((rows) => rows.has(row)));
  return found.length === 1 ? { [pkField]: fieldOf(found[0]!.shown, pkField) } : null; // one, by its length
}

/** The arguments of a look-up, with the primary key under its own name. */
export function lookUpArgs(endpoint: RowNaming, args: readonly unknown[]): readonly unknown[] {
  const [params, ...rest] = args;
  return isObject(params) ? [withPk(endpoint, params), ...rest] : args;
}

/** What a mutation with `optimistic: true` shows: what is sent, in the form of an answer; it is laid over the row as it is. */
export function respondOptimistically(
  this: OptimisticOptions,
  _snapshot: Snapshot,
  ...args: readonly unknown[]
): unknown {
  const around = isSchema(this.schema) ? envelopeOf(kindOf(this.schema)) : undefined;
  return wrapInEnvelope(around ?? [], sentRow(this, args));
}

/** The fields of the row that is sent, or the rows of a bulk body; of a DELETE the parameters. */
export function sentRow(endpoint: OptimisticOptions, args: readonly unknown[]): unknown {
  const { params: given, body } = endpoint.splitArgs(args);
  const params = rowFields(endpoint, given);
  if (endpoint.method === 'DELETE') return params;
  const optimistic = (item: unknown): object => ({ ...params, ...sentFields(item) });
  return Array.isArray(body) ? body.map(optimistic) : optimistic(body);
}

/**
 * The names of the members around the one row, or list of rows, in an answer; undefined where there is none, or several, and
 * for a map of rows.
 */
export function envelopeOf(kind: Kind): readonly string[] | undefined {
  const { members, owners, form } = kind.removed?.() ?? kind;
  if (!members) return owners && !form?.isKeyed ? [] : undefined;
  const [first, second] = [...members].filter(([, member]) => member.owners?.().length);
  if (!first || second) return undefined;
  const inside = envelopeOf(first[1]);
  return inside && [first[0], ...inside];
}

/** The value inside these members. */
export function unwrapEnvelope(around: readonly string[], response: unknown): unknown {
  return around.reduce<unknown>(
    (value, name) => (value as ParamsByName | null | undefined)?.[name],
    response,
  ); // cast: asking is the check
}

/** The answer with another value inside these members. */
export function wrapInEnvelope(around: readonly string[], value: unknown, response?: unknown): unknown {
  const [name, ...rest] = around;
  if (name === undefined) return value;
  return {
    ...(isObject(response) && response),
    [name]: wrapInEnvelope(rest, value, unwrapEnvelope([name], response)),
  };
}

/** The members of a body as they are sent: JSON has none that are undefined, a form's repeated name is an array; files stay out. */
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
 * The parameters that are fields of the row. They are texts where they came from an address: what the class declares as
 * a number stays one. Others say where the row is asked for, not what it is.
 */
function rowFields(endpoint: OptimisticOptions, params: object): ParamsByName {
  const given = withPk(endpoint, params);
  const entity = entityOf(endpoint);
  const pkField = entity && pkFieldOf(entity);
  const defaults = (entity?.defaults ?? {}) as ParamsByName; // cast: fields by name
  // a key of several parts may need any of them, and a new row is in the lists that its parameters say
  const isWhole = !pkField || !Object.hasOwn(given, pkField);
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => isWhole || name === pkField || Object.hasOwn(defaults, name))
      .map(([name, value]) => {
        const isNumber = typeof defaults[name] === 'number' && String(Number(value)) === value;
        return [name, isNumber ? Number(value) : value];
      }),
  );
}
