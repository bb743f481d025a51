// Decides for every reader of an endpoint what to show, whether to fetch, and when to decide again. The decision depends only
// on the facts of the slot, the situation of the reader and the time. Deciding changes nothing.
import type { EndpointExtraOptions, EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { LONGEST_TIMER_MS } from '../../support/environment.ts';
import { isHttpError } from '../../support/network-errors.ts';
import type { Core, ExpiryTimes } from '../state/core.ts';
import type { SlotFacts } from './read-slot.ts';

const STATUS_INVALID = 1;
const INVALID_IF_STALE = 2;
export const VALID = 3;

/**
 * The status that tells whether stored data may be shown. `getResponse`, observers and snapshots return the status with the data.
 *
 * @example
 * const { expiryStatus } = new Controller().getResponse(TodoResource.getList);
 * if (expiryStatus === ExpiryStatus.Invalid) console.log('to be loaded');
 */
export const ExpiryStatus = {
  /** The data must not be shown: it was invalidated, or it cannot be built, for example because a row that it needs was deleted. */
  Invalid: STATUS_INVALID,
  /** The data may be shown only while it is fresh. Usually, this is also the status when no data is stored. */
  InvalidIfStale: INVALID_IF_STALE,
  /** The data may be shown. When it is stale, it is fetched again in the background. */
  Valid: VALID,
} as const;
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus];

/**
 * The pause of one observer after other code has aborted its requests. The observer keeps it, because a slot does not store aborts.
 */
export interface AbortPause {
  readonly error: Error;
  readonly until: number;
}

/** The options of the endpoint and the situation of the reader. */
export interface ReaderSituation {
  readonly core: Pick<Core, keyof ExpiryTimes | 'hasOptimisticUpdate' | 'isAway'>;
  readonly endpoint: EndpointInterface;
  /** Whether the reader is mounted. For a mounted reader, an expired error stays on screen while the request is repeated. */
  readonly isMounted?: boolean;
  readonly pause?: AbortPause | null;
  /** Whether expired data may wait for its request while the page is hidden or the network is offline. */
  readonly mayDefer?: boolean | undefined;
  /** Whether a read that shows an error other than an HttpError is repeated now. */
  readonly retriesFailed?: boolean | undefined;
}

export interface Decision {
  /** `wait`: nothing may be shown. `error`: the error is shown; there may be data too. */
  readonly show: 'data' | 'error' | 'wait';
  /**
   * The error that readers get, unless `show` is `wait`. While there is data that was not invalidated, an error that `errorPolicy`
   * calls soft is left out.
   */
  readonly error: Error | undefined;
  readonly expiryStatus: ExpiryStatus;
  /** Whether the data is stale. Also true when there is no data, for example because a failed read has removed the row. */
  readonly isStale: boolean;
  /**
   * `afterWrite`: wait until a mutation ends, because its optimistic update hides the data. `redate`: the error expires later than
   * an error that is stored now, for example because the clock was set back; give it the expiry time of an error that is stored
   * now.
   */
  readonly fetch: 'yes' | 'no' | 'afterWrite' | 'redate';
  /** When the reader decides again, by the wall clock; 0 for never. */
  readonly wakeAt: number;
}

/**
 * A response with a shorter expiry time is requested again because of its age only when it is this old. Otherwise, with an expiry
 * time of 0, requests would never end.
 */
const SHORTEST_SHOW_MS = 1_000;
/**
 * If a request that an alarm would have caused is deferred, the reader decides again after this time: the page may be visible by
 * then, or the network online.
 */
const AWAY_CHECK_MS = 10_000;

