// The one decision behind every reader of an endpoint, as a table: the slot, the reader, and the decision. Times are
// milliseconds around NOW; a response expires after a minute and a failure after a second.
import type { EndpointInterface } from 'holdfast';
import { Endpoint, HttpError } from 'holdfast';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, ExpiryStatus } from '../../src/controller/slot/decide.ts';
import type { Decision, ReaderSituation } from '../../src/controller/slot/decide.ts';
import type { SlotFacts } from '../../src/controller/slot/read-slot.ts';

const NOW = 10_000_000;
const LIFE = 60_000;
const SECOND = 1_000;
const LONG_AGO = NOW - 10 * LIFE;
const { Valid, InvalidIfStale, Invalid } = ExpiryStatus;

const lost = new Error('connection lost');
const refused = new HttpError({ method: 'GET', url: '/' }, new Response(null, { status: 500 }));

/** Another request is due when the data expires, unless a test sets `dueAt`. */
const expiresAt = (moment: number): Pick<SlotFacts, 'expiresAt' | 'nextRequestAt'> => ({
  expiresAt: moment,
  nextRequestAt: moment,
});

/** Nothing was ever requested. */
const ABSENT: SlotFacts = {
  data: undefined,
  hasData: false,
  isOwnResponse: false,
  isInvalidated: false,
  isRowHidden: false,
  expiresAt: 0,
  nextRequestAt: 0,
  storedAt: 0,
  expiryMs: undefined,
  error: undefined,
  errorExpiresAt: 0,
  isFetching: false,
};
/** A response that has half of its expiry time left. */
const FRESH: SlotFacts = {
  ...ABSENT,
  data: 'data',
  hasData: true,
  isOwnResponse: true,
  ...expiresAt(NOW + LIFE / 2),
};
const STALE: SlotFacts = { ...FRESH, ...expiresAt(NOW - 1) };
/** The row of the response is deleted. */
const GONE: SlotFacts = { ...FRESH, data: undefined, hasData: false };
const INVALIDATED: SlotFacts = { ...FRESH, isInvalidated: true, ...expiresAt(0) };
/** Failed without data to show; the failure has not expired. */
const FAILED: SlotFacts = { ...ABSENT, error: lost, errorExpiresAt: NOW + SECOND };
const FAILED_LONG_AGO: SlotFacts = { ...FAILED, errorExpiresAt: LONG_AGO };
const ABORTED = { error: new Error('aborted'), until: NOW + 2 * SECOND };

interface Around {
  readonly dataExpiryLength?: number;
  readonly invalidIfStale?: boolean;
  readonly isSoft?: boolean;
  readonly hasOptimisticUpdate?: boolean;
  readonly isAway?: boolean;
  readonly policy?: Partial<ReaderSituation>;
}

type Row = readonly [fact: string, seen: SlotFacts, around: Around, expected: Partial<Decision>];

const mounted = { policy: { isMounted: true, mayDefer: true } };
const away = { isAway: true, ...mounted };

