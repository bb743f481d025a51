// AuthManager: adds the session's headers to requests for the listed origins, renews the session once for all requests that need a
// new one, and resets the store when a user signs in or out. It replaces the `fetch` of each request: so the time limit of the
// request includes the wait for a renewal, and the origin is taken from the address that is really fetched.
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
import { EXTENSION } from '../../dispatch/extension.ts';
import type { Extension, ExtensionHost } from '../../dispatch/extension.ts';
import type { Manager, ManagerHost } from '../../dispatch/manager.ts';
import type { NetworkRequest, Send } from '../../dispatch/network-request.ts';
import { mayStillBeValid, startRenewal } from './renew-session.ts';
import type { Renewal } from './renew-session.ts';
import { SessionKeeper } from './session-keeper.ts';
import { checkSession } from './session.ts';
import type { Session } from './session.ts';
import type { SessionChannel, SessionLock } from './session-tabs.ts';

/**
 * How often a refused request is repeated at most. There may be two repetitions, because the first one may use a session that
 * another tab or another request has renewed, and the server may refuse that session too.
 */
const MOST_REPEATS = 2;

/** One attempt to send a request. */
interface AuthorizedSend {
  /** The value of `SessionKeeper.term` when the request started. */
  readonly term: number;
  /** The session with which the request was sent, serialized; null if no request was sent with a session. */
  sentSession: string | null;
  /** True when the body that was sent with the session is a stream: it can be sent only once, so the request is not repeated. */
  hasStreamBody: boolean;
}

