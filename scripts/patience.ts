// How long every test run waits before it calls something wrong. A busy machine must not look like a defect: two copies of
// the repository on two cores made tests ten times slower. Only what hangs takes this long.

/** For the `test` options of each Vitest configuration. */
export const patience = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 15_000 } },
};
