// An endpoint whose request ends when its arguments change: the answer to the last letter of a search is enough.
import { useMemo, useState } from 'react';
import { CORE } from '../controller/state/core.ts';
import type { Flight } from '../dispatch/flights.ts';
import type { AnyReadEndpoint, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';
import type { MaybeArgs } from './hook.types.ts';

interface ExtendableEndpoint {
  extend(options: { readonly signal: AbortSignal }): unknown;
}

/** An endpoint whose request can be aborted, and what it was made of. */
interface Making {
  readonly endpoint: object;
  readonly key: string | null;
  readonly aborter: AbortController;
  readonly extended: unknown;
}

// keyed by the signals: gone with the requests that carry them
const makings = new WeakMap<object, Making>();

/** Makes the endpoint for one set of arguments and aborts the request of the set before it. */
class Canceller {
  #making: Making | undefined;

  take(endpoint: ExtendableEndpoint & object, key: string | null, reads: Iterable<Flight>): unknown {
    const isSame = (made: Making): boolean => made.endpoint === endpoint && made.key === key;
    const former = this.#making;
    if (former && isSame(former)) return former.extended;
    former?.aborter.abort();
    this.#making = undefined;
    // a component that waits to be mounted forgets its state: its request is the one that is in flight
    for (const { call } of former ? [] : reads) {
      const made = makings.get(Object(call.endpoint.signal));
      if (made && isSame(made) && !made.aborter.signal.aborted) this.#making = made;
    }
    this.#making ??= make(endpoint, key);
    return this.#making.extended;
  }
}

function make(endpoint: ExtendableEndpoint & object, key: string | null): Making {
  const aborter = new AbortController();
  const { signal } = aborter;
  const making: Making = { endpoint, key, aborter, extended: endpoint.extend({ signal }) };
  makings.set(signal, making);
  return making;
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
export function useCancelling<E extends AnyReadEndpoint & ExtendableEndpoint>(
  endpoint: E,
  ...args: MaybeArgs<E>
): E;
export function useCancelling(
  endpoint: ReadEndpoint & ExtendableEndpoint,
  ...given: readonly unknown[]
): unknown {
  const key =
    given.length > 0 && given[0] === null ? null : Reflect.apply(endpoint.key, endpoint, given as never);
  const { reads } = useController()[CORE].flights;
  const [canceller] = useState(() => new Canceller());
  return useMemo(() => canceller.take(endpoint, key, reads), [canceller, endpoint, key, reads]);
}
