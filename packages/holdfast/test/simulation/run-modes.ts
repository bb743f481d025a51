// The common part of both simulation tests: runs their share of schedules over the shipped library and reports each failure with
// the seed that replays it and the shortest schedule that shows it. SIM_SEED (and SIM_MODE) replay one.
import { expect, test } from 'vitest';
import { describe, LATE_SHARE, runCampaign, runOnce, shrinkFailure } from './campaign.ts';
import { createHoldfast } from './holdfast-subject.ts';
import { createSchedule, LATE_STEPS, MODES } from './schedule.ts';
import type { Mode } from './schedule.ts';
import { simulate } from './simulate.ts';

const CI_SCHEDULES = 400;
const CI_SEED = 20_260_000;
const STEPS = 50;

/** Schedules per mode, and the seed of the first; `npm test` runs fewer, the nightly run more and others. */
const count = Math.ceil(Number(process.env['SIM_SCHEDULES'] ?? CI_SCHEDULES) / MODES.length);
const seed = Number(process.env['SIM_BASE'] ?? CI_SEED);
const steps = Number(process.env['SIM_STEPS'] ?? STEPS);
const replay = process.env['SIM_SEED'];

export function testModes(modes: readonly Mode[]): void {
  const played = new Set<string>();
  for (const mode of modes) {
    if (replay !== undefined) testReplay(mode, Number(replay));
    else testMode(mode, played);
  }
  // fewer schedules need not reach every step
  if (replay === undefined && count * MODES.length >= CI_SCHEDULES)
    test(`every step about late arrivals is played: ${modes.join(', ')}`, () => {
      expect(LATE_STEPS.filter((step) => !played.has(step))).toEqual([]);
    });
}

function testMode(mode: Mode, played: Set<string>): void {
  test(`no invariant breaks in ${count} random schedules: ${mode}`, { timeout: 3_600_000 }, async () => {
    const start = performance.now();
    const tally = await runCampaign({
      createSubject: createHoldfast,
      seed,
      count,
      steps,
      modes: [mode],
      onFailure: ({ schedule }) => console.log(`failed: SIM_SEED=${schedule.seed} SIM_MODE=${mode}`),
    });
    const reports: string[] = [];
    for (const failure of tally.failures) {
      reports.push(describe(failure, await shrinkFailure(failure, createHoldfast)));
    }
    const perSecond = Math.round(tally.schedules / ((performance.now() - start) / 1000));
    console.log(
      `${mode}: seeds ${seed}…${seed + tally.schedules - 1}, ${tally.schedules} schedules of ${steps} steps ` +
        `(${tally.paired} of them paired), ${tally.requests} requests, ${tally.failures.length} failed, ${perSecond}/s`,
    );

    if (process.env['SIM_TABLE'] !== undefined) console.log(tableOf(mode, tally.played));
    for (const step of tally.played.keys()) played.add(step);

    expect(reports.join('\n\n')).toBe('');
    expect(tally.schedules).toBe(count);
  });
}

/** How often each of the steps about late arrivals was played. */
function tableOf(mode: Mode, played: ReadonlyMap<string, number>): string {
  const lines = LATE_STEPS.map((step) => `  ${step.padEnd(18)}${String(played.get(step) ?? 0).padStart(8)}`);
  return [`${mode}: steps about what is late`, ...lines].join('\n');
}

function testReplay(mode: Mode, replayed: number): void {
  const wanted = process.env['SIM_MODE'];
  test.skipIf(wanted !== undefined && wanted !== mode)(
    `seed ${replayed}: ${mode}`,
    { timeout: 600_000 },
    async () => {
      const schedule = createSchedule(replayed, mode, steps, { lateShare: LATE_SHARE });
      const { violation } = await runOnce(schedule, createHoldfast);
      if (!violation) return;
      const small = await shrinkFailure({ schedule, violation }, createHoldfast);
      const { trace } = await simulate(small, createHoldfast, { withTrace: true });

      expect.fail(`${describe({ schedule, violation }, small)}\n${trace?.join('\n')}`);
    },
  );
}
