// Warns in development about headers that a page cannot read: a response of another origin exposes only a few headers and those
// that its `Access-Control-Expose-Headers` lists. A hidden header looks absent, so nothing else would point to the mistake.
import { inDevelopment } from '#env';
import type { Engine } from '../../normalize/engine.ts';

/** Warns once per origin and header when a response of another origin lacks the header. */
export function warnIfHidden(
  engine: Engine,
  origin: string,
  { type, headers }: Response,
  header: string,
): void {
  inDevelopment(() => {
    if (type !== 'cors' || headers.has(header)) return;
    engine.warn('HEADER_HIDDEN', `${origin} ${header}`, { header, origin });
  });
}
