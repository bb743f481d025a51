// Warns in development about headers that a page cannot read: in a response from another origin, it can read only a few headers and
// the headers that `Access-Control-Expose-Headers` lists. A hidden header looks absent, so nothing else shows the mistake.
import { inDevelopment } from '#env';
import type { Engine } from '../../normalize/engine.ts';
import { warnOnce } from '../../support/errors.ts';

/** Warns once per origin and header when a response of another origin lacks the header. */
export function warnIfHidden(
  engine: Engine,
  origin: string,
  response: Response, // not destructured: bundlers remove calls of an empty function only if its parameters are plain names
  header: string,
): void {
  inDevelopment(() => {
    if (response.type !== 'cors' || response.headers.has(header)) return;
    warnOnce(engine, 'HEADER_HIDDEN', `${origin} ${header}`, { header, origin });
  });
}
