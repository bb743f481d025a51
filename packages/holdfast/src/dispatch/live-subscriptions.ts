// The wishes for live data: one per key however many have it, each served by the managers that know how. Ended when
// the last one who wished it is gone.
import { inDevelopment } from '#env';
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { HoldfastError } from '../support/errors.ts';
import type { Manager, ManagerHost } from './manager.ts';

interface Live {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  count: number;
  readonly stop: readonly (() => void)[];
}

export class LiveSubscriptions {
  readonly #managers: readonly Manager[];
  readonly #host: ManagerHost;
  readonly #live = new Map<string, Live[]>();

  constructor(managers: readonly Manager[], host: ManagerHost) {
    this.#managers = managers;
    this.#host = host;
  }

  get size(): number {
    return this.#live.size;
  }

  /** What is subscribed now, for those who mark what is in use. */
  *entries(): IterableIterator<Live> {
    for (const entries of this.#live.values()) yield* entries;
  }

  /** In development a wish that no manager hears is a coded error. */
  add(endpoint: EndpointInterface, args: readonly unknown[], key: string): void {
    const entries = this.#live.get(key) ?? [];
    // endpoints that share a key may ask for different frequencies: each is a wish of its own
    const known = entries.find((live) => live.endpoint === endpoint);
    if (known) {
      known.count += 1;
      return;
    }
    const subscription = { endpoint, args, key };
    const stop = this.#managers.flatMap((manager) => manager.subscribe?.(subscription, this.#host) ?? []);
    inDevelopment(() => {
      if (stop.length === 0) throw new HoldfastError('SUBSCRIPTION_NOT_SERVED', { endpoint: endpoint.name });
    });
    this.#live.set(key, [...entries, { ...subscription, count: 1, stop }]);
  }

  remove(endpoint: EndpointInterface, key: string): void {
    const entries = this.#live.get(key);
    const live = entries?.find((one) => one.endpoint === endpoint);
    if (!entries || !live) return;
    live.count -= 1;
    if (live.count > 0) return;
    const rest = entries.filter((one) => one !== live);
    if (rest.length > 0) this.#live.set(key, rest);
    else this.#live.delete(key);
    for (const stop of live.stop) stop();
  }
}
