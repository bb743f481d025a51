// The library's default numbers in one object. The constants are in the modules that use them, so that only applications that
// import `defaults` bundle this object.
import { DEFAULT_RETENTION_MS } from '../controller/retention.ts';
import { DEFAULT_DATA_EXPIRY_MS, DEFAULT_ERROR_EXPIRY_MS } from '../controller/slot/decide.ts';
import { DEFAULT_BATCH_MOST } from './edit/batch-manager.ts';
import { DEFAULT_EDIT_AFTER_MS, DEFAULT_EDIT_AT_MOST_MS } from './edit/save-timer.ts';
import { DEFAULT_UNDO_LIMIT } from './edit/history.ts';
import { DEFAULT_REFRESH_TIMEOUT_MS, DEFAULT_RENEW_BEFORE_MS } from './auth/options.ts';
import { FAILED_MUTATIONS_KEPT } from '../dispatch/failed-manager.ts';
import {
  DEFAULT_RETRY_COUNT,
  DEFAULT_RETRY_DELAY_MS,
  DEFAULT_RETRY_MAX_DELAY_MS,
} from '../dispatch/retry-manager.ts';
import { DEFAULT_MAX_RECONNECT_MS, DEFAULT_RECONNECT_MS } from '../dispatch/stream-options.ts';
import { DEFAULT_TIMEOUT_MS } from '../endpoint/run-request.ts';
import { REFUSED_ROWS_KEPT } from './validate/refused-rows.ts';
import { DEFAULT_CONFLICT_ROUNDS, DEFAULT_LONGEST_WAIT_MS } from './http/options.ts';
import { DEFAULT_INSPECT_KEEP } from './inspect/ring.ts';

/**
 * The numbers that apply if an application does not set them. Each number has the name of its option, in a group for the object
 * that takes the option; `http.conflictRounds` is the option `conflicts.rounds`. `failed.kept` and `refused.kept` cannot be
 * changed.
 *
 * @example new RetryManager({ delayMs: defaults.retry.delayMs / 2 });
 */
export const defaults = {
  controller: {
    dataExpiryLength: DEFAULT_DATA_EXPIRY_MS,
    errorExpiryLength: DEFAULT_ERROR_EXPIRY_MS,
    retentionMs: DEFAULT_RETENTION_MS,
    timeoutMs: DEFAULT_TIMEOUT_MS,
  },
  retry: {
    count: DEFAULT_RETRY_COUNT,
    delayMs: DEFAULT_RETRY_DELAY_MS,
    maxDelayMs: DEFAULT_RETRY_MAX_DELAY_MS,
  },
  stream: { reconnectDelayMs: DEFAULT_RECONNECT_MS, maxReconnectDelayMs: DEFAULT_MAX_RECONNECT_MS },
  edit: { afterMs: DEFAULT_EDIT_AFTER_MS, atMostMs: DEFAULT_EDIT_AT_MOST_MS },
  batch: { most: DEFAULT_BATCH_MOST },
  history: { limit: DEFAULT_UNDO_LIMIT },
  failed: { kept: FAILED_MUTATIONS_KEPT },
  auth: { renewBeforeMs: DEFAULT_RENEW_BEFORE_MS, refreshTimeoutMs: DEFAULT_REFRESH_TIMEOUT_MS },
  http: { longestWaitMs: DEFAULT_LONGEST_WAIT_MS, conflictRounds: DEFAULT_CONFLICT_ROUNDS },
  inspect: { keep: DEFAULT_INSPECT_KEEP },
  refused: { kept: REFUSED_ROWS_KEPT },
} as const;
