// Schedules that once broke an invariant, shortened and named after the fault.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runOnce } from './campaign.ts';
import { createHoldfast } from './holdfast-subject.ts';
import { createReference } from './reference-client.ts';
import type { Schedule } from './schedule.ts';

const folder = new URL('./regressions/', import.meta.url);

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const { title, schedule }: { title: string; schedule: Schedule } = JSON.parse(
    readFileSync(new URL(file, folder), 'utf8'),
  );

  test(title, async () => {
    const judged = await runOnce(schedule, createReference());
    const { violation } = await runOnce(schedule, createHoldfast);

    expect(judged.violation).toBeUndefined();
    expect(violation?.message).toBeUndefined();
  });
}
