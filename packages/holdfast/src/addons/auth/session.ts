// What a session is, when two are the same, and where one is kept. Read by auth-manager.ts, which alone decides what
// follows from a change.
import { tryRun } from '../../support/call-safely.ts';
import { systemStorage } from '../../support/environment.ts';
import { HoldfastError, nameOf } from '../../support/errors.ts';
import { isObject } from '../../support/plain.ts';
import { stableText } from '../../support/stable-text.ts';

/**
 * Who is signed in. Add what your requests and your refresh need: an access token, a refresh token.
 *
 * @example
 * interface TokenSession extends Session {
 *   readonly accessToken: string;
 *   readonly refreshToken: string;
 * }
 */
export interface Session {
  /** Another one is another session: nothing of the former user's data stays. */
  readonly userId: string | number;
  /** When the access token ends, in milliseconds since 1970: then it is renewed before a request is refused. */
  readonly expiresAt?: number | undefined;
}

/**
 * Where the session is kept, so that every tab finds it. Both are synchronous: a tab that comes back must know who is signed
 * in before it shows anything.
 *
 * @example
 * let kept: Session | undefined;
 * const inMemory: localSession.Store<Session> = { read: () => kept, write: (session) => void (kept = session) };
 */
export interface SessionStore<T extends Session> {
  /** The session as it stands, whichever tab wrote it; undefined for none. */
  readonly read: () => T | undefined;
  /** Keeps the session; undefined ends it. */
  readonly write: (session: T | undefined) => void;
}

/**
 * Keeps the session in `localStorage` under a name, for all tabs. Where the visitor forbids that, this tab remembers it.
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
      // a visitor may forbid storage
      const text = tryRun(() => systemStorage()?.getItem(name));
      // cast: `write` wrote it; what is no session is refused by who reads
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
          // full: the former session must not be read in place of this one
          storage.removeItem(name);
        }
      });
    },
  };
}

/** Refuses with SESSION_INVALID what is neither a session nor nothing. */
export function checkSession<T extends Session>(
  value: T | false | null | undefined,
  from: string,
): T | undefined {
  if (value === undefined || value === null) return undefined;
  const { userId } = Object(value) as { userId?: unknown }; // cast: asking is the check
  const isNamed = (typeof userId === 'string' && userId !== '') || Number.isFinite(userId);
  if (isObject(value) && isNamed) return value;
  const found = isObject(value) ? `an object whose userId is ${nameOf(userId)}` : nameOf(value);
  throw new HoldfastError('SESSION_INVALID', { from, found });
}

/** A number that tells two sessions apart, and nothing of their tokens. */
export function sessionSum(text: string): number {
  let sum = 0;
  for (const sign of text) sum = (Math.imul(sum, 31) + sign.charCodeAt(0)) | 0;
  return sum;
}

/** The same text means the same tokens. */
export function sessionText(session: Session | undefined): string {
  return session === undefined ? '' : stableText(session);
}

export declare namespace localSession {
  export type { SessionStore as Store };
}
