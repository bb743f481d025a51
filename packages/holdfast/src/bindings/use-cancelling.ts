// An endpoint whose request ends when its arguments change: the answer to the last letter of a search is enough.
import { useMemo, useState } from 'react';
import type { AnyReadEndpoint, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import type { MaybeArgs } from './hook.types.ts';

interface Extendable {
  extend(options: { readonly signal: AbortSignal }): unknown;
}

/** Makes the endpoint for one set of arguments and aborts the request of the set before it. */
class Canceller {
  #endpoint: object | null = null;
  #key: string | null = null;
  #aborter: AbortController | null = null;
  #extended: unknown;

  take(endpoint: Extendable & object, key: string | null): unknown {
    if (this.#endpoint === endpoint && this.#key === key) return this.#extended;
    this.#aborter?.abort();
    this.#aborter = new AbortController();
    this.#endpoint = endpoint;
    this.#key = key;
    this.#extended = endpoint.extend({ signal: this.#aborter.signal });
    return this.#extended;
  }
}

/**
 * The endpoint, with its request aborted as soon as other arguments are asked for, also while the component waits
 * for them in a transition. Requests whose last reader has left are cancelled by themselves.
 *
 * @example
 * function Results({ query }: { query: string }) {
 *   const search = useCancelling(TodoResource.getList, { query });
 *   const todos = useSuspense(search, { query });
 *   return <p>{todos.length} found</p>;
 * }
 */
export function useCancelling<E extends AnyReadEndpoint & Extendable>(endpoint: E, ...args: MaybeArgs<E>): E;
export function useCancelling(endpoint: ReadEndpoint & Extendable, ...given: readonly unknown[]): unknown {
  const key =
    given.length > 0 && given[0] === null ? null : Reflect.apply(endpoint.key, endpoint, given as never);
  const [canceller] = useState(() => new Canceller());
  return useMemo(() => canceller.take(endpoint, key), [canceller, endpoint, key]);
}
