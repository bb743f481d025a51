// The session as one tab knows it. It is read again whenever it matters, because another tab may have written it; a change of
// the user opens a new term, and what belongs to an earlier term is dropped by who holds it.
import { callSafely } from '../../support/call-safely.ts';
import { report, ResetError, toError } from '../../support/errors.ts';
import type { AuthOptions } from './options.ts';
import { checkSession, sessionText } from './session.ts';
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
  /** The same text means the same tokens. */
  text = '';
  /** Grows with every change of the user. */
  term = 0;
  readonly #options: KeeperOptions<T>;
  readonly #onNewTerm: () => void;
  readonly #listeners = new Set<() => void>();
  /** Why the session could not be read, the last time. */
  #unreadable = '';
  /** What stands in the store in place of the session that could not be written. */
  #overruled: string | undefined;

  constructor(options: KeeperOptions<T>, onNewTerm: () => void) {
    this.#options = options;
    this.#onNewTerm = onNewTerm;
    this.name = options.name ?? 'holdfast session';
    this.channel = options.channel ?? tabChannel(this.name);
    this.look();
  }

  listen(onChange: () => void): () => void {
    const listener = (): void => onChange();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes over what another tab has written. */
  look(): void {
    const session = this.#read();
    const text = sessionText(session);
    if (text === this.#overruled) return;
    this.#overruled = undefined;
    if (text !== this.text) this.#enter(session, session?.userId !== this.session?.userId);
  }

  /** Nothing of one user's requests goes on under another. */
  check(term: number): void {
    this.look();
    if (term !== this.term) throw new ResetError();
  }

  /** Keeps the session for all tabs. A new one opens a term even for the same user. */
  put(session: T | undefined, { isNew }: { readonly isNew: boolean }): void {
    try {
      this.#overruled = undefined;
      this.#options.write(session);
    } catch (error) {
      // the former session is still there: this tab does not go back to it
      this.#overruled = sessionText(this.#read());
      throw error;
    } finally {
      this.#enter(session, isNew);
      this.channel.notify();
    }
  }

  /** Tells the application of what no request fails with. */
  reportProblem(error: Error): void {
    callSafely(() => (this.#options.onProblem ?? report)(error));
  }

  #read(): T | undefined {
    try {
      return checkSession(this.#options.read(), 'read()');
    } catch (error) {
      // who cannot be recognised is nobody; it is read often, and told of once
      const problem = toError(error);
      if (problem.message !== this.#unreadable) this.reportProblem(problem);
      this.#unreadable = problem.message;
      return undefined;
    }
  }

  #enter(session: T | undefined, isNew: boolean): void {
    this.session = session;
    this.text = sessionText(session);
    if (isNew) {
      this.term += 1;
      this.#onNewTerm();
    }
    for (const listener of this.#listeners) callSafely(listener);
  }
}
