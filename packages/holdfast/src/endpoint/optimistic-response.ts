// What a mutation with `optimistic: true` shows before the server answers, made of its parameters and body alone.
import type { RequestArgs } from './endpoint-interface.ts';
import { bodyFields } from './request-body.ts';
import { entityOf, withPk } from './row-name.ts';
import { pkFieldOf } from '../schema/entity/pk-field.ts';
import type { Snapshot } from './snapshot.ts';

interface Guessing {
  readonly method: string;
  readonly schema?: unknown;
  readonly idParam?: string | undefined;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/** A DELETE guesses its parameters; all others what is sent, which is laid over the row as it is. */
export function guessResponse(this: Guessing, _snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { params: given, body } = this.splitArgs(args);
  const params = asDeclared(this, given);
  if (this.method === 'DELETE') return params;
  if (Array.isArray(body)) return body.map((item: unknown) => ({ ...params, ...sentFields(item) }));
  return { ...params, ...sentFields(body) };
}

/** JSON does not send members that are undefined. */
function sentFields(body: unknown): Record<string, unknown> {
  const fields = bodyFields(body);
  for (const name of Object.keys(fields)) if (fields[name] === undefined) delete fields[name];
  return fields;
}

/**
 * The parameters that are fields of the row. They are texts where they came from an address: what the class declares as
 * a number stays one. Others say where the row is asked for, not what it is.
 */
function asDeclared(endpoint: Guessing, params: object): Record<string, unknown> {
  const given = withPk(endpoint, params);
  const entity = entityOf(endpoint);
  if (entity === undefined) return { ...given };
  const pkField = pkFieldOf(entity.entity);
  // a key of several parts may need any of them, and a new row is in the lists that its parameters say
  const isWhole = pkField === null || !Object.hasOwn(given, pkField);
  const defaults = entity.entity.defaults as Readonly<Record<string, unknown>>; // cast: fields by name
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isWhole && name !== pkField && !Object.hasOwn(defaults, name)) continue;
    const isNumber = typeof defaults[name] === 'number' && typeof value === 'string';
    fields[name] = isNumber && String(Number(value)) === value ? Number(value) : value;
  }
  return fields;
}
