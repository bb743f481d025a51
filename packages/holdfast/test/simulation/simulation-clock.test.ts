// The shipped library in the simulator, second half: a clock that does not move, and one that is set back. Also the condition for
// all replaying: one seed gives one trace.
import { expect, test } from 'vitest';
import { createHoldfast } from './holdfast-subject.ts';
import { testModes } from './run-modes.ts';
import { createSchedule, MODES } from './schedule.ts';
import { simulate } from './simulate.ts';

testModes(['same-ms', 'clock-back']);

// a few with each change; the nightly run has others each time
const COUNT = 12;
const base = Number(process.env['SIM_BASE'] ?? 0);

test.skipIf(process.env['SIM_SEED'] !== undefined)('the same seed gives the same trace', async () => {
  for (let seed = base; seed < base + COUNT; seed++) {
    const schedule = createSchedule(seed, MODES[seed % MODES.length]!, 50);

    const first = await simulate(schedule, createHoldfast);
    const second = await simulate(schedule, createHoldfast);

    expect(second.hash).toBe(first.hash);
  }
});
