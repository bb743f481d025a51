// Refreshes what is on screen when somebody comes back to it: the page becomes visible, or the network returns.
// Only data that is stale is fetched; after an outage also what failed for want of an answer.
import type { Manager, ManagerHost } from './manager.ts';

export interface FocusOptions {
  /** Default: true. */
  readonly onFocus?: boolean;
  /** Default: true. */
  readonly onReconnect?: boolean;
}

/**
 * Fetches stale data that is on screen when the page is looked at again and when the network returns.
 *
 * @example new Controller({ managers: [new FocusManager({ onFocus: false }), new PollingManager()] });
 */
export class FocusManager implements Manager {
  readonly #options: FocusOptions;
  #stop: (() => void)[] = [];

  constructor(options: FocusOptions = {}) {
    this.#options = options;
  }

  start(host: ManagerHost): void {
    const { online, visibility } = host.environment;
    let wasOnline = online.isOnline();
    if (this.#options.onFocus !== false) {
      const onFocus = (): void => {
        if (visibility.isVisible() && online.isOnline()) host.refreshStale();
      };
      this.#stop.push(visibility.subscribe(onFocus));
    }
    if (this.#options.onReconnect !== false) {
      const onChange = (): void => {
        const isBack = online.isOnline() && !wasOnline;
        wasOnline = online.isOnline();
        if (isBack) host.refreshStale(true);
      };
      this.#stop.push(online.subscribe(onChange));
    }
  }

  stop(): void {
    for (const stop of this.#stop) stop();
    this.#stop = [];
  }
}