const table: readonly Row[] = [
  // ── what to show ─────────────────────────────────────────────────────────────────────────────
  [
    'a reader without data waits and fetches',
    ABSENT,
    {},
    { show: 'wait', fetch: 'yes', expiryStatus: InvalidIfStale, isStale: true },
  ],
  ['fresh data is shown', FRESH, {}, { show: 'data', fetch: 'no', expiryStatus: Valid, isStale: false }],
  [
    'stale data is shown and fetched',
    STALE,
    {},
    { show: 'data', fetch: 'yes', expiryStatus: Valid, isStale: true },
  ],
  [
    'stale data is not shown where the endpoint forbids it: the reader waits',
    STALE,
    { invalidIfStale: true },
    { show: 'wait', fetch: 'yes', expiryStatus: InvalidIfStale },
  ],
  [
    'fresh data is shown where the endpoint forbids stale data',
    FRESH,
    { invalidIfStale: true },
    { show: 'data', fetch: 'no', expiryStatus: InvalidIfStale },
  ],
  [
    'undefined is shown where it is the response',
    { ...FRESH, data: undefined },
    {},
    { show: 'data', fetch: 'no', expiryStatus: Valid },
  ],
  [
    'a reader of invalidated data waits',
    INVALIDATED,
    {},
    { show: 'wait', fetch: 'yes', expiryStatus: Invalid, isStale: true },
  ],
  [
    'a mounted reader of invalidated data waits',
    INVALIDATED,
    mounted,
    { show: 'wait', fetch: 'yes', expiryStatus: Invalid },
  ],
  [
    'a reader of a response whose row was deleted waits',
    GONE,
    {},
    { show: 'wait', fetch: 'yes', expiryStatus: Invalid, isStale: true },
  ],
  [
    'data from other responses is shown',
    { ...FRESH, isOwnResponse: false },
    {},
    { show: 'data', fetch: 'no', expiryStatus: Valid },
  ],
  [
    'stale data from other responses is shown and fetched',
    { ...FRESH, isOwnResponse: false, ...expiresAt(0) },
    {},
    { show: 'data', fetch: 'yes', isStale: true },
  ],

  // ── failures ─────────────────────────────────────────────────────────────────────────────────
  [
    'a failure is shown until it expires',
    FAILED,
    {},
    { show: 'error', error: lost, fetch: 'no', expiryStatus: InvalidIfStale, wakeAt: NOW + SECOND + 1 },
  ],
  ['a new reader of an expired failure waits', FAILED_LONG_AGO, {}, { show: 'wait', fetch: 'yes' }],
  [
    'a failure on screen stays while the read is sent again',
    FAILED_LONG_AGO,
    mounted,
    { show: 'error', error: lost, fetch: 'yes' },
  ],
  [
    'a hard failure is shown instead of the data',
    { ...FRESH, error: lost, errorExpiresAt: NOW + SECOND },
    {},
    { show: 'error', error: lost, fetch: 'no', expiryStatus: Valid },
  ],
  [
    'a read with a hard failure over fresh data is sent again',
    { ...FRESH, error: lost, errorExpiresAt: LONG_AGO },
    mounted,
    { show: 'error', fetch: 'yes' },
  ],
  [
    'a soft failure leaves the data',
    { ...STALE, error: lost, errorExpiresAt: NOW + SECOND },
    { isSoft: true },
    { show: 'data', error: undefined, fetch: 'no' },
  ],
  [
    'a read with a soft failure over fresh data is not sent again',
    { ...FRESH, error: lost, errorExpiresAt: LONG_AGO },
    { isSoft: true },
    { show: 'data', fetch: 'no' },
  ],
  [
    'a read with a soft failure over stale data is sent again',
    { ...STALE, error: lost, errorExpiresAt: LONG_AGO },
    { isSoft: true },
    { show: 'data', fetch: 'yes' },
  ],
  [
    'a soft failure is shown where there is no data',
    FAILED,
    { isSoft: true },
    { show: 'error', error: lost },
  ],
  [
    'a soft failure is shown over invalidated data',
    { ...INVALIDATED, error: lost, errorExpiresAt: NOW + SECOND },
    { isSoft: true },
    { show: 'error', error: lost },
  ],
  [
    'a failure is shown where the row of the response was deleted',
    { ...GONE, error: refused, errorExpiresAt: NOW + SECOND },
    {},
    { show: 'error', error: refused, expiryStatus: InvalidIfStale, fetch: 'no' },
  ],
  [
    'a failure with a pause of a minute is shown for a minute',
    { ...FAILED, errorExpiresAt: NOW + LIFE },
    mounted,
    { show: 'error', fetch: 'no', wakeAt: NOW + LIFE + 1 },
  ],
  [
    'a failure from before the clock was set back gets a new date',
    { ...FAILED, errorExpiresAt: NOW + 10 * LIFE },
    mounted,
    { show: 'error', fetch: 'redate' },
  ],
  [
    'a read that failed without a response is sent again on demand',
    FAILED,
    { policy: { isMounted: true, retriesFailed: true } },
    { show: 'error', fetch: 'yes' },
  ],
  [
    'a read that failed with a response is not sent again on demand',
    { ...FAILED, error: refused },
    { policy: { isMounted: true, retriesFailed: true } },
    { show: 'error', fetch: 'no' },
  ],
  [
    'a read that has not failed is not sent again on demand',
    FRESH,
    { policy: { isMounted: true, retriesFailed: true } },
    { show: 'data', fetch: 'no' },
  ],

  // ── aborts ───────────────────────────────────────────────────────────────────────────────────
  [
    'after aborts a reader without data shows the abort',
    ABSENT,
    { policy: { pause: ABORTED } },
    { show: 'error', error: ABORTED.error, fetch: 'no', wakeAt: ABORTED.until + 1 },
  ],
  [
    'after aborts data stays on screen',
    STALE,
    { policy: { pause: ABORTED, isMounted: true } },
    { show: 'data', error: undefined, fetch: 'no', wakeAt: ABORTED.until + 1 },
  ],
  [
    'the read is sent again when the pause after aborts is over',
    ABSENT,
    { policy: { pause: { ...ABORTED, until: NOW - 1 }, isMounted: true } },
    { show: 'error', error: ABORTED.error, fetch: 'yes' },
  ],
  [
    'a pause from before the clock was set back gets a new date',
    ABSENT,
    { policy: { pause: { ...ABORTED, until: NOW + 10 * LIFE } } },
    { fetch: 'redate' },
  ],

  // ── optimistic updates ─────────────────────────────────────────────────────────────────────────
  [
    'a reader of a row that an optimistic update hides waits for the mutation',
    GONE,
    { hasOptimisticUpdate: true },
    { show: 'wait', fetch: 'afterWrite' },
  ],
  [
    'a mounted reader of a row that an optimistic update hides waits for the mutation, too',
    GONE,
    { hasOptimisticUpdate: true, ...mounted },
    { show: 'wait', fetch: 'afterWrite' },
  ],
  [
    'an expired response whose row is hidden is fetched, with or without an optimistic update',
    { ...GONE, ...expiresAt(NOW - 1) },
    { hasOptimisticUpdate: true },
    { show: 'wait', fetch: 'yes' },
  ],
  [
    'invalidated data is fetched, with or without an optimistic update',
    INVALIDATED,
    { hasOptimisticUpdate: true },
    { show: 'wait', fetch: 'yes' },
  ],
  [
    'a reader of a row from other responses that an optimistic update hides waits for the mutation',
    { ...ABSENT, isRowHidden: true },
    { hasOptimisticUpdate: true, ...mounted },
    { show: 'wait', fetch: 'afterWrite' },
  ],
  [
    'a reader of an expired row that an optimistic update hides waits for the mutation',
    { ...GONE, ...expiresAt(NOW - 1), isRowHidden: true },
    { hasOptimisticUpdate: true },
    { show: 'wait', fetch: 'afterWrite' },
  ],
  [
    'a reader of a row that an optimistic update hides waits for the mutation after invalidation and after a failure, too',
    { ...FAILED_LONG_AGO, isInvalidated: true, isRowHidden: true },
    { hasOptimisticUpdate: true },
    { show: 'wait', fetch: 'afterWrite' },
  ],
  [
    'a row that nothing has returned is fetched, with or without an optimistic update',
    ABSENT,
    { hasOptimisticUpdate: true },
    { show: 'wait', fetch: 'yes' },
  ],

  // ── expiry times and clocks ──────────────────────────────────────────────────────────────────
  [
    'data is fresh up to its last moment',
    { ...FRESH, ...expiresAt(NOW) },
    {},
    { fetch: 'no', isStale: false, wakeAt: NOW + 1 },
  ],
  [
    'data with an expiry time of 0 is not fetched for a second',
    { ...FRESH, ...expiresAt(NOW - SECOND) },
    { dataExpiryLength: 0 },
    { show: 'data', fetch: 'no', isStale: true, wakeAt: 0 },
  ],
  [
    'data with an expiry time of 0 is fetched after a second',
    { ...FRESH, ...expiresAt(NOW - SECOND - 1) },
    { dataExpiryLength: 0 },
    { show: 'data', fetch: 'yes', wakeAt: 0 },
  ],
  [
    'data with an expiry time of 0 sets no timer',
    { ...FRESH, ...expiresAt(NOW + 1) },
    { dataExpiryLength: 0 },
    { wakeAt: 0 },
  ],
  ['data that was stored at this moment is fresh', { ...FRESH, storedAt: NOW }, {}, { isStale: false }],
  [
    'data from before the clock was set back is stale',
    { ...FRESH, storedAt: NOW + 1 },
    {},
    { show: 'data', fetch: 'yes', isStale: true },
  ],
  [
    'data from other responses, from before the clock was set back, is stale',
    { ...FRESH, isOwnResponse: false, storedAt: NOW + 1 },
    {},
    { show: 'data', fetch: 'yes', isStale: true },
  ],
  [
    'data that is still stale after its request is fetched again when it expires',
    { ...FRESH, expiresAt: 0 },
    mounted,
    { show: 'data', fetch: 'no', isStale: true, wakeAt: FRESH.nextRequestAt + 1 },
  ],

  // ── when to look again ───────────────────────────────────────────────────────────────────────
  ['a reader of fresh data checks it when it expires', FRESH, mounted, { wakeAt: FRESH.expiresAt + 1 }],
  ['a reader without data sets no timer', ABSENT, mounted, { wakeAt: 0 }],
  [
    'data that is being fetched sets no timer',
    { ...FRESH, isFetching: true },
    mounted,
    { fetch: 'no', wakeAt: 0 },
  ],
  [
    'data that must not be shown stale sets a timer, also while it is being fetched',
    { ...FRESH, isFetching: true },
    { ...mounted, invalidIfStale: true },
    { wakeAt: FRESH.expiresAt + 1 },
  ],
  [
    'stale data that is being fetched joins the request',
    { ...STALE, isFetching: true },
    mounted,
    { fetch: 'yes' },
  ],
  [
    'data that never expires sets no timer',
    { ...FRESH, isOwnResponse: false, ...expiresAt(Infinity) },
    mounted,
    { wakeAt: 0 },
  ],
  ['stale data sets no timer', STALE, mounted, { wakeAt: 0 }],
  [
    'stale data is not fetched while the page is hidden',
    STALE,
    away,
    { show: 'data', fetch: 'no', wakeAt: NOW + 10 * SECOND },
  ],
  ['a new reader fetches while the page is hidden', STALE, { isAway: true }, { fetch: 'yes' }],
  [
    'data that expires soon is not fetched while the page is hidden',
    { ...FRESH, ...expiresAt(NOW + 1) },
    away,
    { wakeAt: NOW + 10 * SECOND },
  ],
  [
    'data that was marked stale is fetched while the page is hidden',
    { ...FRESH, ...expiresAt(0) },
    away,
    { fetch: 'yes' },
  ],
  [
    'data that must not be shown stale is fetched while the page is hidden',
    STALE,
    { ...away, invalidIfStale: true },
    { fetch: 'yes' },
  ],
  [
    'a reader of fresh data checks it when it expires, also while the page is hidden',
    FRESH,
    away,
    { wakeAt: FRESH.expiresAt + 1 },
  ],
  [
    'stale data that is being fetched sets no timer while the page is hidden',
    { ...STALE, isFetching: true },
    away,
    { fetch: 'no', wakeAt: 0 },
  ],
  ['a reader without data fetches while the page is hidden', ABSENT, away, { show: 'wait', fetch: 'yes' }],
  [
    'an expired failure without data is fetched while the page is hidden',
    FAILED_LONG_AGO,
    away,
    { fetch: 'yes' },
  ],
];

