// Refreshes what is on screen when the page becomes visible again, or the network returns.
// Only data that is stale is fetched; after an outage also what failed for want of an answer.
import type { Manager, ManagerHost } from './manager.ts';

/**
 * When a {@link FocusManager} looks for stale data.
 *
 * @example
 * const options: FocusManager.Options = { onFocus: false };
 * new Controller({ managers: [new FocusManager(options)] });
 */
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
  #stop: readonly (() => void)[] = [];

  constructor(options: FocusOptions = {}) {
    this.#options = options;
  }

  start(host: ManagerHost): void {
    const { online, visibility } = host.environment;
    const { onFocus = true, onReconnect = true } = this.#options;
    let wasOnline = online.isOnline();
    const look = (): void => {
      if (visibility.isVisible() && online.isOnline()) host.refreshStale();
    };
    const lookForNetwork = (): void => {
      const isBack = online.isOnline() && !wasOnline;
      wasOnline = online.isOnline();
      if (isBack) host.refreshStale(true);
    };
    this.#stop = [
      onFocus ? visibility.subscribe(look) : [],
      onReconnect ? online.subscribe(lookForNetwork) : [],
    ].flat();
  }

  stop(): void {
    for (const stop of this.#stop) stop();
    this.#stop = [];
  }
}

export declare namespace FocusManager {
  export type { FocusOptions as Options };
}
