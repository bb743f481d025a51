// The session that one tab knows. `sync` and `checkTerm` read the stored session again, because another tab may have changed it. A
// sign-in or sign-out in this tab, and a change of the user by another tab, start a new term; `checkTerm` throws for a request of
// an earlier term.
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
  /** The session as a string, to compare sessions; '' for none. */
  serialized = '';
  /** A number that grows with each sign-in and sign-out in this tab, and when a renewal or another tab has changed the user. */
  term = 0;
  readonly #options: KeeperOptions<T>;
  readonly #onNewTerm: () => void;
  readonly #listeners = new Set<() => void>();
  /** The message of the last error of `read`, so that the same problem is not reported again. */
  #lastReadError = '';
  /** Set when `write` has failed: the former session, which is still stored, serialized. `sync` ignores it. */
  #ignoredSession: string | undefined;

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

  /** Reads the stored session again, and uses it if another tab has changed it. */
  sync(): void {
    const session = this.#read();
    const serialized = serializeSession(session);
    if (serialized === this.#ignoredSession) return;
    this.#ignoredSession = undefined;
    if (serialized !== this.serialized) this.#setSession(session, session?.userId !== this.session?.userId);
  }

  /** Throws ResetError when this term is over: a request of one user must not continue as another user's. */
  checkTerm(term: number): void {
    this.sync();
    if (term !== this.term) throw new ResetError();
  }

  /** Stores the session for all tabs. If `isNew`, a new term starts, even for the same user. */
  store(session: T | undefined, { isNew }: { readonly isNew: boolean }): void {
    try {
      this.#ignoredSession = undefined;
      this.#options.write(session);
    } catch (error) {
      // The former session is still stored, and `sync` must not use it.
      this.#ignoredSession = serializeSession(this.#read());
      throw error;
    } finally {
      this.#setSession(session, isNew);
      this.channel.notify();
    }
  }

  /** Passes the error to `onProblem`, or to the platform when there is no `onProblem`. */
  reportProblem(error: Error): void {
    callSafely(() => (this.#options.onProblem ?? report)(error));
  }

  #read(): T | undefined {
    try {
      return checkSession(this.#options.read(), 'read()');
    } catch (error) {
      // A session that cannot be read counts as signed out. Sessions are read often, so a repeated problem is reported once.
      const problem = toError(error);
      if (problem.message !== this.#lastReadError) this.reportProblem(problem);
      this.#lastReadError = problem.message;
      return undefined;
    }
  }

  #setSession(session: T | undefined, isNew: boolean): void {
    this.session = session;
    this.serialized = serializeSession(session);
    if (isNew) {
      this.term += 1;
      this.#onNewTerm();
    }
    for (const listener of this.#listeners) callSafely(listener);
  }
}
