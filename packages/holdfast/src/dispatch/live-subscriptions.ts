// The subscriptions of a controller: one per key and endpoint however many ask for it, each served by the managers that
// know how. It ends with the last `unsubscribe`.
import { inDevelopment } from '#env';
import { HoldfastError } from '../support/errors.ts';
import type { LiveSubscription, Manager, ManagerHost } from './manager.ts';

/** How a hook brings the manager that serves it; see Controller. */
export const SERVE: unique symbol = Symbol('holdfast.serve');

/** One subscription, in the hands of those who asked for it. */
interface Live {
  readonly endpoint: LiveSubscription['endpoint'];
  readonly stop: readonly (() => void)[];
}

export class LiveSubscriptions {
  /** One entry for each who asked. Endpoints that share a key may ask for different frequencies, so each has its own. */
  readonly byKey = new Map<string, Live[]>();
  readonly #managers: readonly Manager[];
  readonly #host: ManagerHost;

  constructor(managers: readonly Manager[], host: ManagerHost) {
    this.#managers = managers;
    this.#host = host;
  }

  add(subscription: LiveSubscription): void {
    const { endpoint, key } = subscription;
    const all = this.byKey.get(key) ?? [];
    all.push(all.find((live) => live.endpoint === endpoint) ?? this.#serve(subscription));
    this.byKey.set(key, all);
  }

  /** In development, a subscription that no manager serves is a coded error. */
  #serve(subscription: LiveSubscription): Live {
    const { endpoint } = subscription;
    const stop = this.#managers.flatMap((manager) => manager.subscribe?.(subscription, this.#host) ?? []);
    inDevelopment(() => {
      if (stop.length === 0) throw new HoldfastError('SUBSCRIPTION_NOT_SERVED', { endpoint: endpoint.name });
    });
    return { endpoint, stop };
  }

  remove({ endpoint, key }: LiveSubscription): void {
    const all = this.byKey.get(key) ?? [];
    const live = all.find((one) => one.endpoint === endpoint);
    if (!live) return;
    all.splice(all.indexOf(live), 1);
    if (all.length === 0) this.byKey.delete(key);
    if (!all.includes(live)) for (const stop of live.stop) stop();
  }
}
