// Renews a session once, for auth-manager.ts: by one tab at a time, within a time limit, and only while the stored session is
// still the one that was to be renewed. A renewal's promise never rejects: it resolves with the error, for the requests that wait.
import type { Environment } from '../../support/environment.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { isHttpError, isTemporary } from '../../support/network-errors.ts';
import type { AuthOptions } from './options.ts';
import { DEFAULT_REFRESH_TIMEOUT_MS } from './options.ts';
import type { SessionKeeper } from './session-keeper.ts';
import { checkSession, sessionHash } from './session.ts';
import type { Session } from './session.ts';
import { runAlone, runInTime, webLock } from './session-tabs.ts';

/** How much longer than a renewal's time limit a tab waits for the lock. More than LINGER_MS, which is added to each renewal. */
const LOCK_GRACE_MS = 5_000;

export interface Renewal {
  /** True when the renewal started before the session was refused: if it fails, the session may still be valid. */
  readonly isAhead: boolean;
  /** Aborts the renewal when another user has signed in, or the user has signed out. */
  readonly aborter: AbortController;
  /** Resolves when the renewal has ended: with the error, or with undefined. Never rejects. */
  readonly ended: Promise<HoldfastError | undefined>;
  /** The new session, serialized; null when another tab has renewed it first, or the renewal failed. */
  received: string | null;
}

interface RenewalContext<T extends Session> {
  readonly options: AuthOptions<T>;
  readonly keeper: SessionKeeper<T>;
  readonly environment: Environment;
  readonly isAhead: boolean;
}

export function startRenewal<T extends Session>({
  options,
  keeper,
  environment: { timers },
  isAhead,
}: RenewalContext<T>): Renewal {
  const {
    refresh,
    refreshTimeoutMs: limitMs = DEFAULT_REFRESH_TIMEOUT_MS,
    endsSession = isFinal,
    lock = webLock,
  } = options;
  const aborter = new AbortController();
  // read before the lock is granted: another tab may renew the session until then
  const { session, serialized } = keeper;
  const waitMs = limitMs + LOCK_GRACE_MS;
  const isOver = (): boolean => serialized !== keeper.serialized;
  const isCurrent = (): boolean => {
    keeper.sync();
    return !isOver() && !aborter.signal.aborted;
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
    // meanwhile the user signed out, or a tab that did not wait for the lock renewed the session: discard the response
    if (!isCurrent()) return;
    keeper.put(fresh, { isNew: fresh?.userId !== session.userId });
    renewal.received = keeper.serialized;
  };
  const ended = runAlone(renew, {
    lock,
    // one lock per session: a tab that has the renewed session already does not wait
    name: `${keeper.name} ${sessionHash(serialized)}`,
    waitMs,
    timers,
    isOver,
    keeper,
    onBusy: (cause) => keeper.reportProblem(new HoldfastError('SESSION_LOCK_BUSY', { waitMs }, { cause })),
  }).then(
    () => undefined,
    (thrown: unknown) => {
      const cause = toError(thrown);
      return new HoldfastError('SESSION_NOT_RENEWED', { reason: cause.message }, { cause });
    },
  );
  const renewal: Renewal = { isAhead, aborter, ended, received: null };
  return renewal;
}

/** True when the response to a refresh means that the session is over. */
function isFinal(error: Error): boolean {
  return isHttpError(error) && [400, 401, 403].includes(error.status);
}

/** True when a refresh failed temporarily or got no response: the session may still be valid. */
export function isInconclusive(error: unknown): boolean {
  // compared by name: a `refresh` that calls `fetch` itself rejects with the platform's TypeError
  return isTemporary(error) || /^(Abort|Timeout|Type)Error$/.test(toError(error).name);
}
