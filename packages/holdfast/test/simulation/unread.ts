// Law C1: a response that is not read ends as if it had been read. Each schedule is played twice over a server whose responses
// have tags, once with the tags in use and once without: everything that a reader, a server or a user can notice must be the
// same.
import type { Manager } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { WatchedSubject } from './inspected.ts';
import { TraceHash } from './random.ts';
import { createSchedule, MODES } from './schedule.ts';
import type { Action, Schedule, Step } from './schedule.ts';
import { simulate } from './simulate.ts';
import type { SubjectEnvironment } from './subject.ts';
import { Violation } from './violation.ts';

type Fetch = SubjectEnvironment['fetch'];

/** How often a body was not read, or not even sent. */
interface Tally {
  unread: number;
  notModified: number;
  /** Runs in which "not modified" came too late, so that the response was requested again. */
  askedAgain: number;
}

/** The network with tags: each follows from the text of the body, as on a server that hashes its responses. */
function withTags(fetch: Fetch, tally: Tally): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 200 || (init?.method ?? 'GET') !== 'GET') return response;
    const text = await response.text();
    const hash = new TraceHash();
    hash.add(text);
    const etag = `"${hash.value}"`;
    const headers = new Headers(response.headers);
    headers.set('etag', etag);
    if (new Headers(init?.headers).get('if-none-match') === etag) {
      tally.notModified += 1;
      return new Response(null, { status: 304, headers });
    }
    const body = {
      cancel: async () => {
        tally.unread += 1;
      },
    };
    // the model's response is a plain object, so that it can be copied
    return { ...response, headers, body } as unknown as Response; // cast: the members that a reader uses
  };
}

interface Played {
  readonly requests: number;
  readonly hash: number;
  readonly ending: string;
  readonly told: string;
  /** Reads that were sent more than once: from there on the network has another request to choose from. */
  readonly repeated: number;
  readonly violation: Violation | undefined;
}

async function play(schedule: Schedule, options: HttpSemantics.Options, tally: Tally): Promise<Played> {
  let subject: WatchedSubject | undefined;
  let repeated = 0;
  const sent = new WeakSet<AbortSignal>();
  const counting: Manager = {
    request(request, next) {
      if (request.isRead && sent.has(request.signal)) repeated += 1;
      sent.add(request.signal);
      return next(request);
    },
  };
  const create = (environment: SubjectEnvironment): WatchedSubject =>
    (subject = new WatchedSubject({ ...environment, fetch: withTags(environment.fetch, tally) }, () => [
      counting,
      new HttpSemantics({ expiry: false, retryAfter: false, ...options }),
    ]));
  const { violation, hash, requests, ending } = await simulate(schedule, create);
  return { hash, requests, ending, told: subject?.told.join('\n') ?? '', repeated, violation };
}

const READS: ReadonlySet<Action> = new Set(['get', 'list', 'user', 'mount', 'shaped', 'jobs']);
const WRITES: ReadonlySet<Action> = new Set(['create', 'patch', 'put', 'vote', 'remove', 'rename', 'move']);

/**
 * A schedule in which no two responses arrive in one moment, because which is stored first depends on how long reading takes. Few
 * things are read often in it: every second write is replaced by a read of one of three rows or lists, or by a change of somebody
 * else.
 */
function createReadingSchedule(seed: number): Schedule {
  const schedule = createSchedule(seed, MODES[seed % MODES.length]!, 60);
  const steps = schedule.steps.map((step, index): Step => {
    if (step.do === 'burst') return { ...step, do: 'network' };
    const turns: readonly Action[] = ['get', 'list', 'elsewhere'];
    const isTurned = WRITES.has(step.do) && index % 2 === 0;
    const turned: Step = isTurned ? { ...step, do: turns[(index / 2) % turns.length]! } : step;
    return READS.has(turned.do) ? { ...turned, at: Math.floor(turned.at * 3) / 3 } : turned;
  });
  return { ...schedule, steps, hasOthers: true };
}

/** Throws where the run with tags differs from the one without; returns how often tags made a difference to the network. */
export async function checkUnread(seed: number): Promise<Tally> {
  const tally: Tally = { unread: 0, notModified: 0, askedAgain: 0 };
  const schedule = createReadingSchedule(seed);
  const plain = await play(schedule, { validators: false }, tally);
  if (plain.violation) throw plain.violation;
  for (const validators of ['unread', 'send'] as const) {
    const known = await play(schedule, { validators }, tally);
    if (known.repeated > plain.repeated) {
      tally.askedAgain += 1;
      continue;
    }
    if (known.violation) throw known.violation;
    for (const name of ['requests', 'ending', 'told', 'hash'] as const)
      if (plain[name] !== known[name])
        throw new Violation(
          'C1',
          `seed ${seed}, ${validators}: ${name} without\n${plain[name]}\nwith\n${known[name]}`,
        );
  }
  return tally;
}
