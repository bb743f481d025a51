// The one decision behind every reader of an endpoint, as a table: what is seen, by whom, and what follows. Times are
// milliseconds around NOW; an answer lives for a minute and a failure stands for a second.
import type { EndpointInterface } from 'holdfast';
import { Endpoint, HttpError } from 'holdfast';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, ExpiryStatus } from '../../src/controller/slot/decide.ts';
import type { Decision, Policy } from '../../src/controller/slot/decide.ts';
import type { Seen } from '../../src/controller/slot/read-slot.ts';

const NOW = 10_000_000;
const LIFE = 60_000;
const SECOND = 1_000;
const LONG_AGO = NOW - 10 * LIFE;
const { Valid, InvalidIfStale, Invalid } = ExpiryStatus;

const lost = new Error('connection lost');
const refused = new HttpError({ method: 'GET', url: '/' }, new Response(null, { status: 500 }));

/** Another request is due when the data expires, unless a test says otherwise. */
const expiresAt = (moment: number): Pick<Seen, 'expiresAt' | 'dueAt'> => ({
  expiresAt: moment,
  dueAt: moment,
});

/** Nothing was ever asked for. */
const ABSENT: Seen = {
  data: undefined,
  isThere: false,
  isOwn: false,
  isInvalidated: false,
  expiresAt: 0,
  dueAt: 0,
  storedAt: 0,
  lifetimeMs: undefined,
  error: undefined,
  errorExpiresAt: 0,
  isFetching: false,
};
/** An answer that came half a life ago. */
const FRESH: Seen = { ...ABSENT, data: 'data', isThere: true, isOwn: true, ...expiresAt(NOW + LIFE / 2) };
const STALE: Seen = { ...FRESH, ...expiresAt(NOW - 1) };
/** The row that the answer brought is deleted. */
const GONE: Seen = { ...FRESH, data: undefined, isThere: false };
const INVALIDATED: Seen = { ...FRESH, isInvalidated: true, ...expiresAt(0) };
/** Failed, with nothing to show; the failure still stands. */
const FAILED: Seen = { ...ABSENT, error: lost, errorExpiresAt: NOW + SECOND };
const FAILED_LONG_AGO: Seen = { ...FAILED, errorExpiresAt: LONG_AGO };
const ABORTED = { error: new Error('aborted'), until: NOW + 2 * SECOND };

interface Around {
  readonly dataExpiryLength?: number;
  readonly invalidIfStale?: boolean;
  readonly isSoft?: boolean;
  readonly isGuessing?: boolean;
  readonly isAway?: boolean;
  readonly policy?: Partial<Policy>;
}

type Row = readonly [fact: string, seen: Seen, around: Around, expected: Partial<Decision>];

const mounted = { policy: { isMounted: true, mayRest: true } };
const away = { isAway: true, ...mounted };

