// What an AuthManager is told: where the session is kept, how it is shown to the server and how it is renewed.
import type { Session, SessionStore } from './session.ts';
import type { SessionChannel, SessionLock } from './session-tabs.ts';

/** How long before its end a session is renewed, in milliseconds. */
export const DEFAULT_RENEW_BEFORE_MS = 30_000;
/** How long a renewal may take, in milliseconds. */
export const DEFAULT_REFRESH_TIMEOUT_MS = 10_000;

/**
 * What an {@link AuthManager} is made of. `localSession` gives `read` and `write`.
 *
 * @example
 * const options: AuthManager.Options<Session> = { ...localSession<Session>('session'), origins: ['https://api.example.com'] };
 * const auth = new AuthManager(options);
 */
export interface AuthOptions<T extends Session> extends SessionStore<T> {
  /** The headers that show the session to the server. Without them a cookie does. Those that an endpoint sets itself stay. */
  readonly headers?: (session: T) => Readonly<Record<string, string>>;
  /** The origins that hear of the session. Default: the page's own. */
  readonly origins?: readonly string[];
  /**
   * Asks the server for a new session in place of the one that it refused; undefined when it says that the session is over.
   * Without it a refusal ends the session. Call an endpoint here, not the controller: that would wait for the renewal.
   */
  readonly refresh?: (
    session: T,
    options: { readonly signal: AbortSignal },
  ) => T | undefined | Promise<T | undefined>;
  /** Which failures of a request say that its session is not good any more. Default: an answer 401. */
  readonly isRefused?: (error: Error) => boolean;
  /** Which failures of `refresh` end the session. Default: an answer 400, 401 or 403. */
  readonly endsSession?: (error: Error) => boolean;
  /** Milliseconds before `expiresAt` from which on it is renewed first. Default: `defaults.auth.renewBeforeMs`. */
  readonly renewBeforeMs?: number;
  /** Milliseconds that a renewal may take. Default: `defaults.auth.refreshTimeoutMs`. */
  readonly refreshTimeoutMs?: number;
  /** Names the locks and the channel that the application's tabs share. Default: 'holdfast session'. */
  readonly name?: string;
  /** Lets one tab at a time renew. Default: the browser's own locks. */
  readonly lock?: SessionLock;
  /** Tells other tabs of changes. Default: {@link tabChannel}. */
  readonly channel?: SessionChannel;
  /** Hears of a session that cannot be read, and of a lock that did not come. Default: reported as an uncaught error. */
  readonly onProblem?: (error: Error) => void;
}
