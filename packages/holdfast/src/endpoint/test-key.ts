// Recognises the keys of an endpoint by their text, of every controller: for mocks, and for a `testKey` of one's own.
import { keyTest } from '../support/key-pattern.ts';
import { settle } from './endpoint-base.ts';
import type { AnyEndpoint } from './endpoint-interface.ts';
import type { RestPipeline } from './rest-pipeline.ts';

/**
 * Whether a key is one that the endpoint makes, whatever the arguments. An endpoint's own `testKey` decides.
 *
 * @example
 * const lists = [TodoResource.getList, UserResource.getList];
 * controller.invalidateAll({ testKey: (key) => lists.some((list) => testKey(list, key)) });
 */
export function testKey(given: AnyEndpoint, key: string): boolean {
  const endpoint = settle(given) as unknown as RestPipeline; // cast: endpoints of other classes have a testKey of their own
  return endpoint.testKey?.(key) ?? keyTest(endpoint.keyPattern())(key);
}
