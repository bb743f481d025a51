// The hook that aborts an endpoint's request when the arguments change. For example, a search field needs only its last response.
import { useMemo, useState } from 'react';
import { CORE } from '../controller/state/core.ts';
import type { Flights } from '../dispatch/flights.ts';
import type { AnyReadEndpoint, ReadEndpoint } from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';
import type { MaybeArgs } from './hook.types.ts';

interface ExtendableEndpoint {
  extend(options: { readonly signal: AbortSignal }): unknown;
}

/** An endpoint that is extended with an abort signal, and the endpoint and the key for which it was created. */
interface Cancellation {
  readonly endpoint: object;
  readonly key: string | null;
  readonly aborter: AbortController;
  readonly extended: unknown;
}

// The keys are signals and weak: an entry is collected when neither a request nor a component holds its signal any more.
const cancellableBySignal = new WeakMap<object, Cancellation>();

/** Extends the endpoint for one set of arguments and aborts the request of the previous set. */
class Canceller {
  #current: Cancellation | undefined;

  endpointFor(endpoint: ExtendableEndpoint & object, key: string | null, flights: Flights): unknown {
    const isSame = (other: Cancellation): boolean => other.endpoint === endpoint && other.key === key;
    const previous = this.#current;
    if (previous && isSame(previous)) return previous.extended;
    previous?.aborter.abort();
    this.#current = undefined;
    // React discards the state of a component that suspends before it was mounted, so its request is searched among the reads in
    // flight.
    for (const { call } of previous ? [] : flights.reads) {
      const found = cancellableBySignal.get(Object(call.endpoint.signal));
      if (found && isSame(found) && !found.aborter.signal.aborted) this.#current = found;
    }
    this.#current ??= createCancellable(endpoint, key);
    return this.#current.extended;
  }
}

function createCancellable(endpoint: ExtendableEndpoint & object, key: string | null): Cancellation {
  const aborter = new AbortController();
  const { signal } = aborter;
  const cancellable: Cancellation = { endpoint, key, aborter, extended: endpoint.extend({ signal }) };
  cancellableBySignal.set(signal, cancellable);
  return cancellable;
}

/**
 * Returns the endpoint, extended so that its request is aborted when the hook is called with other arguments or another endpoint,
 * even if that happens in a transition. Without this hook, a request is cancelled when its last reader has unmounted or shows other
 * arguments.
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
  const key = given.length > 0 && given[0] === null ? null : endpoint.key(...given);
  const { flights } = useController()[CORE];
  const [canceller] = useState(() => new Canceller());
  return useMemo(() => canceller.endpointFor(endpoint, key, flights), [canceller, endpoint, key, flights]);
}
