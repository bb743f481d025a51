// The type of the options of `new Controller`.
import type { Manager } from '../dispatch/manager.ts';
import type { Environment } from '../support/environment.ts';
import type { InitialState } from './state/core.ts';

/**
 * Options of a `Controller`: its managers, its initial state, its times, and replacements for any part of the {@link Environment}.
 *
 * @example
 * const options: ControllerOptions = { dataExpiryLength: 10_000, timeoutMs: 5_000 };
 * const controller = new Controller(options);
 */
export interface ControllerOptions extends Partial<Environment> {
  /**
   * The objects that run beside the controller. Default: a {@link FocusManager}. When no manager serves subscriptions, a hook that
   * subscribes adds a {@link PollingManager}.
   */
  readonly managers?: readonly Manager[];
  /** The data that the controller starts with, from `savedState`, or `readPage` of `holdfast/react`. Default: an empty store. */
  readonly initialState?: InitialState | null;
  /**
   * Milliseconds for which a response is fresh, for endpoints without this option. Default: `defaults.controller.dataExpiryLength`.
   */
  readonly dataExpiryLength?: number;
  /**
   * For endpoints without this option: the shortest time, in milliseconds, before readers repeat a failed read by themselves,
   * unless the network returns earlier. Default: `defaults.controller.errorExpiryLength`.
   */
  readonly errorExpiryLength?: number;
  /**
   * Data that no reader, subscription or request uses any more stays in memory for at least this many milliseconds; with Infinity,
   * for ever. Default: `defaults.controller.retentionMs`.
   */
  readonly retentionMs?: number;
  /**
   * Milliseconds until a request fails with TimeoutError, for endpoints without this option. Default:
   * `defaults.controller.timeoutMs`.
   */
  readonly timeoutMs?: number;
}
