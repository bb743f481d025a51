// The subscriptions of a controller: one per key and endpoint however many ask for it, each served by the managers that
// know how. It ends with the last `unsubscribe`.
import { inDevelopment } from '#env';
import { HoldfastError } from '../support/errors.ts';
import type { LiveSubscription, Manager, ManagerHost } from './manager.ts';

/** How a hook brings the manager that serves it; see Controller. */
export const SERVE: unique symbol = Symbol('holdfast.serve');

interface Live extends LiveSubscription {
  count: number;
  readonly stop: readonly (() => void)[];
}

export class LiveSubscriptions {
  readonly #managers: readonly Manager[];
  readonly #host: ManagerHost;
  /** By key; endpoints that share a key may ask for different frequencies, so each has a subscription of its own. */
  readonly #live = new Map<string, Live[]>();

  constructor(managers: readonly Manager[], host: ManagerHost) {
    this.#managers = managers;
    this.#host = host;
  }

  get size(): number {
    return this.#live.size;
  }

  /** What is subscribed now: the collector keeps it. */
  entries(): Iterable<Live> {
    return [...this.#live.values()].flat();
  }

  /** In development, a subscription that no manager serves is a coded error. */
  add(subscription: LiveSubscription): void {
    const { endpoint, key } = subscription;
    const all = this.#live.get(key) ?? [];
    const known = all.find((live) => live.endpoint === endpoint);
    if (known) {
      known.count += 1;
      return;
    }
    const stop = this.#managers.flatMap((manager) => manager.subscribe?.(subscription, this.#host) ?? []);
    inDevelopment(() => {
      if (stop.length === 0) throw new HoldfastError('SUBSCRIPTION_NOT_SERVED', { endpoint: endpoint.name });
    });
    this.#live.set(key, [...all, { ...subscription, count: 1, stop }]);
  }

  remove({ endpoint, key }: LiveSubscription): void {
    const all = this.#live.get(key) ?? [];
    const live = all.find((one) => one.endpoint === endpoint);
    if (!live) return;
    live.count -= 1;
    if (live.count > 0) return;
    if (all.length > 1)
      this.#live.set(
        key,
        all.filter((one) => one !== live),
      );
    else this.#live.delete(key);
    for (const stop of live.stop) stop();
  }
}
