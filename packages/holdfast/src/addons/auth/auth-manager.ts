// The session of an application: its headers go to the origins that are listed, a refused request has the session renewed
// once for all who wait, and whenever the user changes the store is emptied. It stands inside the `fetch` of each request,
// so that waiting counts for the request's own time limit and the address is the one that is really asked.
import { withHeaders } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { currentAddress, subscribeToReturn } from '../../support/environment.ts';
import type { Environment } from '../../support/environment.ts';
import { HoldfastError, ResetError, toError } from '../../support/errors.ts';
import { AbortError, ConnectionError, isHttpError } from '../../support/network-errors.ts';
import { isHttp, originOf, parseAddress } from '../../support/origin.ts';
import { tagOf } from '../../support/plain.ts';
import type { AuthOptions } from './options.ts';
import { DEFAULT_RENEW_BEFORE_MS } from './options.ts';
import type { ControllerEvent, Manager, ManagerHost, NetworkRequest, Send } from '../../dispatch/manager.ts';
import { saysNothing, startRenewal } from './renew-session.ts';
import type { Renewal } from './renew-session.ts';
import { SessionKeeper } from './session-keeper.ts';
import { checkSession } from './session.ts';
import type { Session } from './session.ts';
import type { SessionChannel, SessionLock } from './session-tabs.ts';

/** Sent with an old session, then with one that another tab has renewed long ago, then with a new one. */
const MOST_REPEATS = 2;

/** One sending of a request. */
interface AuthorizedSend {
  /** The term in which the request was made. */
  readonly term: number;
  /** The session that went with it; null when none did. */
  text: string | null;
  /** Whether its body is gone once it was sent. */
  isOnce: boolean;
}

/**
 * Keeps a session: adds its headers, renews it once for all requests and tabs, and empties the store whenever another user
 * is signed in, or none.
 *
 * @example
 * interface TokenSession extends Session {
 *   readonly accessToken: string;
 *   readonly refreshToken: string;
 * }
 * const renew = new RestEndpoint({
 *   path: '/token',
 *   method: 'POST',
 *   body: {} as { refreshToken: string },
 *   process: (answer: TokenSession) => answer,
 * });
 * const auth = new AuthManager({
 *   ...localSession<TokenSession>('session'),
 *   headers: ({ accessToken }) => ({ Authorization: `Bearer ${accessToken}` }),
 *   refresh: ({ refreshToken }, { signal }) => renew.extend({ signal })({ refreshToken }),
 *   origins: ['https://api.example.com'],
 * });
 * new Controller({ managers: [auth, ...getDefaultManagers()] });
 */
export class AuthManager<T extends Session = Session> implements Manager {
  readonly #options: AuthOptions<T>;
  readonly #origins: ReadonlySet<string> | undefined;
  readonly #keeper: SessionKeeper<T>;
  #host: ManagerHost | undefined;
  #stop: readonly (() => void)[] = [];
  #renewal: Renewal | null = null;
  /** Whether a renewed session was over by our clock when it came: then only refusals tell. */
  #hasWrongClock = false;

