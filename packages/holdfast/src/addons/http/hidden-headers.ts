// Warns in development about headers that a page cannot read: in a response from another origin, it can read only a few headers and
// the headers that `Access-Control-Expose-Headers` lists. A hidden header looks absent, so without the warning the mistake is hard
// to find.
import { inDevelopment } from '#env';
import type { Engine } from '../../normalize/engine.ts';
import { warnOnce } from '../../support/errors.ts';

/** Warns once per origin and header when a response of another origin lacks the header. */
export function warnIfHidden(engine: Engine, origin: string, response: Response, header: string): void {
  // The callers test for development too, but bundlers remove only functions that are empty in production.
  inDevelopment(() => {
    if (response.type === 'cors' && !response.headers.has(header))
      warnOnce(engine, 'HEADER_HIDDEN', `${origin} ${header}`, { header, origin });
  });
}
