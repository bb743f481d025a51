// The session as one tab knows it, for auth-manager.ts and renew-session.ts. The session is read again before each use, because
// another tab may have written it. Each change of the user starts a new term, and `check` throws for requests of an earlier term.
import { callSafely } from '../../support/call-safely.ts';
import { report, ResetError, toError } from '../../support/errors.ts';
import type { AuthOptions } from './options.ts';
import { checkSession, serializeSession } from './session.ts';
import type { Session } from './session.ts';
import { tabChannel } from './session-tabs.ts';
import type { SessionChannel } from './session-tabs.ts';

type KeeperOptions<T extends Session> = Pick<
  AuthOptions<T>,
  'read' | 'write' | 'channel' | 'name' | 'onProblem'
>;

export class SessionKeeper<T extends Session> {
  readonly name: string;
  readonly channel: SessionChannel;
  session: T | undefined;
  /** The session as a string; '' for none. Equal strings mean equal tokens. */
  serialized = '';
  /** Counts the changes of the user. */
  term = 0;
  readonly #options: KeeperOptions<T>;
  readonly #onNewTerm: () => void;
  readonly #listeners = new Set<() => void>();
  /** The message of the last error of `read`, so that the same problem is not reported again. */
  #lastReadError = '';
  /** After `write` has failed: the session that is still stored, serialized. `sync` ignores it. */
  #overruled: string | undefined;

  constructor(options: KeeperOptions<T>, onNewTerm: () => void) {
    this.#options = options;
    this.#onNewTerm = onNewTerm;
    this.name = options.name ?? 'holdfast session';
    this.channel = options.channel ?? tabChannel(this.name);
    this.sync();
  }

  listen(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads the stored session again and adopts it when another tab has changed it. */
  sync(): void {
    const session = this.#read();
    const serialized = serializeSession(session);
    if (serialized === this.#overruled) return;
    this.#overruled = undefined;
    if (serialized !== this.serialized) this.#enter(session, session?.userId !== this.session?.userId);
  }

  /** Throws ResetError when the user has changed since the term: a request of one user must not continue as another's. */
  check(term: number): void {
    this.sync();
    if (term !== this.term) throw new ResetError();
  }

  /** Stores the session for all tabs. `isNew` starts a new term, even for the same user. */
  put(session: T | undefined, { isNew }: { readonly isNew: boolean }): void {
    try {
      this.#overruled = undefined;
      this.#options.write(session);
    } catch (error) {
      // the former session is still stored: `sync` must not return to it
      this.#overruled = serializeSession(this.#read());
      throw error;
    } finally {
      this.#enter(session, isNew);
      this.channel.notify();
    }
  }

  /** Reports a problem that fails no request. */
  reportProblem(error: Error): void {
    callSafely(() => (this.#options.onProblem ?? report)(error));
  }

  #read(): T | undefined {
    try {
      return checkSession(this.#options.read(), 'read()');
    } catch (error) {
      // An unreadable session counts as signed out. It is read often, so the same problem is reported once.
      const problem = toError(error);
      if (problem.message !== this.#lastReadError) this.reportProblem(problem);
      this.#lastReadError = problem.message;
      return undefined;
    }
  }

  #enter(session: T | undefined, isNew: boolean): void {
    this.session = session;
    this.serialized = serializeSession(session);
    if (isNew) {
      this.term += 1;
      this.#onNewTerm();
    }
    for (const listener of this.#listeners) callSafely(listener);
  }
}
