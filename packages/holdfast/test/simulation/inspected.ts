// The shipped library with an inspector, or with a probe that does nothing, compared with the library alone: the same schedule is
// run twice, and everything that a reader, a server or a user can notice must be the same. Every request and every notification
// must have a reason.
import type { Manager } from 'holdfast';
import {
  describeField,
  describeMember,
  describeRequest,
  describeRow,
  describeStale,
  describeWake,
  describeWrite,
  inspect,
} from 'holdfast/inspect';
import type { Inspector, Sentence } from 'holdfast/inspect';
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

/** Words that belong to the library and not to people: identifiers in place of sentences, error classes, empty parts. */
const NOT_FOR_PEOPLE =
  /undefined|null|NaN|\[object|\{\w+\}|\w+Error\b|\b(?:\w+-){2,}\w+|\(\)|  |[:,] *(?:$|[.,])|(?:^|\. )[.,]/;

function checkSentence(seed: number, { text, parts }: Sentence): void {
  const isWhole = text === parts.map((part) => part.text).join('') && parts.every((part) => part.text !== '');
  const spoken = parts.map((part) => (part.isValue ? '“value”' : part.text)).join('');
  if (!isWhole || NOT_FOR_PEOPLE.test(spoken) || !/^\S.*\.$/.test(spoken))
    throw new Violation('A4', `seed ${seed}: no sentence for people: ${JSON.stringify(text)}`);
}

/** Throws where the inspector calls a shown value lost, does not say to whom a value lost, or has no sentence. */
export function checkSaid(inspector: Inspector, seed: number): void {
  const say = (sentences: readonly Sentence[]): void => sentences.forEach((one) => checkSentence(seed, one));
  const rows = inspector
    .findRows()
    .map(({ entity, pk }) => inspector.explainPk(entity, pk))
    .filter((row) => row.found === 'entity');
  for (const row of rows) {
    say(describeRow(inspector, row));
    for (const [name, field] of Object.entries(row.fields)) {
      say(describeField(inspector, row, name));
      for (const loser of field.lost) {
        const value = JSON.stringify(loser.value);
        const isShown = value === JSON.stringify(field.value) || value === JSON.stringify(field.server);
        if (isShown || loser.to === undefined)
          throw new Violation(
            'A4',
            `seed ${seed}: ${row.entity} ${row.pk} ${name}: ${JSON.stringify(field)}`,
          );
      }
    }
  }
  for (const list of inspector.lists())
    say([...rows, ...list.items, ...list.gone].map((row) => describeMember(inspector, list, row)));
  for (const request of inspector.requests()) {
    say(describeRequest(inspector, request));
    const isMute = request.outcome === 'did-not-count' ? !request.lost?.to : request.lost !== undefined;
    if (isMute)
      throw new Violation('A4', `seed ${seed}: ${JSON.stringify(request)} does not say what it lost to`);
  }
  say(inspector.writes().map(describeWrite));
  for (const wake of inspector.wakes()) say(describeWake(inspector, wake));
  for (const { stale } of inspector.mounted()) say(stale.map((reason) => describeStale(inspector, reason)));
}

/** Checks one seed by these laws. */
export async function checkInspected(seed: number): Promise<void> {
  const inspectors: Inspector[] = [];
  const { passed } = await checkTransparent(seed, () => {
    const inspector = inspect({ keep: 100_000 });
    inspectors.push(inspector);
    return [inspector];
  });
  for (const inspector of inspectors) {
    checkComplete(inspector, seed);
    checkSaid(inspector, seed);
  }
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
