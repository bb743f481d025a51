// Decides without a controller whether an endpoint could have made a key. Mocks use it, and a user's own `testKey` may.
import { ANYTHING, keyTest, WORD } from '../support/key-pattern.ts';
import type { PatternPart } from '../support/key-pattern.ts';
import { finishEndpoint } from './endpoint-base.ts';
import type { AnyEndpoint, EndpointInterface } from './endpoint-interface.ts';

/**
 * Whether the endpoint makes this key for some arguments. If the endpoint has a `testKey`, that method decides.
 *
 * @example
 * const lists = [TodoResource.getList, UserResource.getList];
 * controller.invalidateAll({ testKey: (key) => lists.some((list) => testKey(list, key)) });
 */
export function testKey(given: AnyEndpoint, key: string): boolean {
  const endpoint = finishEndpoint(given) as EndpointInterface; // cast: only endpoints have the symbol of AnyEndpoint
  const { testKey: test = () => keyTest(...patternParts(endpoint.keyPattern?.()))(key) } = endpoint;
  return test.call(endpoint, key);
}

/** Converts the string of `keyPattern()` (rest-pipeline.ts) to the arguments of `keyTest`. */
function patternParts(pattern = ''): Parameters<typeof keyTest> {
  type Pieces = readonly (readonly PatternPart[])[];
  const read = JSON.parse(pattern) as [string, boolean, string, ...Pieces]; // cast: rest-pipeline.ts writes this form
  const [start, hasBodyInKey, shape, path = [], ...pieces] = read;
  const body = hasBodyInKey ? [' ', [ANYTHING]] : [];
  // The query pieces of the path template may be anywhere in the key's query; a piece in an optional group may be absent.
  const requested = pieces.filter(([first = []]) => !Array.isArray(first));
  return [[start, ['/'], ...path, ['?', [WORD]], body, shape], requested];
}
