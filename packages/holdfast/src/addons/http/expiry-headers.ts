// How long a response is fresh by its headers (`Cache-Control`, `Expires`, `Pragma`, `Vary`, `Date` and `Age`), as RFC 9111
// requires of a private cache. The functions are pure. A malformed expiry time counts as expired and throws no error.
import { readCount, readHttpDateMs } from '../../support/header-values.ts';

/** The times of one HTTP exchange by the clock of this machine. */
export interface ExchangeTimes {
  readonly requestedAt: number;
  /** When the headers arrived. */
  readonly respondedAt: number;
}

/** The expiry time of a response according to its headers. */
export interface ExpiryByHeaders {
  /** How many milliseconds the response stays fresh after its headers have arrived. */
  readonly freshForMs: number;
  /**
   * False if the response has neither `Date` nor `Age`, because a cache on the way may then have held the response for an unknown
   * time.
   */
  readonly isAgeKnown: boolean;
}

/** The headers that may contain an expiry time. */
const EXPIRY_HEADERS: readonly string[] = ['cache-control', 'expires', 'pragma'];
/** One directive: its name, and its value as a token or in quotes. */
const DIRECTIVE = /([^\s,;="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s,;]*)))?/g;

/** Reads the expiry time from the headers; undefined if they contain no expiry time. */
export function readExpiry(headers: Headers, times: ExchangeTimes): ExpiryByHeaders | undefined {
  const date = readHttpDateMs(headers.get('date'));
  const age = readCount(headers.get('age')?.split(',', 1)[0]);
  const lifeMs = expiryMsOf(headers, date ?? times.respondedAt);
  if (lifeMs === undefined) return undefined;
  const { requestedAt, respondedAt } = times;
  const apparentMs = date === undefined ? 0 : Math.max(0, respondedAt - date);
  const statedMs = (age ?? 0) * 1_000 + Math.max(0, respondedAt - requestedAt);
  const freshForMs = Math.max(0, lifeMs - Math.max(apparentMs, statedMs));
  return { freshForMs, isAgeKnown: date !== undefined || age !== undefined };
}

function expiryMsOf(headers: Headers, date: number): number | undefined {
  const control = headers.get('cache-control');
  const directives = readDirectives(control ?? '');
  const isAlwaysExpired = directives.has('no-store') || directives.has('no-cache');
  const hasPragmaNoCache = control === null && /\bno-cache\b/i.test(headers.get('pragma') ?? '');
  if (isAlwaysExpired || hasPragmaNoCache || hasVaryStar(headers)) return 0;
  const maxAge = directives.get('max-age');
  // Of several `max-age` directives, the shortest counts. A malformed directive counts as 0.
  if (maxAge) return Math.min(...maxAge.map((text) => readCount(text) ?? 0)) * 1_000;
  const expires = headers.get('expires');
  if (expires === null) return undefined;
  return Math.max(0, (readHttpDateMs(expires) ?? 0) - date);
}

/** True for `Vary: *`: the response depends on more than the request's headers, so it cannot be reused. */
export function hasVaryStar(headers: Headers): boolean {
  return (headers.get('vary') ?? '').split(',').some((name) => name.trim() === '*');
}

/** The values of each directive of `Cache-Control`, by the directive's name in lower case. */
export function readDirectives(text: string): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, string[]>();
  for (const [, name = '', quoted, token] of text.matchAll(DIRECTIVE)) {
    const key = name.toLowerCase();
    directives.set(key, [...(directives.get(key) ?? []), quoted ?? token ?? '']);
  }
  return directives;
}

/**
 * The headers after "not modified": the headers of the new response. If it has no expiry headers, the expiry headers of the stored
 * response are added.
 */
export function renewHeaders(headers: Headers, newer: Headers): Headers {
  const renewed = new Headers(newer);
  if (EXPIRY_HEADERS.some((name) => newer.has(name))) return renewed;
  for (const name of EXPIRY_HEADERS) if (headers.has(name)) renewed.set(name, headers.get(name)!); // `has` has returned true
  return renewed;
}