export function decide(facts: SlotFacts, situation: ReaderSituation, now: number): Decision {
  const {
    hasData,
    isOwnResponse: isOwn,
    isInvalidated,
    expiresAt,
    nextRequestAt: dueAt,
    storedAt,
    errorExpiresAt,
  } = facts;
  const { core, endpoint, isMounted, pause } = situation;
  const expiryMs = facts.expiryMs ?? dataExpiryMs(core, endpoint);

  // The call has a response, but its data is missing, for example because a row was deleted. False if there is an error, because
  // the error is then shown.
  const isGone = isOwn && !hasData && !facts.error;
  const isInvalid = isInvalidated || isGone;
  const isValid = hasData && !isInvalid && !endpoint.invalidIfStale;

  // `now < storedAt` means that the clock was set back since: the age of the data is unknown, so it counts as expired.
  const isPast = isInvalid || now < storedAt;
  const isDue = isPast || now > dueAt + Math.max(0, SHORTEST_SHOW_MS - expiryMs);
  const isUnusable = isDue && !isValid;

  const mayBeSoft = hasData && !isInvalidated;
  const isHard = !!facts.error && !(mayBeSoft && endpoint.errorPolicy?.(facts.error) === 'soft');
  const error = isHard ? facts.error : isUnusable ? pause?.error : undefined;
  const pausedUntil = pause?.until ?? 0;

  // An optimistic update hides the data, for example of a row that is being deleted. A request now would return the row, and the
  // update would hide it again. If the data is more than one row, it is not known which update hides the data, so any pending
  // update counts.
  const isHidden = (facts.isRowHidden || (isGone && dueAt > now)) && core.hasOptimisticUpdate();
  // An error on screen is retried even when another request has stored fresh data meanwhile.
  const mustFetch = Math.max(errorExpiresAt, pausedUntil) <= now && (isHard || isDue);
  // If no data may be shown, new readers wait for the request; mounted readers keep an expired error on screen meanwhile.
  const isBlocked = isHidden || (isUnusable && mustFetch && !(isMounted && error));
  const failureEndsAt = pausedUntil || errorExpiresAt;
  // Data that a request in flight will replace needs no alarm. An expiry time below a second means that each new reader fetches,
  // not that mounted readers fetch all the time.
  const wakesAtExpiry = !(facts.isFetching && isValid) && expiryMs >= SHORTEST_SHOW_MS;
  const endsAt = failureEndsAt || (wakesAtExpiry ? dueAt : 0);
  const isEnding = endsAt > 0 && endsAt < now + AWAY_CHECK_MS;
  // `isAway` is the slowest test, so it comes last.
  const isDeferred = situation.mayDefer && isValid && dueAt > 0 && (mustFetch || isEnding) && core.isAway();

  let fetch: Decision['fetch'] = mustFetch && !isDeferred ? 'yes' : 'no';
  if (failureEndsAt - now > errorExpiryMs(core, endpoint, Infinity)) fetch = 'redate';
  if (situation.retriesFailed && !isBlocked && error && !isHttpError(error)) fetch = 'yes';
  if (isHidden) fetch = 'afterWrite';

  let wakeAt = endsAt + 1;
  if (isEnding && isDeferred) wakeAt = now + AWAY_CHECK_MS;
  // No alarm is set for a time in the past, or for a time that is too far away for a timer.
  else if (endsAt < now || endsAt - now > LONGEST_TIMER_MS) wakeAt = 0;

  return {
    show: isBlocked ? 'wait' : error ? 'error' : 'data',
    error,
    expiryStatus: isValid ? VALID : isInvalid ? STATUS_INVALID : INVALID_IF_STALE,
    isStale: !hasData || isPast || now > expiresAt,
    fetch,
    wakeAt,
  };
}

// ── expiry times ─────────────────────────────────────────────────────────────────────────────────

/**
 * Milliseconds for which a response is fresh when neither its headers, nor the endpoint, nor the controller gives an expiry time.
 */
export const DEFAULT_DATA_EXPIRY_MS = 60_000;
/**
 * The shortest time before readers repeat a failed read by themselves, when neither the endpoint nor the controller sets
 * `errorExpiryLength`.
 */
export const DEFAULT_ERROR_EXPIRY_MS = 1_000;

/**
 * After this many failures in a row, a pause follows each failure: BACKOFF_MS, doubled with each further failure up to
 * LONGEST_BACKOFF_MS.
 */
const FREE_FAILURES = 2;
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** The expiry times that an endpoint may set itself. */
export type EndpointExpiryTimes = Pick<EndpointExtraOptions, keyof ExpiryTimes>;

export function dataExpiryMs(defaults: ExpiryTimes, endpoint: EndpointExpiryTimes): number {
  return endpoint.dataExpiryLength ?? defaults.dataExpiryLength;
}

/**
 * Milliseconds until a request that has failed `failures` times in a row may be repeated: the expiry time of the error, or the
 * pause after several failures if that is longer.
 */
export function errorExpiryMs(
  defaults: ExpiryTimes,
  endpoint: EndpointExpiryTimes,
  failures: number,
): number {
  const wanted = endpoint.errorExpiryLength ?? defaults.errorExpiryLength;
  if (failures <= FREE_FAILURES) return wanted;
  return Math.max(wanted, Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - FREE_FAILURES - 1)));
}

/** The time of day from which a request that fails now may be repeated. */
export function errorExpiryTime(core: Core, endpoint: EndpointExpiryTimes, failures: number): number {
  return core.environment.clock.now() + errorExpiryMs(core, endpoint, failures);
}
