// What a controller may be told: its lifetimes, its managers, and any part of the environment it stands on.
import type { Manager } from '../dispatch/manager.ts';
import type { Environment } from '../support/environment.ts';
import type { InitialState } from './state/core.ts';

/**
 * Options of a `Controller`: its lifetimes, its managers, and any part of the {@link Environment}.
 *
 * @example
 * const options: ControllerOptions = { dataExpiryLength: 10_000, timeoutMs: 5_000 };
 * const controller = new Controller(options);
 */
export interface ControllerOptions extends Partial<Environment> {
  /** What runs beside the controller. Default: a {@link FocusManager}; the hooks that subscribe bring a {@link PollingManager}. */
  readonly managers?: readonly Manager[];
  /** What the controller starts with: made by `savedState`, or by `readPage` of `holdfast/react`. Default: nothing. */
  readonly initialState?: InitialState | null;
  /** Default: `defaults.controller.dataExpiryLength`. */
  readonly dataExpiryLength?: number;
  /** Default: `defaults.controller.errorExpiryLength`. */
  readonly errorExpiryLength?: number;
  /** Milliseconds for which data stays after its last use; Infinity for ever. Default: `defaults.controller.retentionMs`. */
  readonly retentionMs?: number;
  /** Milliseconds until a request fails with TimeoutError. Default: `defaults.controller.timeoutMs`. */
  readonly timeoutMs?: number;
}
