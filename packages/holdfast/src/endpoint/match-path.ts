// Says whether a URL was made from a path template: `testKey` asks it.
import type { PathTemplate, PathToken } from './path-template.ts';

/** A function that recognises the URLs of a template, its query part and further parameters included. */
export function createPathMatcher(template: PathTemplate): (url: string) => boolean {
  const matcher = (tokens: readonly PathToken[]): RegExp => new RegExp(`^${patternOf(tokens)}$`);
  const path = matcher(template.tokens);
  const pieces = template.query.filter((piece) => !piece.isOptional).map((piece) => matcher(piece.tokens));
  return (url) => {
    const [start = '', ...rest] = url.split('?');
    const found = rest.join('?').split('&');
    return path.test(start) && pieces.every((piece) => found.some((text) => piece.test(text)));
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
          : `(?:${patternOf(token.tokens)})?`,
    )
    .join('');
}
