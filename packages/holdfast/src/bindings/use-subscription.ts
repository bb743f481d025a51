// The hooks that subscribe to live data while a component is mounted: by polling, a socket, or another manager. This file
// imports PollingManager and the controller does not, so that an application without these hooks need not contain it.
import { useEffect } from 'react';
import type { ResolveType } from '../controller/controller.types.ts';
import { SERVE } from '../dispatch/live-subscriptions.ts';
import { PollingManager } from '../dispatch/polling-manager.ts';
import type {
  AnyReadEndpoint,
  EndpointArgs,
  Readable,
  ReadEndpoint,
} from '../endpoint/endpoint-interface.ts';
import { useController } from './controller-context.ts';
import type { MaybeArgs, MaybeData } from './hook.types.ts';
import { useSuspense } from './use-suspense.ts';

/**
 * Keeps the data live while the component is mounted, through the managers that serve subscriptions. If the controller has no such
 * manager, a PollingManager is added, which polls endpoints with a `pollFrequency`.
 *
 * @example
 * const getPrice = new RestEndpoint({ path: '/price/:currency', pollFrequency: 5_000 });
 * useSubscription(getPrice, { currency: 'EUR' });
 */
export function useSubscription<E extends AnyReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>): void;
export function useSubscription<E>(endpoint: Readable<E>, ...args: MaybeArgs<E>): void;
export function useSubscription(endpoint: ReadEndpoint, ...given: readonly unknown[]): void {
  const controller = useController();
  const isNothing = given.length > 0 && given[0] === null;
  const key = isNothing ? null : endpoint.key(...given);
  useEffect(() => {
    if (key === null) return undefined;
    controller[SERVE](PollingManager);
    controller.subscribe(endpoint, ...given);
    return () => controller.unsubscribe(endpoint, ...given);
    // The effect depends on the key and not on the arguments, because callers write new objects at each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [controller, endpoint, key]);
}

/**
 * Combines `useSuspense` and `useSubscription`: waits for the data, then keeps the data live.
 *
 * @example
 * const getPrice = new RestEndpoint({ path: '/price/:currency', pollFrequency: 5_000 });
 * const price = useLive(getPrice, { currency: 'EUR' });
 */
export function useLive<E extends AnyReadEndpoint>(endpoint: E, ...args: EndpointArgs<E>): ResolveType<E>;
export function useLive<E>(endpoint: Readable<E>, ...args: MaybeArgs<E>): MaybeData<E>;
export function useLive(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  const given = args as readonly [null]; // cast: the hooks take [null] for any endpoint; the signatures above have checked args
  useSubscription(endpoint, ...given);
  return useSuspense(endpoint, ...given);
}
