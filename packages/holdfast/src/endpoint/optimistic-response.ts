// What a mutation with `optimistic: true` shows before the server answers, made of its parameters and body alone.
import type { RequestArgs } from './endpoint-interface.ts';
import { bodyFields } from './request-body.ts';
import type { Snapshot } from './snapshot.ts';

interface Guessing {
  readonly method: string;
  readonly schema?: unknown;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/** A PUT or POST will give back what was sent, a PATCH the stored row with the change, a DELETE its parameters. */
export function guessResponse(this: Guessing, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { params, body } = this.splitArgs(args);
  if (this.method === 'DELETE') return { ...params };
  if (Array.isArray(body)) return body.map((item: unknown) => ({ ...params, ...bodyFields(item) }));
  const stored = this.method === 'PATCH' ? readStored(snapshot, this.schema, params) : {};
  return { ...params, ...stored, ...bodyFields(body) };
}

function readStored(snapshot: Snapshot, schema: unknown, params: RequestArgs['params']): object {
  // cast: a schema that cannot be asked for by parameters gives nothing, which is what the fallback is for
  const { get } = snapshot as unknown as { get(schema: unknown, params: unknown): unknown };
  const value = get.call(snapshot, schema, params);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
