// Fetches the stale data of mounted readers when the page becomes visible or gets the focus, and when the network returns. When the
// network returns, it also repeats the reads of mounted readers that show an error other than an HttpError.
import type { Manager, ManagerHost } from './manager.ts';

/**
 * When a {@link FocusManager} fetches stale data.
 *
 * @example
 * const options: FocusManager.Options = { onFocus: false };
 * new Controller({ managers: [new FocusManager(options)] });
 */
export interface FocusOptions {
  /** Fetch when the page becomes visible or gets the focus. Default: true. */
  readonly onFocus?: boolean;
  /** Fetch when the network returns. Default: true. */
  readonly onReconnect?: boolean;
}

/**
 * Fetches the stale data that is on screen, when the page becomes visible or gets the focus, and when the network returns.
 *
 * @example new Controller({ managers: [new FocusManager({ onFocus: false }), new PollingManager()] });
 */
export class FocusManager implements Manager {
  readonly #options: FocusOptions;
  #stops: readonly (() => void)[] = [];

  constructor(options: FocusOptions = {}) {
    this.#options = options;
  }

  start(host: ManagerHost): void {
    const { online, visibility } = host.environment;
    const { onFocus = true, onReconnect = true } = this.#options;
    let wasOnline = online.isOnline();
    const refreshOnFocus = (): void => {
      if (visibility.isVisible() && online.isOnline()) host.refreshStale();
    };
    const refreshOnReconnect = (): void => {
      const isBack = online.isOnline() && !wasOnline;
      wasOnline = online.isOnline();
      if (isBack) host.refreshStale(true);
    };
    this.#stops = [
      onFocus ? visibility.subscribe(refreshOnFocus) : [],
      onReconnect ? online.subscribe(refreshOnReconnect) : [],
    ].flat();
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }
}

export declare namespace FocusManager {
  export type { FocusOptions as Options };
}
