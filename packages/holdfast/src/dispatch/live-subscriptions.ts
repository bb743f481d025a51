// The subscriptions of a controller: one per key and endpoint however many ask for it, each served by the managers that
// know how. It ends with the last `unsubscribe`.
import { inDevelopment } from '#env';
import { HoldfastError } from '../support/errors.ts';
import type { LiveSubscription, Manager, ManagerHost } from './manager.ts';

/** How a hook brings the manager that serves it; see Controller. */
export const SERVE: unique symbol = Symbol();

/** One subscription, shared by all who asked for it. */
interface Live {
  readonly endpoint: LiveSubscription['endpoint'];
  readonly stop: readonly (() => void)[];
}

export interface LiveSubscriptions {
  /** One entry per `add`. Endpoints that share a key may ask for different frequencies, so each has a subscription of its own. */
  readonly byKey: ReadonlyMap<string, readonly Live[]>;
  /** In development, a subscription that no manager serves is a coded error. */
  add(subscription: LiveSubscription): void;
  remove(subscription: LiveSubscription): void;
}

export function createLiveSubscriptions(managers: readonly Manager[], host: ManagerHost): LiveSubscriptions {
  const byKey = new Map<string, Live[]>();
  return {
    byKey,
    add(subscription) {
      const { endpoint, key } = subscription;
      const all = byKey.get(key) ?? [];
      let live = all.find((one) => one.endpoint === endpoint);
      if (!live) {
        const stop = managers.flatMap((manager) => manager.subscribe?.(subscription, host) ?? []);
        inDevelopment(() => {
          if (stop.length === 0)
            throw new HoldfastError('SUBSCRIPTION_NOT_SERVED', { endpoint: endpoint.name });
        });
        live = { endpoint, stop };
      }
      all.push(live);
      byKey.set(key, all);
    },
    remove({ endpoint, key }) {
      const all = byKey.get(key) ?? [];
      const live = all.find((one) => one.endpoint === endpoint);
      if (!live) return;
      all.splice(all.indexOf(live), 1);
      if (all.length === 0) byKey.delete(key);
      if (!all.includes(live)) for (const stop of live.stop) stop();
    },
  };
}
