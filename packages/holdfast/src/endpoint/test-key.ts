// Recognises the keys of an endpoint by their text, whoever made them: for mocks, and for a `testKey` of one's own. The
// controller does without it: its answers remember their endpoint.
import { settle } from './endpoint-base.ts';
import type { AnyEndpoint } from './endpoint-interface.ts';
import type { PathTemplate, PathToken } from './path-template.ts';
import { takesBody, templateOf } from './rest-pipeline.ts';
import type { RestPipeline } from './rest-pipeline.ts';
import { resultShape } from './url-text.ts';

/**
 * Whether a key is one that the endpoint makes, whatever the arguments. An endpoint's own `testKey` decides.
 *
 * @example
 * const lists = [TodoResource.getList, UserResource.getList];
 * controller.invalidateAll({ testKey: (key) => lists.some((list) => testKey(list, key)) });
 */
export function testKey(given: AnyEndpoint, key: string): boolean {
  const endpoint = settle(given) as unknown as RestPipeline; // cast: endpoints of other classes have a testKey of their own
  if (endpoint.testKey) return endpoint.testKey(key);
  const template = templateOf(endpoint);
  const shape = resultShape(endpoint);
  const isSlashed = template.source.startsWith('/');
  const start = `${endpoint.method} ${isSlashed ? endpoint.urlPrefix.replace(/\/$/, '') : endpoint.urlPrefix}`;
  if (!key.startsWith(start) || !key.endsWith(shape)) return false;
  const [url = '', ...body] = key.slice(start.length, key.length - shape.length).split(' ');
  const mayHaveBody = !endpoint.sideEffect && takesBody(endpoint);
  return (body.length === 0 || mayHaveBody) && createPathMatcher(template)(url);
}

/** A function that recognises the URLs of a template, its query part and further parameters included. */
export function createPathMatcher(template: PathTemplate): (url: string) => boolean {
  const [path, ...pieces] = template.pieces.map((tokens) => new RegExp(`^${patternOf(tokens)}$`));
  // an optional piece matches the empty text
  const required = pieces.filter((piece) => !piece.test(''));
  return (url) => {
    const [start = '', ...rest] = url.split('?');
    const found = rest.join('?').split('&');
    return path?.test(start) === true && required.every((piece) => found.some((text) => piece.test(text)));
  };
}

function patternOf(tokens: readonly PathToken[]): string {
  return tokens
    .map((token) =>
      typeof token === 'string'
        ? token.replace(/[^\w/]/g, '\\$&')
        : 'name' in token
          ? token.isWildcard
            ? '.+'
            : '[^/]+'
          : `(?:${patternOf(token)})?`,
    )
    .join('');
}
