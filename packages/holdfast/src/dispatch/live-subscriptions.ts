// Counts the subscriptions of a controller. All subscribers of the same key and endpoint share one subscription, which the
// managers serve from the first `subscribe` to the last `unsubscribe`.
import { inDevelopment } from '#env';
import { ensure } from '../support/ensure.ts';
import { HoldfastError } from '../support/errors.ts';
import type { LiveSubscription, Manager, ManagerHost } from './manager.ts';

/**
 * The name of a method of Controller. A hook that subscribes calls the method, which adds a PollingManager unless a manager already
 * has the method `subscribe`.
 */
export const SERVE: unique symbol = Symbol();

/** A subscription that managers serve. All its subscribers share it. */
interface ServedSubscription {
  readonly endpoint: LiveSubscription['endpoint'];
  readonly stops: readonly (() => void)[];
}

export interface LiveSubscriptions {
  /**
   * The subscriptions of each key. A subscription occurs in the array once for each of its subscribers. One key may have several
   * subscriptions, one per endpoint, because endpoints with the same key may differ in `pollFrequency`.
   */
  readonly byKey: ReadonlyMap<string, readonly ServedSubscription[]>;
  /** Adds a subscription. In development, throws SUBSCRIPTION_NOT_SERVED when no manager serves the subscription. */
  add(subscription: LiveSubscription): void;
  remove(subscription: LiveSubscription): void;
}

export function createLiveSubscriptions(managers: readonly Manager[], host: ManagerHost): LiveSubscriptions {
  const byKey = new Map<string, ServedSubscription[]>();
  return {
    byKey,
    add(subscription) {
      const { endpoint, key } = subscription;
      let served = byKey.get(key)?.find((present) => present.endpoint === endpoint);
      if (!served) {
        const stop = managers.flatMap((manager) => manager.subscribe?.(subscription, host) ?? []);
        inDevelopment(() => {
          if (stop.length === 0)
            throw new HoldfastError('SUBSCRIPTION_NOT_SERVED', { endpoint: endpoint.name });
        });
        served = { endpoint, stops: stop };
      }
      ensure(byKey, key, () => []).push(served);
    },
    remove({ endpoint, key }) {
      const all = byKey.get(key) ?? [];
      const at = all.findIndex((present) => present.endpoint === endpoint);
      if (at < 0) return;
      const [served] = all.splice(at, 1) as [ServedSubscription]; // cast: it was found
      if (all.length === 0) byKey.delete(key);
      if (!all.includes(served)) for (const stop of served.stops) stop();
    },
  };
}
