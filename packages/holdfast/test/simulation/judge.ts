// The simulator's verdict on one build of the library, for the script that puts faults into copies of it.
import { runCampaign } from './campaign.ts';
import { createHoldfast } from './holdfast-subject.ts';

/** The first violation within so many schedules, and how many it took. */
export async function judge(count: number): Promise<{ message: string | undefined; schedules: number }> {
  const { failures, schedules } = await runCampaign({
    createSubject: createHoldfast,
    seed: 4_711_000,
    count,
    steps: 50,
    maxFailures: 1,
  });
  return { message: failures[0]?.violation.message, schedules };
}