  constructor(options: AuthOptions<T>) {
    this.#options = options;
    this.#origins = options.origins && new Set(options.origins.map((origin) => originOf(origin)));
    this.#keeper = new SessionKeeper(options, () => {
      this.#hasWrongClock = false;
      this.#renewal?.aborter.abort();
      this.#renewal = null;
      this.#host?.resetEntireStore();
    });
  }

  /** Who is signed in; undefined for nobody. The same object until something changes. */
  get session(): T | undefined {
    return this.#keeper.session;
  }

  /** Signs in: keeps the session, and empties the store at once. */
  begin(session: T): void {
    // nobody is no session either
    const checked = checkSession(session ?? false, 'begin()');
    this.#keeper.put(checked as T, { isNew: true }); // cast: checked
  }

  /** Signs out: forgets the session, and empties the store at once. */
  end(): void {
    this.#keeper.put(undefined, { isNew: true });
  }

  /** Calls back after every change of `session`, by this tab or by another. */
  readonly listen = (onChange: () => void): (() => void) => this.#keeper.listen(onChange);

  start(host: ManagerHost): void {
    const look = (): void => this.#keeper.look();
    this.#host = host;
    this.#stop = [
      this.#keeper.channel.listen(look),
      // a tab that could not hear reads the session before it shows anything
      host.environment.visibility.subscribe(look),
      subscribeToReturn(look),
    ];
    look();
  }

  stop(): void {
    for (const stop of this.#stop) stop();
    this.#stop = [];
  }

  event(_event: ControllerEvent, host: ManagerHost): void {
    // a store that no event came from is empty
    this.#host ??= host;
  }

  async request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const { isRefused = isUnauthorized } = this.#options;
    const { term } = this.#keeper;
    let renewal: Renewal | undefined;
    for (let repeats = 0; ; repeats += 1) {
      const sending: AuthorizedSend = { term, text: null, isOnce: false };
      const environment: Environment = {
        ...request.environment,
        fetch: (input, init) => this.#send(request, sending, input, init),
      };
      try {
        const outcome = await next({ ...request, environment });
        // another tab may have changed the cookie that went with it
        this.#keeper.check(term);
        return outcome;
      } catch (thrown) {
        this.#keeper.check(term);
        if (sending.text === null || sending.isOnce || !isRefused(toError(thrown))) throw thrown;
        // renewed since it was sent: the refusal says nothing about the present session
        const isLate = sending.text !== this.#keeper.text;
        // refused with what the server has just given
        const isHopeless = sending.text === renewal?.brought || repeats >= MOST_REPEATS;
        if (isHopeless) throw thrown;
        if (isLate) continue;
        if (!this.#options.refresh) {
          this.end();
          throw new ResetError();
        }
        renewal = this.#renew(request.environment, { isAhead: false });
      }
    }
  }

  /** The `fetch` of one request. */
  async #send(
    { environment, endpoint, signal }: NetworkRequest,
    sending: AuthorizedSend,
    input: string,
    init: RequestInit = {},
  ): Promise<Response> {
    if (!this.#isListed(input)) return environment.fetch(input, init);
    const name = { method: init.method ?? 'GET', url: input };
    this.#keeper.check(sending.term);
    if (this.#isDue(environment)) this.#renew(environment, { isAhead: true });
    const renewal = this.#renewal;
    if (renewal) {
      const failure = await renewal.ended;
      this.#keeper.check(sending.term);
      const isUsable = renewal.isAhead && (this.session?.expiresAt ?? 0) > environment.clock.now();
      if (failure && !isUsable)
        throw saysNothing(failure.cause) ? new ConnectionError(name, { cause: failure }) : failure;
      if (signal.aborted || init.signal?.aborted) throw new AbortError(name);
    }
    const headers = this.session && this.#headersOf(this.session, endpoint.name);
    const own = new Headers(init.headers);
    // an endpoint that says itself who asks does not ask for this session
    if (!headers || Object.keys(headers).some((each) => own.has(each))) return environment.fetch(input, init);
    sending.text = this.#keeper.text;
    sending.isOnce = tagOf(init.body) === 'ReadableStream';
    return environment.fetch(input, withHeaders(init, headers, endpoint.name));
  }

  #renew(environment: Environment, { isAhead }: { isAhead: boolean }): Renewal {
    if (this.#renewal) return this.#renewal;
    const before = this.#keeper.text;
    const renewal = startRenewal({ options: this.#options, keeper: this.#keeper, environment, isAhead });
    this.#renewal = renewal;
    void renewal.ended.then(() => {
      if (this.#renewal !== renewal) return;
      this.#renewal = null;
      this.#hasWrongClock ||= this.#keeper.text !== before && this.#isDue(environment);
    });
    return renewal;
  }

  #isDue({ clock }: Environment): boolean {
    const { refresh, renewBeforeMs = DEFAULT_RENEW_BEFORE_MS } = this.#options;
    const { expiresAt = Infinity } = this.session ?? {};
    return refresh !== undefined && !this.#hasWrongClock && expiresAt - renewBeforeMs <= clock.now();
  }

  #headersOf(session: T, endpoint: string): Readonly<Record<string, string>> {
    try {
      return this.#options.headers?.(session) ?? {};
    } catch (cause) {
      throw new HoldfastError('HEADERS_INVALID', { endpoint }, { cause });
    }
  }

  #isListed(input: string): boolean {
    const base = currentAddress();
    // an override may hand on a URL or a Request all the same
    const { href, url: address = href ?? input } = Object(input) as { href?: string; url?: string }; // cast: asking is the check
    const url = parseAddress(String(address), base);
    if (!url || !isHttp(url)) return false;
    return this.#origins ? this.#origins.has(url.origin) : url.origin === parseAddress(base ?? '')?.origin;
  }
}

function isUnauthorized(error: Error): boolean {
  return isHttpError(error, 401);
}

export declare namespace AuthManager {
  export type { AuthOptions as Options, SessionChannel as Channel, SessionLock as Lock };
}
