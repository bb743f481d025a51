import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describe } from '../simulation/campaign.ts';
import { createSchedule, MODES } from '../simulation/schedule.ts';
import { simulate } from '../simulation/simulate.ts';
import type { Outcome } from '../simulation/simulate.ts';
import type { Schedule } from '../simulation/schedule.ts';
import { ReactSubject } from './react-subject.tsx';

const CI_SCHEDULES = 30;
const VARIANT_SCHEDULES = 10;
const usual = import.meta.env['HOLDFAST_VARIANT'] ? VARIANT_SCHEDULES : CI_SCHEDULES;
const count = Number(import.meta.env['VITE_SIM_REACT'] ?? usual);
const first = Number(import.meta.env['VITE_SIM_SEED'] ?? 30_000);
const STEPS = 50;

// the simulator was written for Node: this provides a macrotask, and events for unhandled rejections
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
const globals = globalThis as unknown as Record<string, unknown>;
const before = { process: globals['process'], act: globals['IS_REACT_ACT_ENVIRONMENT'] };

beforeAll(() => {
  channel.port1.onmessage = () => waiting.shift()?.();
  globals['setImmediate'] = (run: () => void) => {
    waiting.push(run);
    channel.port2.postMessage(null);
  };
  let stray: ((event: PromiseRejectionEvent) => void) | undefined;
  globals['process'] = {
    ...(before.process as object | undefined),
    on: (_name: string, listener: (reason: unknown) => void) => {
      stray = (event) => {
        event.preventDefault();
        listener(event.reason);
      };
      addEventListener('unhandledrejection', stray);
    },
    off: () => stray && removeEventListener('unhandledrejection', stray),
  };
  // React reports what boundaries caught
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // React works by itself here, as in an application
  globals['IS_REACT_ACT_ENVIRONMENT'] = false;
});

afterAll(() => {
  vi.restoreAllMocks();
  globals['process'] = before.process;
  globals['IS_REACT_ACT_ENVIRONMENT'] = before.act;
  channel.port1.close();
});

/** A screen full of readers from the start; paired schedules mount none. */
function withReaders(schedule: Schedule): Schedule {
  const [start, ...rest] = schedule.steps;
  const mounts = rest.slice(0, 6).map((step) => ({ ...step, do: 'mount' as const, ms: 0 }));
  return { ...schedule, isPaired: false, steps: [start!, ...mounts, ...rest] };
}

async function run(
  schedule: Schedule,
  isStrict: boolean,
): Promise<Outcome & { late: readonly string[]; commits: number }> {
  let subject: ReactSubject | undefined;
  const outcome = await simulate(schedule, (environment) => {
    subject = new ReactSubject(environment, isStrict);
    return subject;
  });
  for (let tries = 0; tries < 40 && subject && subject.late.length > 0; tries += 1) {
    await new Promise((next) => setTimeout(next, 25));
  }
  const late = subject?.late ?? [];
  const commits = subject?.commits ?? 0;
  subject?.end();
  return { ...outcome, late, commits };
}

test(
  `no invariant breaks in ${count} random schedules that are read through React, and StrictMode changes nothing`,
  { timeout: 3_600_000 },
  async () => {
    const reports: string[] = [];
    let requests = 0;
    let commits = 0;
    for (let at = 0; at < count && reports.length < 5; at += 1) {
      const schedule = withReaders(createSchedule(first + at, MODES[at % MODES.length]!, STEPS));
      const plain = await run(schedule, false);
      requests += plain.requests;
      commits += plain.commits;
      if (plain.violation) reports.push(describe({ schedule, violation: plain.violation }));
      if (plain.late.length > 0) reports.push(`seed ${schedule.seed}: ${plain.late.join()} never revealed`);
      if (at % 4 !== 0) continue;
      const strict = await run(schedule, true);
      if (strict.violation)
        reports.push(`StrictMode: ${describe({ schedule, violation: strict.violation })}`);
      else if (strict.hash !== plain.hash || strict.requests !== plain.requests)
        reports.push(
          `seed ${schedule.seed}: StrictMode ${strict.requests} requests, plain ${plain.requests}`,
        );
    }
    console.log(`React: seeds ${first}…${first + count - 1}, ${requests} requests, ${commits} commits`);

    expect(reports.join('\n\n')).toBe('');
    expect(commits).toBeGreaterThan(count);
  },
);
