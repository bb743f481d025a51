// Plays fixtures and interceptors in place of the network. A manager like any other: requests are joined, ordered,
// timed out and cancelled as they are in an application; only their answers are made here.
import type { Manager, NetworkRequest, Send } from '../../dispatch/manager.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { runRequest } from '../../endpoint/run-request.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import { testKey } from '../../endpoint/test-key.ts';
import type { Environment } from '../../support/environment.ts';
import { createEnvironment } from '../../support/environment.ts';
import { toError } from '../../support/errors.ts';
import { HttpError } from '../../support/network-errors.ts';
import { copyPlain } from '../../support/plain.ts';
import type { Fixture, Interceptor, MockOptions } from './fixture.types.ts';

/** How many microtasks code may need between an answer and the request that follows from it. */
const TURNS = 100;

type Play<T> = Fixture | Interceptor<T>;
type Reply = (...args: readonly unknown[]) => unknown;
type MockedEndpoint = Parameters<typeof runRequest>[0];

/**
 * Answers requests from fixtures and interceptors.
 *
 * @example
 * const network = new MockManager({ fixtures: [{ endpoint: TodoResource.getList, args: [], response: [] }] });
 * const controller = new Controller({ managers: [network] });
 */
export class MockManager<T = unknown> implements Manager {
  #fixtures: readonly Play<T>[];
  /** What interceptors share, as `this`. */
  readonly data: T;
  readonly #environment: Partial<Environment>;
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: MockOptions<T> = {}, environment: Partial<Environment> = {}) {
    this.#fixtures = checkFixtures(options.fixtures ?? []);
    this.data = options.getInitialInterceptorData?.() ?? ({} as T); // cast: without the option nothing is said about it
    this.#environment = environment;
  }

  /** The number of requests that have not been answered. */
  get size(): number {
    return this.#open.size;
  }

  /** Other fixtures from now on; the data stays. */
  replace(fixtures: readonly Play<T>[]): void {
    this.#fixtures = checkFixtures(fixtures);
  }

  /** Waits until no request is under way, those that answers set off included. */
  async allSettled(): Promise<void> {
    while (this.#open.size > 0) {
      await Promise.allSettled(this.#open);
      // code that waited for the answer may send more requests, some microtasks later. No timer: a test may fake those
      for (let turn = 0; turn < TURNS && this.#open.size === 0; turn += 1) await Promise.resolve();
    }
  }

  request(request: NetworkRequest, next: Send): Promise<RequestOutcome> {
    const fixture = this.#find(request);
    const reply = fixture === undefined ? next(request) : this.#play(fixture, request);
    const known = reply.finally(() => this.#open.delete(known));
    this.#open.add(known);
    known.catch(() => undefined);
    return reply;
  }

  #find({ endpoint, args, key }: NetworkRequest): Play<T> | undefined {
    const isExact = (one: Play<T>): boolean =>
      'args' in one &&
      isSameEndpoint(one.endpoint, endpoint, key) &&
      keyOf(one.endpoint, one.args) === keyOf(endpoint, args);
    const isGeneral = (one: Play<T>): boolean =>
      !('args' in one) && isSameEndpoint(one.endpoint, endpoint, key);
    return this.#fixtures.find(isExact) ?? this.#fixtures.find(isGeneral);
  }

  #full(): Environment {
    return createEnvironment(this.#environment);
  }

  #play(fixture: Play<T>, { endpoint, args, signal }: NetworkRequest): Promise<RequestOutcome> {
    const environment = this.#full();
    const runnable = endpoint as unknown as MockedEndpoint; // cast: every endpoint can be run
    if ('fetchResponse' in fixture) {
      const fetch = async (url: string, init: RequestInit = {}): Promise<Response> =>
        toResponse(
          await this.#reply(fixture, environment, args, () =>
            fixture.fetchResponse.call(this.data, url, init),
          ),
        );
      return runRequest(runnable, args, { signal, environment: { ...environment, fetch } });
    }
    const reply = (): unknown => {
      if (typeof fixture.response === 'function' && !('args' in fixture)) {
        return Reflect.apply(fixture.response as Reply, this.data, args); // cast: users say what they take
      }
      if ('error' in fixture && fixture.error) throw toFailure(fixture.response, endpoint);
      return copyPlain(fixture.response);
    };
    return runRequest(runnable, args, { signal, environment }, () =>
      this.#reply(fixture, environment, args, reply),
    );
  }

  async #reply(
    { delay = 0, delayCollapse = false }: Play<T>,
    { timers }: Environment,
    args: readonly unknown[],
    make: () => unknown,
  ): Promise<unknown> {
    const delayMs =
      typeof delay === 'function'
        ? Reflect.apply(delay as (...given: readonly unknown[]) => number, undefined, args)
        : delay; // cast: as above
    const wait = async (): Promise<void> =>
      new Promise((resolve) => {
        timers.set(resolve, delayMs);
      });
    if (delayMs > 0 && delayCollapse) await wait();
    // a failure has its delay too
    const made = Promise.resolve().then(make);
    made.catch(() => undefined);
    if (delayMs > 0 && !delayCollapse) {
      await made.catch(() => undefined);
      await wait();
    }
    return made;
  }
}

/** A fixture whose arguments make no request says so where it is written, not when something else is asked for. */
function checkFixtures<T>(fixtures: readonly Play<T>[]): readonly Play<T>[] {
  for (const one of fixtures) if ('args' in one) keyOf(one.endpoint, one.args);
  return fixtures;
}

/** By key, so that an endpoint that was extended with a signal or a header is still the one that was meant. */
function isSameEndpoint(meant: EndpointInterface, requested: EndpointInterface, key: string): boolean {
  if (meant === requested) return true;
  return (meant.method ?? 'GET') === (requested.method ?? 'GET') && testKey(meant, key);
}

function keyOf(endpoint: EndpointInterface, args: readonly unknown[]): string {
  return Reflect.apply(endpoint.key as (...given: readonly unknown[]) => string, endpoint, args); // cast: the fixtures' types check them
}

function toResponse(value: unknown): Response {
  if (value instanceof Response) return value;
  return new Response(value === undefined ? null : JSON.stringify(value), {
    status: value === undefined ? 204 : 200,
    headers: { 'content-type': 'application/json' },
  });
}

/** An error as it is, a text as an error with it, or a status and body as the HttpError they make. */
export function toFailure(given: unknown, endpoint: EndpointInterface): Error {
  if (given instanceof Error || typeof given === 'string') return toError(given);
  const { status = 500, body } = Object(given) as { status?: number; body?: object }; // cast: the type of an ErrorFixture
  const response = new Response(JSON.stringify(body ?? {}), { status });
  return new HttpError({ method: endpoint.method ?? 'GET', url: endpoint.name }, response, body as never); // cast: any object may be a problem
}

export declare namespace MockManager {
  export type { MockOptions as Options };
}
