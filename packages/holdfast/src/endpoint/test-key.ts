// Recognises the keys of an endpoint by their text, of every controller: for mocks, and for a `testKey` of one's own.
import { ANYTHING, keyTest, WORD } from '../support/key-pattern.ts';
import type { PatternPart } from '../support/key-pattern.ts';
import { finishEndpoint } from './endpoint-base.ts';
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
  const endpoint = finishEndpoint(given) as unknown as RestPipeline; // cast: endpoints of other classes have a testKey of their own
  return endpoint.testKey?.(key) ?? keyTest(...patternParts(endpoint.keyPattern()))(key);
}

/** What a text of rest-pipeline.ts says of the keys. */
function patternParts(pattern: string): Parameters<typeof keyTest> {
  type Pieces = readonly (readonly PatternPart[])[];
  const read = JSON.parse(pattern) as [string, boolean, string, ...Pieces]; // cast: so it is written
  const [start, hasBody, shape, path = [], ...pieces] = read;
  const body = hasBody ? [' ', [ANYTHING]] : [];
  // what the path asks for may stand anywhere in the query part; a group there may be absent
  const requested = pieces.filter(([first = []]) => !Array.isArray(first));
  return [[start, ['/'], ...path, ['?', [WORD]], body, shape], requested];
}