const table: readonly Row[] = [
  // ── what to show ─────────────────────────────────────────────────────────────────────────────
  [
    'nothing is waited for',
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
    'stale data is waited for where the endpoint says so',
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
    'undefined is shown where it is the answer',
    { ...FRESH, data: undefined },
    {},
    { show: 'data', fetch: 'no', expiryStatus: Valid },
  ],
  [
    'invalidated data is waited for',
    INVALIDATED,
    {},
    { show: 'wait', fetch: 'yes', expiryStatus: Invalid, isStale: true },
  ],
  [
    'invalidated data on screen is waited for',
    INVALIDATED,
    mounted,
    { show: 'wait', fetch: 'yes', expiryStatus: Invalid },
  ],
  [
    'an answer that lost its row is waited for',
    GONE,
    {},
    { show: 'wait', fetch: 'yes', expiryStatus: Invalid, isStale: true },
  ],
  [
    'data of others is shown',
    { ...FRESH, isOwn: false },
    {},
    { show: 'data', fetch: 'no', expiryStatus: Valid },
  ],
  [
    'data of others that is in doubt is shown and fetched',
    { ...FRESH, isOwn: false, ...expiresAt(0) },
    {},
    { show: 'data', fetch: 'yes', isStale: true },
  ],

  // ── failures ─────────────────────────────────────────────────────────────────────────────────
  [
    'a failure is shown while it stands',
    FAILED,
    {},
    { show: 'error', error: lost, fetch: 'no', expiryStatus: InvalidIfStale, wakeAt: NOW + SECOND + 1 },
  ],
  [
    'a reader that comes when a failure has had its time waits',
    FAILED_LONG_AGO,
    {},
    { show: 'wait', fetch: 'yes' },
  ],
  [
    'a failure on screen stays while it is tried again',
    FAILED_LONG_AGO,
    mounted,
    { show: 'error', error: lost, fetch: 'yes' },
  ],
  [
    'a hard failure is shown beside the data',
    { ...FRESH, error: lost, errorExpiresAt: NOW + SECOND },
    {},
    { show: 'error', error: lost, fetch: 'no', expiryStatus: Valid },
  ],
  [
    'a hard failure over fresh data is tried again',
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
    'a soft failure over fresh data is not tried again',
    { ...FRESH, error: lost, errorExpiresAt: LONG_AGO },
    { isSoft: true },
    { show: 'data', fetch: 'no' },
  ],
  [
    'a soft failure over stale data is tried again',
    { ...STALE, error: lost, errorExpiresAt: LONG_AGO },
    { isSoft: true },
    { show: 'data', fetch: 'yes' },
  ],
  ['a soft failure shows where there is no data', FAILED, { isSoft: true }, { show: 'error', error: lost }],
  [
    'a soft failure shows over invalidated data',
    { ...INVALIDATED, error: lost, errorExpiresAt: NOW + SECOND },
    { isSoft: true },
    { show: 'error', error: lost },
  ],
  [
    'a failure says why an answer lost its row',
    { ...GONE, error: refused, errorExpiresAt: NOW + SECOND },
    {},
    { show: 'error', error: refused, expiryStatus: InvalidIfStale, fetch: 'no' },
  ],
  [
    'a failure with a pause of a minute stands for it',
    { ...FAILED, errorExpiresAt: NOW + LIFE },
    mounted,
    { show: 'error', fetch: 'no', wakeAt: NOW + LIFE + 1 },
  ],
  [
    'a failure from before the clock stepped back is dated anew',
    { ...FAILED, errorExpiresAt: NOW + 10 * LIFE },
    mounted,
    { show: 'error', fetch: 'redate' },
  ],
  [
    'a failure without an answer is tried again on request',
    FAILED,
    { policy: { isMounted: true, retriesFailed: true } },
    { show: 'error', fetch: 'yes' },
  ],
  [
    'a failure that the server answered is not tried again on request',
    { ...FAILED, error: refused },
    { policy: { isMounted: true, retriesFailed: true } },
    { show: 'error', fetch: 'no' },
  ],
  [
    'what has not failed is not tried again on request',
    FRESH,
    { policy: { isMounted: true, retriesFailed: true } },
    { show: 'data', fetch: 'no' },
  ],

  // ── aborts ───────────────────────────────────────────────────────────────────────────────────
  [
    'after aborts readers of nothing are told',
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
    'when the pause after aborts is over it is tried again',
    ABSENT,
    { policy: { pause: { ...ABORTED, until: NOW - 1 }, isMounted: true } },
    { show: 'error', error: ABORTED.error, fetch: 'yes' },
  ],
  [
    'a pause from before the clock stepped back is dated anew',
    ABSENT,
    { policy: { pause: { ...ABORTED, until: NOW + 10 * LIFE } } },
    { fetch: 'redate' },
  ],

  // ── guesses ──────────────────────────────────────────────────────────────────────────────────
  [
    'what a guess hides waits for its mutation',
    GONE,
    { isGuessing: true },
    { show: 'wait', fetch: 'afterWrite' },
  ],
  [
    'what a guess hides waits for its mutation on screen, too',
    GONE,
    { isGuessing: true, ...mounted },
    { show: 'wait', fetch: 'afterWrite' },
  ],
  [
    'an old answer that lost its row is fetched, guess or not',
    { ...GONE, ...expiresAt(NOW - 1) },
    { isGuessing: true },
    { show: 'wait', fetch: 'yes' },
  ],
  [
    'invalidated data is fetched, guess or not',
    INVALIDATED,
    { isGuessing: true },
    { show: 'wait', fetch: 'yes' },
  ],
  [
    'a row of others that a guess hides is fetched',
    ABSENT,
    { isGuessing: true },
    { show: 'wait', fetch: 'yes' },
  ],

  // ── lifetimes and clocks ─────────────────────────────────────────────────────────────────────
  [
    'data is fresh up to its last moment',
    { ...FRESH, ...expiresAt(NOW) },
    {},
    { fetch: 'no', isStale: false, wakeAt: NOW + 1 },
  ],
  [
    'data without a lifetime is shown for a second',
    { ...FRESH, ...expiresAt(NOW - SECOND) },
    { dataExpiryLength: 0 },
    { show: 'data', fetch: 'no', isStale: true, wakeAt: 0 },
  ],
  [
    'data without a lifetime is fetched after a second',
    { ...FRESH, ...expiresAt(NOW - SECOND - 1) },
    { dataExpiryLength: 0 },
    { show: 'data', fetch: 'yes', wakeAt: 0 },
  ],
  [
    'data without a lifetime sets no alarm',
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
    'so is the data of others',
    { ...FRESH, isOwn: false, storedAt: NOW + 1 },
    {},
    { show: 'data', fetch: 'yes', isStale: true },
  ],
  [
    'data in a doubt that a request has not settled is stale, and fetched again when it grows old',
    { ...FRESH, expiresAt: 0 },
    mounted,
    { show: 'data', fetch: 'no', isStale: true, wakeAt: FRESH.dueAt + 1 },
  ],

  // ── when to look again ───────────────────────────────────────────────────────────────────────
  ['fresh data is looked at when it grows old', FRESH, mounted, { wakeAt: FRESH.expiresAt + 1 }],
  ['nothing sets no alarm', ABSENT, mounted, { wakeAt: 0 }],
  [
    'data that is being fetched sets no alarm',
    { ...FRESH, isFetching: true },
    mounted,
    { fetch: 'no', wakeAt: 0 },
  ],
  [
    'data that must not be shown old sets one, fetched or not',
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
    'data that lives longer than timers can tell sets no alarm',
    { ...FRESH, isOwn: false, ...expiresAt(Infinity) },
    mounted,
    { wakeAt: 0 },
  ],
  ['what is past sets no alarm', STALE, mounted, { wakeAt: 0 }],
  [
    'stale data rests while nobody looks',
    STALE,
    away,
    { show: 'data', fetch: 'no', wakeAt: NOW + 10 * SECOND },
  ],
  ['a reader that comes while nobody looks fetches', STALE, { isAway: true }, { fetch: 'yes' }],
  [
    'data that grows old soon rests while nobody looks',
    { ...FRESH, ...expiresAt(NOW + 1) },
    away,
    { wakeAt: NOW + 10 * SECOND },
  ],
  ['data in doubt does not rest', { ...FRESH, ...expiresAt(0) }, away, { fetch: 'yes' }],
  [
    'data that must not be shown old does not rest',
    STALE,
    { ...away, invalidIfStale: true },
    { fetch: 'yes' },
  ],
  [
    'fresh data is looked at when it grows old, also while nobody looks',
    FRESH,
    away,
    { wakeAt: FRESH.expiresAt + 1 },
  ],
  [
    'stale data that is being fetched sets no alarm while nobody looks',
    { ...STALE, isFetching: true },
    away,
    { fetch: 'no', wakeAt: 0 },
  ],
  ['nothing does not rest', ABSENT, away, { show: 'wait', fetch: 'yes' }],
  ['a failure over nothing does not rest', FAILED_LONG_AGO, away, { fetch: 'yes' }],
];