/**
 * Manages a session: adds its headers to requests, renews it once for all requests and, by a lock, for all tabs, and resets the
 * store whenever a user signs in or out.
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
 *   process: (response: TokenSession) => response,
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
  /** Replaces the store by an empty store; undefined until there is a controller. */
  #reset: (() => void) | undefined;
  #stopFunctions: readonly (() => void)[] = [];
  #renewal: Renewal | null = null;
  /** True if a session was due for renewal as soon as it was renewed. Then only a refusal starts the next renewal. */
  #hasWrongClock = false;

  constructor(options: AuthOptions<T>) {
    this.#options = options;
    this.#origins = options.origins && new Set(options.origins.map((origin) => originOf(origin)));
    this.#keeper = new SessionKeeper(options, () => {
      this.#hasWrongClock = false;
      this.#renewal?.aborter.abort();
      this.#renewal = null;
      this.#reset?.();
    });
  }

  /** The current session; undefined when no user is signed in. The object stays the same until the session changes. */
  get session(): T | undefined {
    return this.#keeper.session;
  }

  /** Signs in: stores the session and resets the controller's store at once. */
  begin(session: T): void {
    // checkSession accepts null and undefined, which mean "signed out"; it throws for false
    const checked = checkSession(session ?? false, 'begin()');
    this.#keeper.store(checked as T, { isNew: true }); // cast: checkSession returns its argument
  }

  /** Signs out: deletes the session and resets the controller's store at once. */
  end(): void {
    this.#keeper.store(undefined, { isNew: true });
  }

  /** Calls `onChange` after every change of `session`, by this tab or another. Returns a function that ends the calls. */
  readonly listen = (onChange: () => void): (() => void) => this.#keeper.listen(onChange);

  start(host: ManagerHost): void {
    const sync = (): void => this.#keeper.sync();
    this.#reset = () => host.resetEntireStore();
    this.#stopFunctions = [
      this.#keeper.channel.listen(sync),
      // A hidden or frozen tab may have missed notifications of other tabs, so the session is read when the tab is shown again.
      host.environment.visibility.subscribe(sync),
      subscribeToReturn(sync),
    ];
    sync();
  }

  stop(): void {
    for (const stop of this.#stopFunctions) stop();
    this.#stopFunctions = [];
  }

  // A controller may have data before `start`, such as its initial state, or requests in flight: then a sign-in or a sign-out resets
  // its store.
  /** @internal */ [EXTENSION](host: ExtensionHost, inner: Extension): Extension {
    this.#reset = () => {
      if (host.engine.size + host.flights.size > 0) host.reset();
    };
    return inner;
  }

  async request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const { isRefused = isUnauthorized } = this.#options;
    const { term } = this.#keeper;
    let renewal: Renewal | undefined;
    for (let repeats = 0; ; repeats += 1) {
      const sending: AuthorizedSend = { term, sentSession: null, hasStreamBody: false };
      const environment: Environment = {
        ...request.environment,
        fetch: (input, init) => this.#send(request, sending, input, init),
      };
      try {
        const outcome = await next({ ...request, environment });
        // If another tab has signed in another user, this request may have been sent with that user's cookie.
        this.#keeper.checkTerm(term);
        return outcome;
      } catch (thrown) {
        this.#keeper.checkTerm(term);
        if (sending.sentSession === null || sending.hasStreamBody || !isRefused(toError(thrown)))
          throw thrown;
        // The session has changed since this request was sent, so the server did not refuse the present session.
        const hasSessionChanged = sending.sentSession !== this.#keeper.serialized;
        // The server has refused the session that it has just issued, or the request was repeated often enough.
        const isHopeless = sending.sentSession === renewal?.newSession || repeats >= MOST_REPEATS;
        if (isHopeless) throw thrown;
        if (hasSessionChanged) continue;
        if (!this.#options.refresh) {
          this.end();
          throw new ResetError();
        }
        renewal = this.#renew(request.environment, { isBeforeRefusal: false });
      }
    }
  }

  /** The `fetch` of an attempt: for a listed origin, waits for a renewal that is due or running, and adds the session's headers. */
  async #send(
    { environment, endpoint, signal }: NetworkRequest,
    sending: AuthorizedSend,
    input: string,
    init: RequestInit = {},
  ): Promise<Response> {
    if (!this.#isListedOrigin(input)) return environment.fetch(input, init);
    const requestName = { method: init.method ?? 'GET', url: input };
    this.#keeper.checkTerm(sending.term);
    if (this.#isRenewalDue(environment)) this.#renew(environment, { isBeforeRefusal: true });
    const renewal = this.#renewal;
    if (renewal) {
      const failure = await renewal.ended;
      this.#keeper.checkTerm(sending.term);
      const isUsable = renewal.isBeforeRefusal && (this.session?.expiresAt ?? 0) > environment.clock.now();
      if (failure && !isUsable)
        throw mayStillBeValid(failure.cause) ? new ConnectionError(requestName, { cause: failure }) : failure;
      if (signal.aborted || init.signal?.aborted) throw new AbortError(requestName);
    }
    const headers = this.session && this.#headersOf(this.session, endpoint.name);
    const endpointHeaders = new Headers(init.headers);
    // An endpoint that sets one of the session's headers itself has its own authentication.
    if (!headers || Object.keys(headers).some((header) => endpointHeaders.has(header)))
      return environment.fetch(input, init);
    sending.sentSession = this.#keeper.serialized;
    sending.hasStreamBody = tagOf(init.body) === 'ReadableStream';
    return environment.fetch(input, withHeaders(init, headers, endpoint.name));
  }

  #renew(environment: Environment, { isBeforeRefusal }: { isBeforeRefusal: boolean }): Renewal {
    if (this.#renewal) return this.#renewal;
    const before = this.#keeper.serialized;
    const renewal = startRenewal({
      options: this.#options,
      keeper: this.#keeper,
      environment,
      isBeforeRefusal,
    });
    this.#renewal = renewal;
    void renewal.ended.then(() => {
      if (this.#renewal !== renewal) return;
      this.#renewal = null;
      this.#hasWrongClock ||= this.#keeper.serialized !== before && this.#isRenewalDue(environment);
    });
    return renewal;
  }

  #isRenewalDue({ clock }: Environment): boolean {
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

  #isListedOrigin(input: string): boolean {
    const base = currentAddress();
    // Despite the type, an endpoint's own `fetch` may pass a URL, which has `href`, or a Request, which has `url`.
    const { href, url: address = href ?? input } = Object(input) as { href?: string; url?: string }; // cast: a string has neither property
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
