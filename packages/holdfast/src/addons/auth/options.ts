// The options of AuthManager: where the session is stored, which headers carry it to the server and how it is renewed.
import type { Session, SessionStore } from './session.ts';
import type { SessionChannel, SessionLock } from './session-tabs.ts';

/** How long before `expiresAt` a session is renewed, in milliseconds. */
export const DEFAULT_RENEW_BEFORE_MS = 30_000;
/** How long a call of `refresh` may take, in milliseconds. */
export const DEFAULT_REFRESH_TIMEOUT_MS = 10_000;

/**
 * Options of {@link AuthManager}. `localSession` provides `read` and `write`.
 *
 * @example
 * const options: AuthManager.Options<Session> = { ...localSession<Session>('session'), origins: ['https://api.example.com'] };
 * const auth = new AuthManager(options);
 */
export interface AuthOptions<T extends Session> extends SessionStore<T> {
  /**
   * Returns the headers that carry the session. Omit this option for a session in a cookie. A request that sets one of these
   * headers itself gets none of them.
   */
  readonly headers?: (session: T) => Readonly<Record<string, string>>;
  /** The origins to which the session is sent. Default: the page's own origin. */
  readonly origins?: readonly string[];
  /**
   * Requests a new session from the server when the session was refused or expires soon. Return undefined when the session is over.
   * Without `refresh` a refusal ends the session. Call an endpoint here, not the controller: the controller's requests to these
   * origins wait until `refresh` has ended.
   */
  readonly refresh?: (
    session: T,
    options: { readonly signal: AbortSignal },
  ) => T | undefined | Promise<T | undefined>;
  /** Which failures of a request mean that the server refused its session. Default: a response with status 401. */
  readonly isRefused?: (error: Error) => boolean;
  /** Which failures of `refresh` end the session. Default: a response with status 400, 401 or 403. */
  readonly endsSession?: (error: Error) => boolean;
  /** How many milliseconds before `expiresAt` requests start to renew the session. Default: `defaults.auth.renewBeforeMs`. */
  readonly renewBeforeMs?: number;
  /** How many milliseconds a call of `refresh` may take. Default: `defaults.auth.refreshTimeoutMs`. */
  readonly refreshTimeoutMs?: number;
  /** The name of the channel that the application's tabs share, and the start of their lock names. Default: 'holdfast session'. */
  readonly name?: string;
  /** Makes sure that only one tab at a time renews the session. Default: the browser's own locks. */
  readonly lock?: SessionLock;
  /** Notifies other tabs of changes. Default: {@link tabChannel}. */
  readonly channel?: SessionChannel;
  /** Called when the session cannot be read, or the lock fails or is not granted in time. Default: reports an uncaught error. */
  readonly onProblem?: (error: Error) => void;
}
