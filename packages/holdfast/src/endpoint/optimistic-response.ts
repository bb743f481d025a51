// What a mutation with `optimistic: true` shows before the server answers, made of its parameters and body alone.
import { EntityKind } from '../schema/entity-kind.ts';
import { kindOf } from '../schema/kind-of.ts';
import type { RequestArgs } from './endpoint-interface.ts';
import { bodyFields } from './request-body.ts';
import type { Snapshot } from './snapshot.ts';

interface Guessing {
  readonly method: string;
  readonly schema?: unknown;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/** A DELETE guesses its parameters; all others what is sent, which is laid over the row as it is. */
export function guessResponse(this: Guessing, _snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { params: given, body } = this.splitArgs(args);
  const params = asDeclared(given, this.schema);
  if (this.method === 'DELETE') return { ...params };
  if (Array.isArray(body)) return body.map((item: unknown) => ({ ...params, ...bodyFields(item) }));
  return { ...params, ...bodyFields(body) };
}

/** Parameters are texts where they came from an address; a field that the class declares as a number stays one. */
function asDeclared(params: object, schema: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...params };
  const [owner] = schema === undefined || schema === null ? [] : (kindOf(schema).owners?.() ?? []);
  if (!(owner instanceof EntityKind)) return fields;
  for (const [name, value] of Object.entries(owner.entity.defaults)) {
    const given = fields[name];
    if (typeof value === 'number' && typeof given === 'string' && String(Number(given)) === given)
      fields[name] = Number(given);
  }
  return fields;
}
