// One renewal of a session: by one tab at a time, under a time limit, and only if the session is still the one that is to be
// renewed. It ends; how it ended is for those who wait for it.
import type { Environment } from '../../support/environment.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { isHttpError, isTemporary } from '../../support/network-errors.ts';
import type { AuthOptions } from './options.ts';
import { DEFAULT_REFRESH_TIMEOUT_MS } from './options.ts';
import type { SessionKeeper } from './session-keeper.ts';
import { checkSession, sessionSum } from './session.ts';
import type { Session } from './session.ts';
import { runAlone, runInTime, webLock } from './session-tabs.ts';

/** How much longer than a renewal may take another tab waits for its end; longer than the lock is kept after it. */
const LOCK_GRACE_MS = 5_000;

export interface Renewal {
  /** Started before the session ended: if it fails, the session can still be used. */
  readonly isAhead: boolean;
  /** Calls it off, because the session is another one by now. */
  readonly aborter: AbortController;
  /** Fulfilled at its end, with why it failed or with nothing. */
  readonly ended: Promise<HoldfastError | undefined>;
  /** The text of the session that the server gave; null when another tab was faster, or it failed. */
  brought: string | null;
}

interface Renewing<T extends Session> {
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
}: Renewing<T>): Renewal {
  const {
    refresh,
    refreshTimeoutMs: limitMs = DEFAULT_REFRESH_TIMEOUT_MS,
    endsSession = isFinal,
    lock = webLock,
  } = options;
  const aborter = new AbortController();
  // as it stands now: by the time the lock comes, another tab may have renewed it
  const { session, text } = keeper;
  const waitMs = limitMs + LOCK_GRACE_MS;
  const isOver = (): boolean => text !== keeper.text;
  const isCurrent = (): boolean => {
    keeper.look();
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
    // signed out meanwhile, or renewed by a tab that did not wait: what came is of no use
    if (!isCurrent()) return;
    keeper.put(fresh, { isNew: fresh?.userId !== session.userId });
    renewal.brought = keeper.text;
  };
  const ended = runAlone(renew, {
    lock,
    // one for each session: who knows the renewed one waits for nobody
    name: `${keeper.name} ${sessionSum(text)}`,
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
  const renewal: Renewal = { isAhead, aborter, ended, brought: null };
  return renewal;
}

/** Whether the answer to a refresh says that the session is over. */
function isFinal(error: Error): boolean {
  return isHttpError(error) && [400, 401, 403].includes(error.status);
}

/** Whether a refresh failed in passing, or for want of an answer: that says nothing about the session. */
export function saysNothing(error: unknown): boolean {
  // by the platform's own names: a refresh may call `fetch` itself, which rejects with a TypeError
  return isTemporary(error) || /^(Abort|Timeout|Type)Error$/.test(toError(error).name);
}
