// The parts of the public surface that the tests of writes ask for before the library has them. Each is one narrow cast;
// once the library exports the name, its entry goes and the tests import the real one.
import * as holdfast from 'holdfast';
import type { Manager, Pending } from 'holdfast';

/** Names another lane than the row's, or none. */
export type Lane = null | ((...args: never) => string | null);

/** The endpoint with a `lane` of its own. */
export function withLane<E extends { extend(options: never): unknown }>(endpoint: E, lane: Lane): E {
  return endpoint.extend({ lane } as never) as E; // cast: the option changes no type of the call
}

/** What was called and what became of it; kept until it is forgotten, tried again or pushed out. */
export interface Failed extends Pick<Pending, 'endpoint' | 'args'> {
  readonly error: Error;
  /** When it failed. */
  readonly at: number;
  /** Makes the call anew, at the end of its lane and with the same idempotency key. */
  retry(): Promise<unknown>;
  forget(): void;
}

/** A manager that keeps failed mutations, oldest first. */
export interface FailedManager extends Manager {
  /** All of them, or those of the row that the schema and the arguments name. The same array while nothing changed. */
  get(schema?: unknown, ...args: readonly unknown[]): readonly Failed[];
  /** Calls back after every change of what `get` gives. */
  listen(onChange: () => void): () => void;
}

/** `new FailedManager()`. */
export function createFailedManager(): FailedManager {
  const { FailedManager: Planned } = holdfast as { FailedManager?: new () => FailedManager }; // cast: asking is the check
  if (Planned === undefined) throw new Error("'holdfast' does not export FailedManager");
  return new Planned();
}
