// Responds to requests with fixtures and interceptors instead of the network. The manager is an ordinary manager: requests are
// joined, ordered and cancelled as in an application, and only the responses are made here.
import type { Manager } from '../../dispatch/manager.ts';
import type { NetworkRequest, Send } from '../../dispatch/network-request.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { runRequest } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { testKey } from '../../endpoint/test-key.ts';
import type { Environment } from '../../support/environment.ts';
import { createEnvironment } from '../../support/environment.ts';
import { toError } from '../../support/errors.ts';
import { HttpError } from '../../support/network-errors.ts';
import type { Problem } from '../../support/network-errors.ts';
import { copyPlain } from '../../support/plain.ts';
import type { Fixture, Interceptor, MockOptions } from './fixture.types.ts';
import { createMissingFixtureError } from './missing-fixture.ts';

/** For at most this many microtasks, `allSettled` waits for a request that code sends because of a response. */
const MOST_MICROTASKS = 100;

type AnyFixture<T> = Fixture | Interceptor<T>;
type MockFunction = (...args: readonly unknown[]) => unknown;

/**
 * A manager that responds to requests with fixtures and interceptors.
 *
 * @example
 * const network = new MockManager({ fixtures: [{ endpoint: TodoResource.getList, args: [], response: [] }] });
 * const controller = new Controller({ managers: [network] });
 */
export class MockManager<T = unknown> implements Manager {
  #fixtures: readonly AnyFixture<T>[] | undefined;
  /** The data that interceptors share, as `this`. */
  readonly data: T;
  readonly #unmatched: MockOptions['unmatched'];
  readonly #environment: Partial<Environment>;
  readonly #openRequests = new Set<Promise<unknown>>();

  constructor(options: MockOptions<T> = {}, environment: Partial<Environment> = {}) {
    this.#fixtures = options.fixtures && checkFixtures(options.fixtures);
    this.#unmatched = options.unmatched;
    this.data = options.getInitialInterceptorData?.() ?? ({} as T); // cast: without the option, T is any object
    this.#environment = environment;
  }

  /** The number of requests in flight. */
  get size(): number {
    return this.#openRequests.size;
  }

  /**
   * Replaces the fixtures and interceptors; `data` is not changed. From then on, a call that matches none of them fails, unless
   * `unmatched` is `'network'`.
   */
  replace(fixtures: readonly AnyFixture<T>[]): void {
    this.#fixtures = checkFixtures(fixtures);
  }

