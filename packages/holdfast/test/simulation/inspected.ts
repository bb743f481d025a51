// The shipped library with an inspector, or with a probe that does nothing, compared with the library alone: the same schedule is
// run twice, and everything that a reader, a server or a user can notice must be the same. Every request and every notification
// must have a reason.
import type { Manager } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import type { Inspector } from 'holdfast/inspect';
import { HoldfastSubject } from './holdfast-subject.ts';
import { createSchedule, MODES } from './schedule.ts';
import { simulate } from './simulate.ts';
import type { ReadCall, SubjectEnvironment, Watch } from './subject.ts';
import { Violation } from './violation.ts';

/** Records every notification of a reader, the value that it then reads, and whether that is the same object as before. */
export class WatchedSubject extends HoldfastSubject {
  readonly told: string[] = [];
  readonly #last = new Map<string, unknown>();

  override watch(call: ReadCall, onChange: () => void): Watch {
    const name = JSON.stringify(call);
    let isThere = false;
    const watch = super.watch(call, () => {
      // notified while it mounts: the reader reads the present value by itself
      if (!isThere) return;
      const { value, status, isFetching, isBlocked } = watch.read();
      const isSame = Object.is(this.#last.get(name), value);
      this.#last.set(name, value);
      this.told.push(`${name} ${String(status)} ${String(isFetching)} ${String(isBlocked)} ${isSame}`);
      onChange();
    });
    isThere = true;
    return watch;
  }
}

interface Witnessed {
  /** Requests that passed the managers: a repetition is the same request. */
  readonly passed: number;
  readonly hash: number;
  readonly requests: number;
  readonly ending: string;
  readonly told: string;
}

async function witness(seed: number, others: () => readonly Manager[] = () => []): Promise<Witnessed> {
  let passed = 0;
  const counting: Manager = {
    request(request, next) {
      passed += 1;
      return next(request);
    },
  };
  const schedule = createSchedule(seed, MODES[seed % MODES.length]!, 50);
  let subject: WatchedSubject | undefined;
  const create = (environment: SubjectEnvironment): WatchedSubject =>
    (subject = new WatchedSubject(environment, () => [counting, ...others()]));
  const { violation, hash, requests, ending } = await simulate(schedule, create);
  if (violation) throw violation;
  return { passed, hash, requests, ending, told: subject?.told.join('\n') ?? '' };
}

/** Throws where the run with these managers differs from the one without. */
export async function checkTransparent(seed: number, others: () => readonly Manager[]): Promise<Witnessed> {
  const plain = await witness(seed);
  const watched = await witness(seed, others);
  for (const name of ['requests', 'hash', 'ending', 'told'] as const)
    if (plain[name] !== watched[name])
      throw new Violation('A1', `seed ${seed}: ${name} without\n${plain[name]}\nwith\n${watched[name]}`);
  return watched;
}

const READER_CAUSES: readonly string[] = [
  'mount',
  'focus',
  'reconnect',
  'expiry',
  'doubt',
  'invalid',
  'absence',
];

/** Throws where a request or a notification has no reason. */
export function checkComplete(inspector: Inspector, seed: number): void {
  for (const request of inspector.requests()) {
    const isUnknown = request.cause === 'unknown';
    const isMute = READER_CAUSES.includes(request.cause) && request.reasons.length === 0;
    if (isUnknown || isMute)
      throw new Violation('A3', `seed ${seed}: fetched without a reason: ${JSON.stringify(request)}`);
  }
  for (const wake of inspector.wakes())
    if (wake.reasons.length === 0)
      throw new Violation('A3', `seed ${seed}: told without a reason: ${JSON.stringify(wake)}`);
}

/** Checks one seed by both laws. */
export async function checkInspected(seed: number): Promise<void> {
  const inspectors: Inspector[] = [];
  const { passed } = await checkTransparent(seed, () => {
    const inspector = inspect({ keep: 100_000 });
    inspectors.push(inspector);
    return [inspector];
  });
  for (const inspector of inspectors) checkComplete(inspector, seed);
  const seen = inspectors
    .flatMap((one) => one.requests())
    .filter(({ kind }) => kind !== 'direct-write').length;
  if (seen !== passed)
    throw new Violation('A3', `seed ${seed}: ${passed} requests, and the inspectors know ${seen}`);
}

/** Looks for a difference or a missing reason in this many schedules. */
export async function judgeInspected(
  count: number,
): Promise<{ readonly message: string | undefined; readonly schedules: number }> {
  for (let seed = 0; seed < count; seed += 1) {
    try {
      await checkInspected(seed);
    } catch (error) {
      return { message: String(error), schedules: seed + 1 };
    }
  }
  return { message: undefined, schedules: count };
}
