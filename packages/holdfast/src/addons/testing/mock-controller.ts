// A controller for tests and stories: a real controller whose network is mocked by fixtures. Data can be stored in it from the
// start.
import { markForRequest } from '../../bindings/request-controller.ts';
import { Controller } from '../../controller/controller.ts';
import type { ControllerOptions } from '../../controller/controller-options.ts';
import type { Manager } from '../../dispatch/manager.ts';
import { PollingManager } from '../../dispatch/polling-manager.ts';
import type { Fixture, MockOptions } from './fixture.types.ts';
import { MockManager, toFailure } from './mock-manager.ts';

/**
 * Options of {@link createMockController}: fixtures, and the options of a `Controller`.
 *
 * @example
 * const options: createMockController.Options = { fixtures: [], dataExpiryLength: 1_000 };
 * const { controller } = createMockController(options);
 */
export interface MockControllerOptions<T = unknown> extends ControllerOptions, MockOptions<T> {
  /** Responses and failures that are stored before the first render. */
  readonly initialFixtures?: readonly Fixture[];
}

/**
 * A controller and its mocked network.
 *
 * @example
 * const { controller, network }: createMockController.Result = createMockController();
 * await network.allSettled();
 */
export interface MockController<T = unknown> {
  readonly controller: Controller;
  readonly network: MockManager<T>;
}

/** Accepts the subscriptions of endpoints without `pollFrequency` but sends no messages, because no stream is mocked. */
const NO_MESSAGES: Manager = {
  subscribe: ({ endpoint }) => (endpoint.pollFrequency === undefined ? () => undefined : undefined),
};

/**
 * Creates a controller whose requests get their responses from fixtures and interceptors. The option `unmatched` decides about a
 * call that matches none of them. By default, the call fails with `FIXTURE_MISSING` if `fixtures` are given; else the real network
 * is used.
 *
 * @example
 * const { controller, network } = createMockController({
 *   fixtures: [
 *     { endpoint: TodoResource.get, args: [{ id: '1' }], response: { id: '1', title: 'milk' }, delay: 100 },
 *     { endpoint: TodoResource.get, args: [{ id: '2' }], response: { status: 404 }, error: true },
 *   ],
 * });
 * const todo = await controller.fetch(TodoResource.get, { id: '1' });
 * await network.allSettled();
 */
export function createMockController<T = unknown>(options: MockControllerOptions<T> = {}): MockController<T> {
  const { fixtures, unmatched, getInitialInterceptorData, initialFixtures = [], ...rest } = options;
  const { managers = [] } = rest;
  const mock: MockOptions<T> = {
    ...(fixtures && { fixtures }),
    ...(unmatched && { unmatched }),
    ...(getInitialInterceptorData && { getInitialInterceptorData }),
  };
  const network = new MockManager<T>(mock, rest);
  const isServed = managers.some(({ subscribe }) => subscribe);
  const serving = isServed ? [NO_MESSAGES] : [new PollingManager(), NO_MESSAGES];
  const controller = new Controller({ ...rest, managers: [...managers, network, ...serving] });
  // A test may render on a server, where the provider accepts only controllers that are marked for one request.
  markForRequest(controller);
  applyFixtures(controller, initialFixtures);
  return { controller, network };
}

/**
 * Stores responses and failures as if they had just arrived.
 *
 * @example
 * applyFixtures(controller, [{ endpoint: TodoResource.getList, args: [], response: [{ id: '1', title: 'milk' }] }]);
 */
export function applyFixtures(controller: Controller, fixtures: readonly Fixture[]): void {
  for (const { endpoint, args, response, error } of fixtures) {
    const given: readonly unknown[] = args;
    if (error) void controller.setError(endpoint, ...given, toFailure(response, endpoint));
    else void controller.setResponse(endpoint, ...given, response);
  }
}

export declare namespace createMockController {
  export type { MockController as Result, MockControllerOptions as Options };
}