  /** Waits until no request is in flight, including requests that are sent because of a response. */
  async allSettled(): Promise<void> {
    while (this.#openRequests.size > 0) {
      await Promise.allSettled(this.#openRequests);
      // Code that got a response may send more requests some microtasks later. A timer is not used, because a test may fake timers.
      for (let turn = 0; turn < MOST_MICROTASKS && this.#openRequests.size === 0; turn += 1)
        await Promise.resolve();
    }
  }

  request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const fixture = this.#find(request) ?? (request.firstPageOf && this.#find(request.firstPageOf));
    const reply = fixture ? this.#respondWith(fixture, request) : this.#handleUnmatched(request, next);
    const known = reply.finally(() => this.#openRequests.delete(known));
    this.#openRequests.add(known);
    known.catch(() => undefined);
    return reply;
  }

  /** Called for a request without a fixture and without an interceptor: sends it, or rejects with FIXTURE_MISSING. */
  #handleUnmatched(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const unmatched = this.#unmatched ?? (this.#fixtures ? 'error' : 'network');
    if (unmatched === 'network') return next(request);
    const calls = (this.#fixtures ?? []).map((fixture) => ({
      endpoint: fixture.endpoint,
      ...('args' in fixture && { args: fixture.args, key: keyOf(fixture.endpoint, fixture.args) }),
      isSameEndpoint: isSameEndpoint(fixture.endpoint, request.endpoint, request.key),
    }));
    return Promise.reject(createMissingFixtureError(request, calls));
  }

  #find({
    endpoint,
    args,
    key,
  }: Pick<NetworkRequest, 'endpoint' | 'args' | 'key'>): AnyFixture<T> | undefined {
    const isExact = (fixture: AnyFixture<T>): boolean =>
      'args' in fixture &&
      isSameEndpoint(fixture.endpoint, endpoint, key) &&
      keyOf(fixture.endpoint, fixture.args) === keyOf(endpoint, args);
    const isGeneral = (fixture: AnyFixture<T>): boolean =>
      !('args' in fixture) && isSameEndpoint(fixture.endpoint, endpoint, key);
    return this.#fixtures?.find(isExact) ?? this.#fixtures?.find(isGeneral);
  }

  #fullEnvironment(): Environment {
    return createEnvironment(this.#environment);
  }

  #respondWith(fixture: AnyFixture<T>, { endpoint, args, signal }: NetworkRequest): Promise<RequestOutcome> {
    const environment = this.#fullEnvironment();
    if ('fetchResponse' in fixture) {
      const fetch = async (url: string, init: RequestInit = {}): Promise<Response> =>
        toResponse(
          await this.#reply(fixture, environment, args, () =>
            fixture.fetchResponse.call(this.data, url, init),
          ),
        );
      return runRequest(endpoint, args, { signal, environment: { ...environment, fetch } });
    }
    const reply = (): unknown => {
      if (typeof fixture.response === 'function' && !('args' in fixture)) {
        return Reflect.apply(fixture.response as MockFunction, this.data, args); // cast: the interceptor declares its parameters
      }
      if ('error' in fixture && fixture.error) throw toFailure(fixture.response, endpoint);
      return copyPlain(fixture.response);
    };
    return runRequest(endpoint, args, { signal, environment }, () =>
      this.#reply(fixture, environment, args, reply),
    );
  }

  async #reply(
    { delay = 0, delayCollapse = false }: AnyFixture<T>,
    { timers }: Environment,
    args: readonly unknown[],
    make: () => unknown,
  ): Promise<unknown> {
    const delayMs =
      typeof delay === 'function'
        ? Reflect.apply(delay as (...given: readonly unknown[]) => number, undefined, args) // cast: it gets the call's arguments
        : delay;
    const wait = async (): Promise<void> =>
      new Promise((resolve) => {
        timers.set(resolve, delayMs);
      });
    if (delayMs > 0 && delayCollapse) await wait();
    // An error of `make` is thrown only after the delay, at the end of this method.
    const made = Promise.resolve().then(make);
    made.catch(() => undefined);
    if (delayMs > 0 && !delayCollapse) {
      await made.catch(() => undefined);
      await wait();
    }
    return made;
  }
}

/** Throws if the arguments of a fixture have no key. Without this check, `#find` would throw later, at an unrelated request. */
function checkFixtures<T>(fixtures: readonly AnyFixture<T>[]): readonly AnyFixture<T>[] {
  for (const fixture of fixtures) if ('args' in fixture) keyOf(fixture.endpoint, fixture.args);
  return fixtures;
}

/** Compares method and key, so that a fixture also matches an extended endpoint, for example one with a signal or a header. */
function isSameEndpoint(meant: EndpointInterface, requested: EndpointInterface, key: string): boolean {
  if (meant === requested) return true;
  return (meant.method ?? 'GET') === (requested.method ?? 'GET') && testKey(meant, key);
}

function keyOf(endpoint: EndpointInterface, args: readonly unknown[]): string {
  return endpoint.key(...args);
}

function toResponse(value: unknown): Response {
  if (value instanceof Response) return value;
  return new Response(value === undefined ? null : JSON.stringify(value), {
    status: value === undefined ? 204 : 200,
    headers: { 'content-type': 'application/json' },
  });
}

/** Returns the given error, an error with the given message, or an HttpError with the given status and body. */
export function toFailure(given: unknown, endpoint: EndpointInterface): Error {
  if (given instanceof Error || typeof given === 'string') return toError(given);
  const { status = 500, body } = Object(given) as { status?: number; body?: Problem }; // cast: ErrorFixture declares this type; a server may also send any object as the body
  const response = new Response(JSON.stringify(body ?? {}), { status });
  return new HttpError({ method: endpoint.method ?? 'GET', url: endpoint.name }, response, body);
}

export declare namespace MockManager {
  export type { MockOptions as Options };
}
