// The type of a session, the functions that check and compare sessions, and `localSession`, which stores a session in the browser.
// The other files of this folder decide what follows when the session changes.
import { tryRun } from '../../support/call-safely.ts';
import { systemStorage } from '../../support/environment.ts';
import { HoldfastError, describeType } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { stableText } from '../../support/stable-text.ts';

/**
 * The session of the user who is signed in. Extend it with the properties that requests and `refresh` need, such as an access token
 * and a refresh token.
 *
 * @example
 * interface TokenSession extends Session {
 *   readonly accessToken: string;
 *   readonly refreshToken: string;
 * }
 */
export interface Session {
  /** Identifies the user. When it changes, the store is reset, so that no data of the former user stays. */
  readonly userId: string | number;
  /**
   * When the access token expires, in milliseconds since 1970. If it is set and there is an option `refresh`, requests renew the
   * session shortly before that time.
   */
  readonly expiresAt?: number | undefined;
}

/**
 * The functions that read and write the stored session, which every tab finds. Both functions are synchronous, because a tab that
 * is shown again must know the signed-in user before it renders.
 *
 * @example
 * let kept: Session | undefined;
 * const inMemory: localSession.Store<Session> = { read: () => kept, write: (session) => void (kept = session) };
 */
export interface SessionStore<T extends Session> {
  /** Returns the stored session, even if another tab has written it; undefined if no session is stored. */
  readonly read: () => T | undefined;
  /** Stores the session; undefined deletes it. */
  readonly write: (session: T | undefined) => void;
}

/**
 * Returns functions that keep the session in `localStorage` under this name, for all tabs. If `localStorage` cannot be used, they
 * keep the session in this tab's memory.
 *
 * @example
 * const auth = new AuthManager({
 *   ...localSession<Session>('session'),
 *   origins: ['https://api.example.com'],
 * });
 */
export function localSession<T extends Session>(name: string): SessionStore<T> {
  let kept: T | undefined;
  return {
    read() {
      // `localStorage` throws in a browser whose user forbids storage
      const text = tryRun(() => systemStorage()?.getItem(name));
      // cast: `write` has written a session, and SessionKeeper checks that this is one
      return typeof text === 'string' ? (JSON.parse(text) as T) : kept;
    },
    write(session) {
      kept = session;
      tryRun(() => {
        const storage = systemStorage();
        if (!storage) return;
        try {
          if (session) storage.setItem(name, JSON.stringify(session));
          else storage.removeItem(name);
          kept = undefined;
        } catch {
          // The session was not written, for example because the storage is full: the former session is removed, so that `read`
          // returns `kept`.
          storage.removeItem(name);
        }
      });
    },
  };
}

/** Returns the session; undefined for null. Throws SESSION_INVALID for a value that is not a session. */
export function checkSession<T extends Session>(
  value: T | false | null | undefined,
  from: string,
): T | undefined {
  if (value === undefined || value === null) return undefined;
  const { userId } = Object(value) as { userId?: unknown }; // cast: userId is checked below
  const isNamed = (typeof userId === 'string' && userId !== '') || Number.isFinite(userId);
  if (isObject(value) && isNamed) return value;
  const found = isObject(value) ? `an object whose userId is ${describeType(userId)}` : describeType(value);
  throw new HoldfastError('SESSION_INVALID', { from, found });
}

/** A number for the name of a session's lock. It reveals no token, and two sessions rarely have the same number. */
export function sessionHash(serialized: string): number {
  let hash = 0;
  for (const letter of serialized) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return hash;
}

/** The session as a string; '' for none. Sessions with equal strings count as equal. */
export function serializeSession(session: Session | undefined): string {
  return session === undefined ? '' : stableText(session);
}

export declare namespace localSession {
  export type { SessionStore as Store };
}
