// What a mutation with `optimistic: true` shows before the server answers, made of its parameters and body alone.
import type { RequestArgs } from './endpoint-interface.ts';
import { bodyFields } from './request-body.ts';
import type { Snapshot } from './snapshot.ts';

interface Guessing {
  readonly method: string;
  splitArgs(args: readonly unknown[]): RequestArgs;
}

/** A DELETE guesses its parameters; all others what is sent, which is laid over the row as it is. */
export function guessResponse(this: Guessing, _snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { params, body } = this.splitArgs(args);
  if (this.method === 'DELETE') return { ...params };
  if (Array.isArray(body)) return body.map((item: unknown) => ({ ...params, ...bodyFields(item) }));
  return { ...params, ...bodyFields(body) };
}
