// The one decision of every reader of an endpoint: what to show, whether to fetch, when to look again. Pure: the facts of
// the slot, the reader's policy and the time go in. Observers, `getResponse`, `fetchIfStale` and snapshots ask it.
import type { EndpointExtraOptions, EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { LONGEST_TIMER_MS } from '../../support/environment.ts';
import { isHttpError } from '../../support/network-errors.ts';
import type { Core, ExpiryTimes } from '../state/core.ts';
import type { SlotFacts } from './read-slot.ts';

const STATUS_INVALID = 1;
const INVALID_IF_STALE = 2;
export const VALID = 3;

/**
 * How good stored data is: the word that `getResponse`, observers and snapshots give with it.
 *
 * @example
 * const { expiryStatus } = new Controller().getResponse(TodoResource.getList);
 * if (expiryStatus === ExpiryStatus.Invalid) console.log('to be loaded');
 */
export const ExpiryStatus = {
  /** Must not be shown: it was invalidated, or a required part is gone. */
  Invalid: STATUS_INVALID,
  /** May be shown while fresh only. */
  InvalidIfStale: INVALID_IF_STALE,
  /** May be shown; refetched in the background when stale. */
  Valid: VALID,
} as const;
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus];

/** The pause after aborts from outside: they are no state of the data, so only who met them knows. */
export interface Pause {
  readonly error: Error;
  readonly until: number;
}

/** Whose decision it is: what the endpoint says, who reads, and what goes on around them. */
export interface Policy {
  readonly core: Pick<Core, keyof ExpiryTimes | 'hasOptimisticUpdate' | 'isAway'>;
  readonly endpoint: EndpointInterface;
  /** Whether the data is on screen: a failure stays there while it is tried again. */
  readonly isMounted?: boolean;
  readonly pause?: Pause | null;
  /** Whether data that only grew old can wait while the page is hidden, or the network is away. */
  readonly mayDefer?: boolean | undefined;
  /** Whether failures without an answer are tried again now. */
  readonly retriesFailed?: boolean | undefined;
}

export interface Decision {
  /** `wait` where nothing may be shown; `error` where the failure is shown, beside the data. */
  readonly show: 'data' | 'error' | 'wait';
  /** The failure that readers see; a soft one stays hidden while there is data. */
  readonly error: Error | undefined;
  readonly expiryStatus: ExpiryStatus;
  readonly isStale: boolean;
  /**
   * `afterWrite`: a guess hides the data, so the end of its mutation comes first. `redate`: the failure is from before the clock
   * stepped back, and stands from now on as long as a new one would.
   */
  readonly fetch: 'yes' | 'no' | 'afterWrite' | 'redate';
  /** When to decide again, by the wall clock; 0 for never. */
  readonly wakeAt: number;
}

/** An answer is shown for at least this long: a lifetime of 0 must not fetch without end. */
const SHORTEST_SHOW_MS = 1_000;
/** How often to look whether page and network are back, where no manager tells at once. */
const AWAY_CHECK_MS = 10_000;

