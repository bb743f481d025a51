// The options of HttpSemantics and their defaults.
import type { ConflictRules } from './conflict.types.ts';
import { currentAddress } from '../../support/environment.ts';

/**
 * How many milliseconds a request waits at most for an origin that has sent `Retry-After`. If the wait is longer, the request fails
 * at once with the status of the response that contained this header.
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
   * How reads use the `ETag` of a stored response. `'unread'`: when the next response has the same tag, its body is not read; only the
   * browser's own cache sends `If-None-Match`. `'send'`: the library also sends the tag as `If-None-Match`, for platforms without
   * such a cache. `false`: reads ignore tags. Default: `'unread'` in a page or a worker, else `'send'`.
   */
  readonly validators?: 'unread' | 'send' | false;
  /**
   * Which expiry time counts. `'server'`: the expiry time in the headers, if they contain one; without `Date` and `Age` it counts
   * only if it is shorter than the endpoint's expiry time. `'shorter'`: the expiry time in the headers or of the endpoint,
   * whichever is shorter. `false`: the expiry time of the endpoint. Default: `'server'`.
   */
  readonly expiry?: 'server' | 'shorter' | false;
  /** Whether `Retry-After` of a 429 or 503 response applies to all requests to that origin. Default: true. */
  readonly retryAfter?: boolean;
  /** How many milliseconds a request waits at most because of `Retry-After`. Default: `defaults.http.longestWaitMs`. */
  readonly longestWaitMs?: number;
  /**
   * Whether PUT, PATCH and DELETE of a row are sent with `If-Match` and the tag of their address, so that the server refuses them
   * when another client has changed the row. `'known'`: if a response of the address had a strong tag. `'required'`: if no such tag is
   * known, the row is also read first, to get one. A mutation that waits, or whose row is read first, fails with a `ConflictError` when
   * a field that the mutation sends has changed since the call, unless `conflicts` decides. Default: false.
   */
  readonly preconditions?: 'known' | 'required' | false;
  /**
   * What happens when another client has changed a row that a mutation concerns. If the two clients have changed different fields,
   * both changes are kept. Default: a mutation that the server refuses fails.
   */
  readonly conflicts?: ConflictRules;
}

/** How many times a refused mutation is sent again at most, apart from once after a 428. */
export const DEFAULT_CONFLICT_ROUNDS = 3;

export interface HttpRules extends Required<Omit<HttpOptions, 'conflicts'>> {
  readonly conflicts:
    | (ConflictRules & Required<Pick<ConflictRules, 'statuses' | 'rounds' | 'merge'>>)
    | undefined;
}

export function readHttpRules(options: HttpOptions): HttpRules {
  const {
    // Browsers send `If-None-Match` from their own HTTP cache; other platforms may have no cache.
    validators = currentAddress() === undefined ? 'send' : 'unread',
    expiry = 'server',
    retryAfter = true,
    longestWaitMs = DEFAULT_LONGEST_WAIT_MS,
    preconditions = false,
    // Without rules, a refused mutation is not sent again, except once after a 428. With preconditions, each mutation is also
    // compared with its row before it is sent, because its tag may belong to a change that its caller has not seen.
    conflicts: given = preconditions ? { statuses: [] } : undefined,
  } = options;
  return {
    validators,
    expiry,
    retryAfter,
    longestWaitMs,
    preconditions,
    conflicts: given && { statuses: [409, 412], rounds: DEFAULT_CONFLICT_ROUNDS, merge: [], ...given },
  };
}
