// What a developer may say of the manager of HTTP's rules, and what it does where nothing is said.
import { currentAddress } from '../../support/environment.ts';

/**
 * Milliseconds that a request waits for an origin that has asked to be left alone; where it has asked for more, the request fails
 * at once as the server has answered.
 */
export const DEFAULT_LONGEST_WAIT_MS = 10_000;

/**
 * Options of {@link HttpSemantics}.
 *
 * @example
 * const options: HttpSemantics.Options = { expiry: 'shorter', validators: false };
 * new Controller({ managers: [new HttpSemantics(options), ...getDefaultManagers()] });
 */
export interface HttpOptions {
  /**
   * What the `ETag` of an answer is used for. `'unread'`: the next answer with the same tag is not read, which leaves asking to the
   * browser's own cache. `'send'`: it is also sent as `If-None-Match`, for platforms without such a cache. Default: `'unread'` where
   * there is a page or a worker, else `'send'`.
   */
  readonly validators?: 'unread' | 'send' | false;
  /**
   * Whose lifetime counts. `'server'`: that of the headers, where they say one; `'shorter'`: that or the endpoint's, whichever is
   * shorter; `false`: the endpoint's. Default: `'server'`.
   */
  readonly expiry?: 'server' | 'shorter' | false;
  /** Whether `Retry-After` of an answer 429 or 503 holds for all requests to that origin. Default: true. */
  readonly retryAfter?: boolean;
  /** How long a request waits for that, in milliseconds. Default: `defaults.http.longestWaitMs`. */
  readonly longestWaitMs?: number;
}

export type HttpRules = Required<HttpOptions>;

export function readRules(options: HttpOptions): HttpRules {
  const {
    // no browser is without a cache of its own, and no other platform can be relied on to have one
    validators = currentAddress() === undefined ? 'send' : 'unread',
    expiry = 'server',
    retryAfter = true,
    longestWaitMs = DEFAULT_LONGEST_WAIT_MS,
  } = options;
  return { validators, expiry, retryAfter, longestWaitMs };
}
