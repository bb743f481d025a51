// Lists of every shape in the simulator. There is one check, at rest: a list that counts as fresh equals what the server would
// send for the same arguments. Rows that others, or an abandoned call, changed are left out: no client can know of those changes.
import { namedRows } from './model-network.ts';
import type { Exchange } from './model-network.ts';
import { compareJobs, JOB_LISTS, ORDERED_LISTS } from './jobs-server.ts';
import type { JobList, ServerJob } from './jobs-server.ts';
import type { Step } from './schedule.ts';
import type { ReadCall } from './subject.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

export const isOfJobs = ({ path }: Pick<Exchange, 'path'>): boolean => /^\/(job|people)/.test(path);

export class Jobs {
  readonly #world: World;
  #titles = 0;

  constructor(world: World) {
    this.#world = world;
  }

  act(step: Step): void {
    switch (step.do) {
      case 'createJob': {
        const owner = step.at < 0.5 ? 'p1' : 'p2';
        return this.#world.issue({ kind: 'createJob', body: { title: this.#title(), owner } });
      }
      case 'patchJob':
        return this.#ifTarget(step, (id) =>
          this.#world.issue({ kind: 'patchJob', id, body: this.#part(step) }),
        );
      case 'removeJob':
        return this.#ifTarget(step, (id) => this.#world.issue({ kind: 'removeJob', id }));
      case 'otherJob':
        return this.#changeElsewhere(step);
      case 'tellJob':
        return this.#tell(step);
      default:
        throw new Error(`no such action: ${step.do}`);
    }
  }

  pickRead({ at, do: action }: Step): ReadCall {
    const lists = /order/i.test(action) ? ORDERED_LISTS : JOB_LISTS;
    return { kind: 'jobs', list: lists[Math.floor(at * lists.length)]! };
  }

  /** Users act on visible rows. */
  #ifTarget({ at }: Step, act: (id: string) => void): void {
    const { server, subject } = this.#world;
    const ids = [...server.jobs.jobs.keys()].filter((id) => subject.hasJob?.(id));
    if (ids.length > 0) act(ids[Math.floor(at * ids.length)]!);
  }

  #title(): string {
    return `w${++this.#titles}`;
  }

  #part({ with: fraction }: Step): Partial<ServerJob> {
    if (fraction < 0.5) return { state: fraction < 0.25 ? 'new' : 'done' };
    return fraction < 0.7 ? { owner: fraction < 0.6 ? 'p1' : 'p2' } : { title: this.#title() };
  }

  #changeElsewhere(step: Step): void {
    const { server, tainted } = this.#world;
    const ids = [...server.jobs.jobs.keys()];
    const id = ids[Math.floor(step.at * ids.length)];
    this.#world.note(`elsewhere ${id}`);
    if (id === undefined || step.fault < 0.3) {
      tainted.add(server.jobs.create({ title: this.#title() }).id);
      return;
    }
    tainted.add(id);
    if (step.fault < 0.5) server.jobs.jobs.delete(id);
    else server.jobs.change(id, this.#part(step));
  }

  /**
   * A message about a job, whole or in part, as a value for the store or as the response of its read; preferably about a job that
   * the client does not know. No client can know whether the message or a concurrent call is the newer one.
   */
  #tell({ at, with: fraction, fault }: Step): void {
    const world = this.#world;
    const { server, subject, tainted, network, mutations } = world;
    const isNamed = (id: string): boolean =>
      mutations.some(({ call }) => 'id' in call && call.id === id) ||
      network.exchanges.some((exchange) => namedRows(exchange).includes(id));
    const known = [...server.jobs.jobs.keys()].filter((id) => !isNamed(id));
    const unknown = known.filter((id) => !subject.hasJob?.(id));
    const ids = unknown.length > 0 ? unknown : known;
    const id = ids[Math.floor(at * ids.length)];
    if (id === undefined) return;
    const { title } = server.jobs.jobs.get(id)!;
    const isWhole = fraction >= 0.25;
    const said = isWhole ? server.jobs.say(id)! : { id, kind: 'job', title };
    world.note(`tell ${JSON.stringify(said)}`);
    world.mayBeFreshSince = ++world.stamp;
    // a job that others created is known from now on, unless the older response to its creation is still in flight
    const isComing = network.exchanges.some(({ method, path }) => method === 'POST' && path === '/jobs');
    if (unknown.length > 0 && isWhole && !isComing) tainted.delete(id);
    subject.tellJob?.(id, said, fault < 0.5);
  }

  check(): void {
    for (const list of [...JOB_LISTS, ...ORDERED_LISTS]) this.#checkList(list);
  }

  #checkList(list: JobList): void {
    const { subject, server, tainted } = this.#world;
    const found = subject.readJobs?.(list);
    if (!found || !subject.isFresh({ kind: 'jobs', list })) return;
    // in a list with a limit, a change of one row by others moves the other rows
    if ('limit' in list.query && [...tainted].some((id) => id.startsWith('j'))) return;
    const jobs = server.jobs.list(list);
    const truth = jobs.map(({ id }) => id);
    const extra = found.find((id) => !tainted.has(id) && !truth.includes(id));
    const missing = truth.find((id) => !tainted.has(id) && !found.includes(id));
    if (extra ?? missing)
      throw new Violation(
        'I2',
        `fresh list ${list.path} ${JSON.stringify(list.query)} shows ${found.join()}, the server has ${truth.join()}`,
      );
    if (list.query['sort'] ?? list.query['orderBy']) this.#checkOrder(list, found, jobs);
  }

  /** Equal jobs may be in any order: no client knows the order of the server. */
  #checkOrder({ query }: JobList, found: readonly string[], jobs: readonly ServerJob[]): void {
    const { tainted } = this.#world;
    const truth = jobs.filter(({ id }) => !tainted.has(id));
    const shown = found.filter((id) => !tainted.has(id)).map((id) => truth.find((job) => job.id === id)!);
    const order = query['sort'] ?? query['orderBy'] ?? '';
    const isWrong = (job: ServerJob, at: number): boolean =>
      at > 0 && (order === 'newest' ? job !== truth[at] : compareJobs(shown[at - 1]!, job, order) > 0);
    if (shown.some(isWrong))
      throw new Violation(
        'I2',
        `fresh list in the order ${order} shows ${shown.map(({ id }) => id).join()}, the server has ${truth.map(({ id }) => id).join()}`,
      );
  }
}
