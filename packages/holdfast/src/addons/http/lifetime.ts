// How long a server calls an answer fresh: `Cache-Control`, `Expires`, `Date` and `Age`, read as RFC 9111 asks a browser's own
// cache to read them. Pure. A malformed value never throws: where it stands for freshness the answer counts as old already.
import { readCount, readHttpDateMs } from '../../support/header-values.ts';

/** One exchange by the clock of this machine. */
export interface ExchangeTimes {
  readonly requestedAt: number;
  /** When the headers were there. */
  readonly respondedAt: number;
}

/** What a server says of an answer's freshness. */
export interface ServerLifetime {
  /** Milliseconds that are left when the headers arrive. */
  readonly leftMs: number;
  /** Whether a header tells how old the answer was; else it may have waited in a cache on the way. */
  readonly isAgeKnown: boolean;
}

/** The headers that say a lifetime. */
const STATING: readonly string[] = ['cache-control', 'expires', 'pragma'];
/** A name, and its value as a token or between quotes. */
const DIRECTIVE = /([^\s,;="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s,;]*)))?/g;

/** What the headers say; undefined where they say nothing of freshness. */
export function readLifetime(headers: Headers, times: ExchangeTimes): ServerLifetime | undefined {
  const date = readHttpDateMs(headers.get('date'));
  const age = readCount(headers.get('age')?.split(',', 1)[0]);
  const lifeMs = freshForMs(headers, date ?? times.respondedAt);
  if (lifeMs === undefined) return undefined;
  const { requestedAt, respondedAt } = times;
  const apparentMs = date === undefined ? 0 : Math.max(0, respondedAt - date);
  const statedMs = (age ?? 0) * 1_000 + Math.max(0, respondedAt - requestedAt);
  const leftMs = Math.max(0, lifeMs - Math.max(apparentMs, statedMs));
  return { leftMs, isAgeKnown: date !== undefined || age !== undefined };
}

function freshForMs(headers: Headers, date: number): number | undefined {
  const control = headers.get('cache-control');
  const directives = readDirectives(control ?? '');
  const isForNobody = directives.has('no-store') || directives.has('no-cache');
  const isOldForm = control === null && /\bno-cache\b/i.test(headers.get('pragma') ?? '');
  // it depends on more than the request
  if (isForNobody || isOldForm || variesAlways(headers)) return 0;
  const maxAge = directives.get('max-age');
  // said several times: the shortest counts; said badly: the answer is old
  if (maxAge) return Math.min(...maxAge.map((text) => readCount(text) ?? 0)) * 1_000;
  const expires = headers.get('expires');
  if (expires === null) return undefined;
  return Math.max(0, (readHttpDateMs(expires) ?? 0) - date);
}

/** Whether the answer depends on more than the request: nobody can tell what else. */
export function variesAlways(headers: Headers): boolean {
  return (headers.get('vary') ?? '').split(',').some((name) => name.trim() === '*');
}

/** The directives of `Cache-Control` with the values of each, in lower case. */
export function readDirectives(text: string): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, string[]>();
  for (const [, name = '', quoted, token] of text.matchAll(DIRECTIVE)) {
    const key = name.toLowerCase();
    directives.set(key, [...(directives.get(key) ?? []), quoted ?? token ?? '']);
  }
  return directives;
}

/** The headers of an answer that was not modified: what says its lifetime is that of the answer itself, unless it is said anew. */
export function renewHeaders(headers: Headers, newer: Headers): Headers {
  const renewed = new Headers(newer);
  if (STATING.some((name) => newer.has(name))) return renewed;
  for (const name of STATING) if (headers.has(name)) renewed.set(name, headers.get(name)!); // asked before
  return renewed;
}
