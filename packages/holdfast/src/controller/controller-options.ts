// What a controller may be told: its lifetimes, its managers, and any part of the environment it stands on.
import type { Manager } from '../dispatch/manager.ts';
import type { DehydratedState } from '../normalize/dehydrate.ts';
import type { Environment } from '../support/environment.ts';
import type { StateSource } from './arrivals.ts';

export interface ControllerOptions extends Partial<Environment> {
  /** What runs beside the controller. Default: {@link getDefaultManagers}. */
  readonly managers?: readonly Manager[];
  /** What `dehydrate` gave, or its JSON text: the controller starts with it. Or a source of several, as `readPage` gives. */
  readonly initialState?: DehydratedState | StateSource | string | null;
  /** Default: {@link DEFAULT_DATA_EXPIRY_MS}. */
  readonly dataExpiryLength?: number;
  /** Default: {@link DEFAULT_ERROR_EXPIRY_MS}. */
  readonly errorExpiryLength?: number;
  /** Milliseconds for which data stays after its last use; Infinity for ever. Default: {@link DEFAULT_RETENTION_MS}. */
  readonly retentionLength?: number;
  /** Milliseconds until a request fails with TimeoutError. Default: {@link DEFAULT_TIMEOUT_MS}. */
  readonly timeout?: number;
}
