// Headers that a page may not read: an answer of another origin shows only what its `Access-Control-Expose-Headers` names, and a
// few more. A hidden header looks as if it were not there, so development says once which one is missed.
import { inDevelopment } from '#env';
import type { Engine } from '../../normalize/engine.ts';

/** Says that a header is missed in an answer that another origin has given. */
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
