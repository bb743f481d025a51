// How long every test run waits before it calls something wrong. A busy machine must not look like a defect: two copies of
// the repository on two cores made tests ten times slower. Only what hangs takes this long.

/** For the `test` options of each Vitest configuration. */
export const patience = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 15_000 } },
};

/**
 * For projects whose tests drive a browser or an installed application: a busy machine can end what such a test waits for. Where the
 * variable `CI` is set, such a test may fail once; the last lines of the log name the test and its first error. No other run
 * tries a test again.
 */
export const secondAttempt = { retry: process.env['CI'] ? 1 : 0 };
