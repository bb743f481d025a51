// Renews a session within a time limit, and only if the stored session has not changed since the renewal was started. A lock lets
// only one tab at a time renew the session, unless the platform has no locks, or the lock fails or is held for too long. The
// promise of a renewal never rejects: when the renewal fails, the promise resolves with the error.
import type { Environment } from '../../support/environment.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { isHttpError, isTemporary } from '../../support/network-errors.ts';
import type { AuthOptions } from './options.ts';
import { DEFAULT_REFRESH_TIMEOUT_MS } from './options.ts';
import type { SessionKeeper } from './session-keeper.ts';
import { checkSession, sessionHash } from './session.ts';
import type { Session } from './session.ts';
import { runWithLock, runInTime, webLock } from './session-tabs.ts';

/**
 * A tab waits for the lock at most for the time that a call of `refresh` may take plus this time. This time is longer than
 * LOCK_HELD_AFTER_MS, because a tab holds the lock for LOCK_HELD_AFTER_MS after its renewal.
 */
const LOCK_GRACE_MS = 5_000;

export interface Renewal {
  /** True when the renewal was started by the clock and not by a refusal: if it fails, the session may still be valid. */
  readonly isBeforeRefusal: boolean;
  /** Aborts the renewal when a user signs in or out, or when `refresh` takes too long. */
  readonly aborter: AbortController;
  /** Resolves when the renewal has ended: with the error, or with undefined. Never rejects. */
  readonly ended: Promise<HoldfastError | undefined>;
  /** The session that this renewal has stored, serialized; '' if it has ended the session; null if it has done neither yet. */
  newSession: string | null;
}

interface RenewalContext<T extends Session> {
  readonly options: AuthOptions<T>;
  readonly keeper: SessionKeeper<T>;
  readonly environment: Environment;
  readonly isBeforeRefusal: boolean;
}

export function startRenewal<T extends Session>({
  options,
  keeper,
  environment: { timers },
  isBeforeRefusal,
}: RenewalContext<T>): Renewal {
  const {
    refresh,
    refreshTimeoutMs: limitMs = DEFAULT_REFRESH_TIMEOUT_MS,
    endsSession = meansSessionOver,
    lock = webLock,
  } = options;
  const aborter = new AbortController();
  // The session is read before the wait for the lock: if it changes during the wait, it needs no renewal.
  const { session, serialized } = keeper;
  const waitMs = limitMs + LOCK_GRACE_MS;
  const isRenewed = (): boolean => serialized !== keeper.serialized;
  const isCurrent = (): boolean => {
    keeper.sync();
    return !isRenewed() && !aborter.signal.aborted;
  };
  const renew = async (): Promise<void> => {
    if (!isCurrent() || !session || !refresh) return;
    let fresh: T | undefined;
    try {
      const response = await runInTime((signal) => refresh(session, { signal }), {
        limitMs,
        timers,
        aborter,
      });
      fresh = checkSession(response, 'refresh');
    } catch (thrown) {
      if (!endsSession(toError(thrown))) throw thrown;
    }
    // The renewal was aborted, or the session has changed meanwhile, for example by a tab that renewed it without the lock. The
    // response is discarded.
    if (!isCurrent()) return;
    keeper.store(fresh, { isNew: fresh?.userId !== session.userId });
    renewal.newSession = keeper.serialized;
  };
  const ended = runWithLock(renew, {
    lock,
    // The lock's name contains the session's hash, so a tab that already has the renewed session uses another lock.
    name: `${keeper.name} ${sessionHash(serialized)}`,
    waitMs,
    timers,
    isRenewed,
    keeper,
    onNoLock: (cause) => keeper.reportProblem(new HoldfastError('SESSION_LOCK_BUSY', { waitMs }, { cause })),
  }).then(
    () => undefined,
    (thrown: unknown) => {
      const cause = toError(thrown);
      return new HoldfastError('SESSION_NOT_RENEWED', { reason: cause.message }, { cause });
    },
  );
  const renewal: Renewal = { isBeforeRefusal, aborter, ended, newSession: null };
  return renewal;
}

/** True when the response to a refresh means that the session is over. */
function meansSessionOver(error: Error): boolean {
  return isHttpError(error) && [400, 401, 403].includes(error.status);
}

/** True when a refresh failed temporarily or got no response: the session may still be valid. */
export function mayStillBeValid(error: unknown): boolean {
  // The error is compared by name, because a `refresh` that calls the platform's `fetch` rejects with the platform's errors.
  return isTemporary(error) || /^(Abort|Timeout|Type)Error$/.test(toError(error).name);
}