export function decide(facts: SlotFacts, policy: Policy, now: number): Decision {
  const { hasData, isOwn, isInvalidated, expiresAt, dueAt, storedAt, errorExpiresAt } = facts;
  const { core, endpoint, isMounted, pause } = policy;
  const expiryMs = facts.expiryMs ?? dataExpiryMs(core, endpoint);

  // an answer that has lost what it brought; where it also failed, the failure says why
  const isGone = isOwn && !hasData && !facts.error;
  const isInvalid = isInvalidated || isGone;
  const isValid = hasData && !isInvalid && !endpoint.invalidIfStale;

  // nobody knows how long ago data was stored that was stored before the clock was set back
  const isPast = (moment: number): boolean => isInvalid || now > moment || now < storedAt;
  const isDue = isPast(dueAt + Math.max(0, SHORTEST_SHOW_MS - expiryMs));
  const isUnusable = isDue && !isValid;

  const mayBeSoft = hasData && !isInvalidated;
  const isHard = !!facts.error && !(mayBeSoft && endpoint.errorPolicy?.(facts.error) === 'soft');
  const error = isHard ? facts.error : isUnusable ? pause?.error : undefined;
  const pausedUntil = pause?.until ?? 0;

  // a row that is being deleted, say: asking the server would bring it again, and it would be hidden again
  const isHidden = isGone && dueAt > now && core.hasOptimisticUpdate();
  // a failure that readers see is tried again even where others brought fresh data meanwhile
  const mustFetch = Math.max(errorExpiresAt, pausedUntil) <= now && (isHard || isDue);
  // a failure that has had its time stays on screen; a reader that comes new waits for another try
  const isBlocked = isHidden || (isUnusable && mustFetch && !(isMounted && error));
  const failureEndsAt = pausedUntil || errorExpiresAt;
  // a request under way brings newer data; a short life means "fetch when a reader comes", not "fetch all the time"
  const mayExpire = !(facts.isFetching && isValid) && expiryMs >= SHORTEST_SHOW_MS;
  const endsAt = failureEndsAt || (mayExpire ? dueAt : 0);
  const isEnding = endsAt > 0 && endsAt < now + AWAY_CHECK_MS;
  // whether the page is hidden or the network away is the slowest question, so it comes last
  const isDeferred = policy.mayDefer && isValid && dueAt > 0 && (mustFetch || isEnding) && core.isAway();

  let fetch: Decision['fetch'] = mustFetch && !isDeferred ? 'yes' : 'no';
  if (failureEndsAt - now > errorExpiryMs(core, endpoint, Infinity)) fetch = 'redate';
  if (policy.retriesFailed && !isBlocked && error && !isHttpError(error)) fetch = 'yes';
  if (isHidden) fetch = 'afterWrite';

  let wakeAt = endsAt + 1;
  if (isEnding && isDeferred) wakeAt = now + AWAY_CHECK_MS;
  // past, and nothing was to be done about it
  else if (endsAt < now || endsAt - now > LONGEST_TIMER_MS) wakeAt = 0;

  return {
    show: isBlocked ? 'wait' : error ? 'error' : 'data',
    error,
    expiryStatus: isValid ? VALID : isInvalid ? STATUS_INVALID : INVALID_IF_STALE,
    isStale: isPast(expiresAt),
    fetch,
    wakeAt,
  };
}

// ── lifetimes ────────────────────────────────────────────────────────────────────────────────────

/** Milliseconds for which an answer is fresh when neither endpoint nor controller says. */
export const DEFAULT_DATA_EXPIRY_MS = 60_000;
/** Milliseconds for which a failure stands before it is tried again. */
export const DEFAULT_ERROR_EXPIRY_MS = 1_000;

/** After how many failures in a row further tries are spaced out, and by how much at least. */
const FREE_FAILURES = 2;
const BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;

/** What an endpoint may say itself. */
export type EndpointExpiryTimes = Pick<EndpointExtraOptions, keyof ExpiryTimes>;

export function dataExpiryMs(defaults: ExpiryTimes, endpoint: EndpointExpiryTimes): number {
  return endpoint.dataExpiryLength ?? defaults.dataExpiryLength;
}

/** Failures in a row wait longer each time, whatever the endpoint says; `failures` is the position in the current run. */
export function errorExpiryMs(
  defaults: ExpiryTimes,
  endpoint: EndpointExpiryTimes,
  failures: number,
): number {
  const wanted = endpoint.errorExpiryLength ?? defaults.errorExpiryLength;
  if (failures <= FREE_FAILURES) return wanted;
  return Math.max(wanted, Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (failures - FREE_FAILURES - 1)));
}

/** When a failure stored now may be tried again. */
export function errorExpiry(core: Core, endpoint: EndpointExpiryTimes, failures: number): number {
  return core.environment.clock.now() + errorExpiryMs(core, endpoint, failures);
}
