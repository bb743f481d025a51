// The `fetch` of a controller that renders on a server: it wraps another `fetch` and allows only listed origins, for the request
// and for each redirect.
import type { FetchLike } from '../../support/environment.ts';
import { HoldfastError } from '../../support/errors.ts';
import { originOf } from '../../support/origin.ts';

export interface ServerFetchOptions {
  /** The origins to which requests may be sent, such as `https://api.example.com`. */
  readonly origins: readonly string[];
  /** The base of relative addresses. Requests to its origin are allowed. */
  readonly baseUrl?: string | undefined;
  /** Headers only for the origin of `baseUrl`, such as the visitor's cookie. The endpoint's headers of the same names replace them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 20;
/** The headers that are still sent when a redirect leads to another origin. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'content-language', 'content-type']);
/** The headers of a request's body: they are not sent when a redirect makes the request a GET. */
const HEADERS_OF_BODY = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/** A `fetch` that rejects with ORIGIN_NOT_ALLOWED unless the origin is listed or is the origin of `baseUrl`. */
export function createServerFetch(
  fetch: FetchLike,
  { origins, baseUrl, headers }: ServerFetchOptions,
): FetchLike {
  const allowed = new Set(origins.map((origin) => originOf(origin)));
  const baseOrigin = baseUrl === undefined ? undefined : originOf(baseUrl, { mayHavePath: true });
  if (baseOrigin !== undefined) allowed.add(baseOrigin);
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
      const isHome = headers !== undefined && url.origin === baseOrigin;
      const response = await fetch(url.href, isHome ? withServerHeaders(sent, headers) : sent);
      // The wrapped `fetch` may have followed redirects despite `redirect: 'manual'`.
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

/** The request after a redirect; its method follows the rules of browsers. Another origin gets no credentials and no custom headers. */
function afterRedirect(init: RequestInit, status: number, isSameOrigin: boolean): RequestInit {
  const method = init.method ?? 'GET';
  const { body: _body, ...rest } = init;
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
  const next: RequestInit = becomesGet ? { ...rest, method: 'GET' } : init;
  const headers = [...new Headers(init.headers)].filter(
    ([name]) => (isSameOrigin || HARMLESS_HEADERS.has(name)) && !(becomesGet && HEADERS_OF_BODY.has(name)),
  );
  return { ...next, headers, ...(!isSameOrigin && { credentials: 'omit' }) };
}
