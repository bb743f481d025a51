// The network of a controller that renders on a server: only origins from a list, at every step of a redirect. Around
// whatever `fetch` there is; made by render.ts.
import type { FetchLike } from '../../support/environment.ts';
import { HoldfastError } from '../../support/errors.ts';
import { originOf } from '../../support/origin.ts';

export interface ServerFetchOptions {
  /** The origins that may be asked, such as `https://api.example.com`. */
  readonly origins: readonly string[];
  /** What relative addresses are relative to; its origin may be asked. */
  readonly baseUrl?: string | undefined;
  /** Sent to the origin of `baseUrl` and to no other: the visitor's cookie. What an endpoint sets itself wins. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 20;
/** What another origin may hear of the request besides its address. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'content-language', 'content-type']);

/** A fetch that keeps to the list, and rejects with ORIGIN_NOT_ALLOWED. */
export function createServerFetch(
  fetch: FetchLike,
  { origins, baseUrl, headers }: ServerFetchOptions,
): FetchLike {
  const allowed = new Set(origins.map((origin) => originOf(origin)));
  const home = baseUrl === undefined ? undefined : originOf(baseUrl, { mayHavePath: true });
  if (home !== undefined) allowed.add(home);
  const check = (address: string, base?: string): URL => {
    const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
    if (url && allowed.has(url.origin)) return url;
    throw new HoldfastError('ORIGIN_NOT_ALLOWED', { origin: url?.origin ?? 'a relative address' });
  };
  return async (input, init = {}) => {
    let url = check(input, baseUrl);
    const { redirect = 'follow' } = init;
    let sent: RequestInit = redirect === 'follow' ? { ...init, redirect: 'manual' } : init;
    for (let steps = 0; steps <= MOST_REDIRECTS; steps += 1) {
      const isHome = headers !== undefined && url.origin === home;
      const response = await fetch(url.href, isHome ? withServerHeaders(sent, headers) : sent);
      // for a fetch that followed redirects all the same
      if (response.url) check(response.url);
      const location = response.headers.get('location');
      if (redirect !== 'follow' || location === null || !REDIRECTS.has(response.status)) return response;
      await response.body?.cancel();
      const next = check(location, url.href);
      sent = afterRedirect(sent, response.status, next.origin === url.origin);
      url = next;
    }
    throw new TypeError('too many redirects');
  };
}

function withServerHeaders(init: RequestInit, given: Readonly<Record<string, string>>): RequestInit {
  const headers = new Headers(given);
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  return { ...init, headers };
}

/** The request for the next address, as browsers make it; another origin hears neither credentials nor own headers. */
function afterRedirect(init: RequestInit, status: number, isSameOrigin: boolean): RequestInit {
  const method = init.method ?? 'GET';
  const { body: _left, ...rest } = init;
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
  const next: RequestInit = becomesGet ? { ...rest, method: 'GET' } : init;
  if (isSameOrigin) return next;
  const headers = [...new Headers(init.headers)].filter(([name]) => HARMLESS_HEADERS.has(name));
  return { ...next, headers, credentials: 'omit' };
}