test.each(table)('%s', (_fact, seen, around, expected) => {
  const { dataExpiryLength, invalidIfStale, isSoft, isGuessing, isAway, policy } = around;
  const endpoint = new Endpoint(() => Promise.resolve(), {
    ...(dataExpiryLength !== undefined && { dataExpiryLength }),
    ...(invalidIfStale !== undefined && { invalidIfStale }),
    ...(isSoft && { errorPolicy: () => 'soft' as const }),
  }) as unknown as EndpointInterface; // cast: seen from the controller
  const core = {
    dataExpiryLength: LIFE,
    errorExpiryLength: SECOND,
    isGuessing: () => isGuessing === true,
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
        policy: fc.record({ isMounted: fc.boolean(), mayRest: fc.boolean(), retriesFailed: fc.boolean() }),
        pause: fc.option(moment.map((until) => ({ ...ABORTED, until }))),
        isGuessing: fc.boolean(),
        isAway: fc.boolean(),
        now: moment,
      }),
      ({ seen, policy, pause, isGuessing, isAway, now }) => {
        const endpoint = new Endpoint(() => Promise.resolve()) as unknown as EndpointInterface; // cast: as above
        const core = {
          dataExpiryLength: LIFE,
          errorExpiryLength: SECOND,
          isGuessing: () => isGuessing,
          isAway: () => isAway,
        };

        const decision = decide({ ...FRESH, ...seen }, { core, endpoint, ...policy, pause }, now);

        expect(decision).toMatchObject({ show: 'data', error: undefined, expiryStatus: Valid });
      },
    ),
  );
});
