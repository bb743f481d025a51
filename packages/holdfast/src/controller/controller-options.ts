// What a controller may be told: its lifetimes, its managers, and any part of the environment it stands on.
import type { Manager } from '../dispatch/manager.ts';
import type { Environment } from '../support/environment.ts';
import type { InitialState } from './state/core.ts';

/**
 * Options of a `Controller`: its lifetimes, its managers, and any part of the {@link Environment}.
 *
 * @example
 * const options: ControllerOptions = { dataExpiryLength: 10_000, timeout: 5_000 };
 * const controller = new Controller(options);
 */
export interface ControllerOptions extends Partial<Environment> {
  /** What runs beside the controller. Default: a {@link FocusManager}; the hooks that subscribe bring a {@link PollingManager}. */
  readonly managers?: readonly Manager[];
  /** What the controller starts with: made by `savedState`, or by `readPage` of `holdfast/react`. Default: nothing. */
  readonly initialState?: InitialState | null;
  /** Default: {@link DEFAULT_DATA_EXPIRY_MS}. */
  readonly dataExpiryLength?: number;
  /** Default: {@link DEFAULT_ERROR_EXPIRY_MS}. */
  readonly errorExpiryLength?: number;
  /** Milliseconds for which data stays after its last use; Infinity for ever. Default: {@link DEFAULT_RETENTION_MS}. */
  readonly retentionLength?: number;
  /** Milliseconds until a request fails with TimeoutError. Default: {@link DEFAULT_TIMEOUT_MS}. */
  readonly timeout?: number;
}