test.each(table)('%s', (_fact, seen, around, expected) => {
  const { dataExpiryLength, invalidIfStale, isSoft, hasOptimisticUpdate, isAway, policy } = around;
  const endpoint = new Endpoint(() => Promise.resolve(), {
    ...(dataExpiryLength !== undefined && { dataExpiryLength }),
    ...(invalidIfStale !== undefined && { invalidIfStale }),
    ...(isSoft && { errorPolicy: () => 'soft' as const }),
  }) as unknown as EndpointInterface; // cast: seen from the controller
  const core = {
    dataExpiryLength: LIFE,
    errorExpiryLength: SECOND,
    hasOptimisticUpdate: () => hasOptimisticUpdate === true,
    isAway: () => isAway === true,
  };

  const decision = decide(seen, { core, endpoint, ...policy }, NOW);

  expect(decision).toMatchObject(expected);
});

test('valid data without a failure is shown in the same way at any time, to any reader, whatever is in flight', () => {
  const moment = fc.integer({ min: 0, max: 2 * NOW });
  fc.assert(
    fc.property(
      fc.record({
        seen: fc.record({ isOwn: fc.boolean(), expiresAt: moment, dueAt: moment, isFetching: fc.boolean() }),
        policy: fc.record({ isMounted: fc.boolean(), mayDefer: fc.boolean(), retriesFailed: fc.boolean() }),
        pause: fc.option(moment.map((until) => ({ ...ABORTED, until }))),
        hasOptimisticUpdate: fc.boolean(),
        isAway: fc.boolean(),
        now: moment,
      }),
      ({ seen, policy, pause, hasOptimisticUpdate, isAway, now }) => {
        const endpoint = new Endpoint(() => Promise.resolve()) as unknown as EndpointInterface; // cast: as above
        const core = {
          dataExpiryLength: LIFE,
          errorExpiryLength: SECOND,
          hasOptimisticUpdate: () => hasOptimisticUpdate,
          isAway: () => isAway,
        };

        const decision = decide({ ...FRESH, ...seen }, { core, endpoint, ...policy, pause }, now);

        expect(decision).toMatchObject({ show: 'data', error: undefined, expiryStatus: Valid });
      },
    ),
  );
});
