// Polls the subscribed calls whose endpoint has a `pollFrequency`: one poll per key, at the shortest interval of its subscribers.
// Polling pauses while the page is hidden or the device is offline. Unless the last poll has failed, the interval begins when the
// stored data arrived, not when a reader subscribed, so that a React effect that is cleaned up and run again causes no request.
import type { TimerId } from '../support/environment.ts';
import type { LiveSubscription, Manager, ManagerHost } from './manager.ts';

/** While polls fail, the shortest pause between two polls doubles from FIRST_PAUSE_MS up to this time. */
const LONGEST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;

interface Poll {
  readonly key: string;
  readonly subscribers: Set<LiveSubscription>;
  timer: TimerId;
  failureCount: number;
}

/**
 * Serves `subscribe` for endpoints with a `pollFrequency`.
 *
 * @example
 * const getPrice = new RestEndpoint({ path: '/prices/:symbol', pollFrequency: 5_000 });
 * controller.subscribe(getPrice, { symbol: 'BTC' });
 */
export class PollingManager implements Manager {
  readonly #polls = new Map<string, Poll>();
  #host: ManagerHost | null = null;
  #stops: (() => void)[] = [];

  /** The number of keys that are polled. */
  get size(): number {
    return this.#polls.size;
  }

  subscribe(subscription: LiveSubscription): (() => void) | undefined {
    const { key } = subscription;
    if (!isFrequency(subscription.endpoint.pollFrequency)) return undefined;
    let poll = this.#polls.get(key);
    if (!poll) this.#polls.set(key, (poll = { key, subscribers: new Set(), timer: null, failureCount: 0 }));
    const joined = poll;
    joined.subscribers.add(subscription);
    this.#schedule(joined);
    return () => {
      joined.subscribers.delete(subscription);
      if (joined.subscribers.size === 0) this.#polls.delete(key);
      this.#schedule(joined);
    };
  }

  start(host: ManagerHost): void {
    const { online, visibility } = host.environment;
    this.#host = host;
    const rescheduleAll = (): void => {
      for (const poll of this.#polls.values()) this.#schedule(poll);
    };
    this.#stops = [online.subscribe(rescheduleAll), visibility.subscribe(rescheduleAll)];
    rescheduleAll();
  }

  stop(): void {
    for (const poll of this.#polls.values()) this.#clear(poll);
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#host = null;
  }

  /**
   * Sets the timer of the next poll, unless polling pauses or has no subscriber left. The interval begins when the stored data
   * arrived; after a failure, it begins now.
   */
  #schedule(poll: Poll): void {
    this.#clear(poll);
    const host = this.#host;
    if (host === null || poll.subscribers.size === 0) return;
    const { clock, online, timers, visibility } = host.environment;
    if (!online.isOnline() || !visibility.isVisible()) return;
    const frequency = Math.min(
      ...[...poll.subscribers].map(({ endpoint }) => endpoint.pollFrequency ?? Infinity),
    );
    const pauseMs = poll.failureCount === 0 ? 0 : FIRST_PAUSE_MS * 2 ** Math.min(poll.failureCount - 1, 10);
    const waitMs = Math.max(frequency, Math.min(LONGEST_PAUSE_MS, pauseMs));
    // If the clock was set back, the stored data seems to come from the future: its age then counts as 0.
    const ageMs = Math.max(0, clock.now() - host.fetchedAt(poll.key));
    const delayMs = poll.failureCount > 0 ? waitMs : Math.max(0, waitMs - ageMs);
    poll.timer = timers.set(() => {
      poll.timer = null;
      void this.#run(poll, host);
    }, delayMs);
  }

  async #run(poll: Poll, host: ManagerHost): Promise<void> {
    const [subscriber] = poll.subscribers;
    if (!subscriber) return;
    try {
      await host.poll(subscriber.endpoint, ...subscriber.args);
      poll.failureCount = 0;
    } catch {
      // The next poll tries again.
      poll.failureCount += 1;
    }
    if (this.#polls.get(poll.key) === poll && poll.timer === null) this.#schedule(poll);
  }

  #clear(poll: Poll): void {
    if (poll.timer === null) return;
    this.#host?.environment.timers.clear(poll.timer);
    poll.timer = null;
  }
}

function isFrequency(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < Infinity;
}
