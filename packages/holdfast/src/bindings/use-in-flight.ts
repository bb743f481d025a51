// The hooks that count the reads, or the mutations, that have not ended and were not aborted.
import { useCallback, useSyncExternalStore } from 'react';
import { eventListenersOf } from '../controller/event-listeners.ts';
import { CORE } from '../controller/state/core.ts';
import { listen } from '../controller/state/listeners.ts';
import type { Flight } from '../dispatch/flights.ts';
import { finishEndpoint } from '../endpoint/endpoint-base.ts';
import type {
  AnyMutation,
  AnyReadEndpoint,
  EndpointInterface,
  KeyTest,
} from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';

function useFlightCount(isRead: boolean, filter: object | undefined): number {
  const controller = useController();
  const subscribe = useCallback(
    (onChange: () => void) => listen(eventListenersOf(controller), onChange),
    [controller],
  );
  const { flights } = controller[CORE];
  const given = filter && (finishEndpoint(filter) as Partial<EndpointInterface>); // cast: an endpoint, or an object with `testKey`
  const isMeant = ({ call: { key, endpoint }, aborter }: Flight): boolean =>
    !aborter.signal.aborted &&
    (!given || (given.testKey?.(key) ?? given.keyPattern?.() === endpoint.keyPattern?.()));
  const count = (): number => [...(isRead ? flights.reads : flights)].filter(isMeant).length;
  return useSyncExternalStore(subscribe, count, () => 0);
}

/**
 * Returns how many reads of the controller are in flight: all reads, those of one endpoint with any arguments, or those with the
 * keys that a `testKey` accepts. Aborted reads do not count.
 *
 * @example
 * const Busy = () => (useIsFetching() > 0 ? <progress /> : null);
 */
export function useIsFetching(filter?: AnyReadEndpoint | KeyTest): number {
  return useFlightCount(true, filter);
}

/**
 * Returns how many mutations of the controller have not ended: all mutations, those of one endpoint with any arguments, or those
 * with the keys that a `testKey` accepts. Aborted mutations do not count.
 *
 * @example
 * const SaveMark = () => <p>{useIsMutating(TodoResource.partialUpdate) > 0 ? 'Saving' : 'Saved'}</p>;
 */
export function useIsMutating(filter?: AnyMutation | KeyTest): number {
  return useFlightCount(false, filter);
}
