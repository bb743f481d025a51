// Runs one schedule: acts as the user, the scheduler and the clock, lets promises settle between steps, and asks the
// checks after each. At the end everything is delivered, compared with the server, fetched again and compared again.
import { FAULTS, isWrite } from './model-network.ts';
import type { Exchange, Fault } from './model-network.ts';
import { Checker } from './checks.ts';
import { checkFreshEqualsServer, checkRefetched } from './final-checks.ts';
import type { Schedule, Step } from './schedule.ts';
import type { CreateSubject } from './subject.ts';
import { LISTS, listKey, PAGES } from './reads.ts';
import { NOTHING, User } from './user.ts';
import { Violation, World } from './world.ts';

export interface Outcome {
  violation?: Violation;
  /** The step at which it was found. */
  atStep: number;
  hash: number;
  requests: number;
  /** What the client shows at the end, for paired runs. */
  ending: string;
  trace: string[] | undefined;
}

// A macrotask of the platform: every promise that can settle has settled before it runs.
export const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const DAY_MS = 86_400_000;

export interface RunOptions {
  isOptimistic?: boolean;
  withTrace?: boolean;
}

export async function simulate(
  schedule: Schedule,
  createSubject: CreateSubject,
  options: RunOptions = {},
): Promise<Outcome> {
  const run = new Run(schedule, createSubject, options);
  return run.play();
}

class Run {
  #world: World;
  #checker: Checker;
  #schedule: Schedule;
  #user: User;
  #view = NOTHING;
  #stray: Violation | undefined;

  constructor(schedule: Schedule, createSubject: CreateSubject, options: RunOptions) {
    this.#schedule = schedule;
    this.#world = new World(schedule, createSubject, options.isOptimistic ?? schedule.isOptimistic);
    if (options.withTrace) this.#world.trace = [];
    this.#checker = new Checker(this.#world);
    this.#user = new User(this.#world);
  }

  async play(): Promise<Outcome> {
    const world = this.#world;
    const onStray = (reason: unknown): void => {
      this.#stray ??= new Violation('I12', `a rejection that nobody could handle: ${stackOf(reason)}`);
    };
    process.on('unhandledRejection', onStray);
    const outcome: Outcome = { atStep: 0, hash: 0, requests: 0, ending: '', trace: world.trace };
    try {
      for (const [index, step] of this.#schedule.steps.entries()) {
        outcome.atStep = index;
        if (this.#passTime(step.ms)) {
          await settle();
          this.#afterStep();
        }
        this.#act(step);
        await settle();
        this.#afterStep();
      }
      outcome.atStep = this.#schedule.steps.length;
      await this.#drain();
      this.#checkIdle();
      outcome.ending = checkFreshEqualsServer(world);
      await this.#refetch();
      this.#checker.checkPast();
      while (this.#checker.mounted.length > 0) this.#checker.unmount(0);
    } catch (error) {
      outcome.violation =
        error instanceof Violation ? error : new Violation('I18', `threw ${stackOf(error)}`);
    }
    process.off('unhandledRejection', onStray);
    outcome.hash = world.hash.value;
    outcome.requests = world.network.sentCount;
    return outcome;
  }

  #afterStep(): void {
    const world = this.#world;
    if (this.#stray) throw this.#stray;
    const orphan = world.orphans.find((handed) => handed.state !== 'rejected');
    if (orphan) throw new Violation('I14', `a ${orphan.call.kind} from before the reset is ${orphan.state}`);
    world.orphans = [];
    this.#user.checkSending();
    this.#view = this.#checker.check();
    for (const [key, ids] of this.#view.lists) world.note(`${key} ${ids.join()}`);
  }

  /** Tells whether a timer ran, which is an event of its own. */
  #passTime(ms: number): boolean {
    const { time } = this.#world;
    if (ms < 0) time.stepBack(-ms);
    if (ms <= 0) return false;
    const isDue = (time.nextDelayMs() ?? ms + 1) <= ms;
    time.advance(ms);
    return isDue;
  }

  #act(step: Step): void {
    const world = this.#world;
    switch (step.do) {
      case 'network':
        return this.#moveNetwork(step.at, this.#pickFault(step));
      case 'wait':
        return this.#wait();
      case 'offline':
        if (this.#schedule.faultRate > 0) world.network.online = !world.network.online;
        return;
      case 'mount':
        // a mounted reader fetches by what it shows, which optimism changes
        if (!this.#schedule.isPaired) this.#checker.mount(this.#user.pickRead(step, this.#view));
        return;
      case 'unmount':
        return this.#checker.unmount(Math.floor(step.at * this.#checker.mounted.length));
      case 'elsewhere':
        return this.#changeElsewhere(step);
      case 'reset':
        world.reset();
        this.#checker.forgetPast();
        return;
      default:
        return this.#user.act(step, this.#view);
    }
  }

  #pickFault(step: Step): Fault | undefined {
    const { faultRate, isPaired } = this.#schedule;
    if (step.fault >= faultRate) return undefined;
    const fault = FAULTS[Math.floor((step.fault / faultRate) * FAULTS.length)]!;
    // an empty answer to a write tells a client with optimism more than one without
    return fault === 'empty' && isPaired ? undefined : fault;
  }

  #moveNetwork(position: number, fault: Fault | undefined): void {
    const { network } = this.#world;
    const movable = network.movable();
    const exchange = movable[Math.floor(position * movable.length)];
    if (!exchange) return;
    if (exchange.phase === 'sent') this.#handle(exchange, fault);
    else this.#world.deliver(exchange);
  }

  #handle(exchange: Exchange, fault: Fault | undefined): void {
    const world = this.#world;
    // a create or a count whose answer says nothing leaves every client guessing
    const usable = fault === 'empty' && exchange.method === 'POST' ? undefined : fault;
    const before = new Set(world.server.items.keys());
    world.note(`handle ${exchange.number} ${usable ?? ''}`);
    world.network.handle(exchange, usable);
    if (!isWrite(exchange) || (exchange.epoch === world.epoch && !exchange.ended)) return;
    // an abandoned write that arrives late is somebody else's change
    world.tainted.add(exchange.path.split('/')[2] ?? '');
    for (const id of world.server.items.keys()) if (!before.has(id)) world.tainted.add(id);
  }

  /** Long enough for the time limit of every request under way, not for much more. */
  #wait(): void {
    const { time } = this.#world;
    const delayMs = time.nextDelayMs();
    this.#world.note(`wait ${delayMs}`);
    if (delayMs !== undefined && delayMs < DAY_MS) time.advance(delayMs);
  }

  #changeElsewhere(step: Step): void {
    const { server, tainted } = this.#world;
    if (!this.#schedule.hasOthers) return;
    const ids = [...server.items.keys()];
    const id = ids[Math.floor(step.at * ids.length)];
    this.#world.note(`elsewhere ${id}`);
    if (step.with > 0.9) {
      tainted.add(
        server.create({
          title: this.#user.title(),
          status: 'open',
          group: 'a',
          body: '',
          owner: 'u1',
          votes: 0,
        }).id,
      );
    } else if (id !== undefined) {
      tainted.add(id);
      const method = step.with < 0.3 ? 'DELETE' : 'PATCH';
      server.answer({ method, path: `/items/${id}`, query: {}, body: this.#user.partBody(step) });
    }
  }

  /** Lets everything under way come to its end, in an order drawn from the seed. */
  async #drain(): Promise<void> {
    const { network, time, random } = this.#world;
    for (let round = 0; round < 400; round++) {
      if (network.movable().length > 0) this.#moveNetwork(random.next(), undefined);
      else if (network.exchanges.length > 0) {
        if (time.pendingTimers === 0) throw new Violation('I12', 'a silent request has no time limit');
        this.#wait();
      } else return;
      await settle();
      this.#afterStep();
    }
    throw new Violation('I13', 'the client does not come to rest');
  }

  #checkIdle(): void {
    const { handed, oracle, mutations } = this.#world;
    const open = handed.find((one) => one.state === 'pending');
    if (open) throw new Violation('I12', `a promise for ${JSON.stringify(open.call)} never settled`);
    if (oracle.layers.length > 0 || mutations.length > 0) {
      throw new Violation(
        'I6',
        `idle, but never sent: ${JSON.stringify(mutations.map((mutation) => mutation.call))}`,
      );
    }
  }

  async #refetch(): Promise<void> {
    const world = this.#world;
    world.network.online = true;
    const { lists, pages } = world.oracle.view(false);
    for (const filter of LISTS) if (lists.has(listKey(filter))) world.issue({ kind: 'list', filter });
    for (const filter of PAGES) if (pages.includes(listKey(filter))) world.issue({ kind: 'list', filter });
    const refetched = [...world.knownItems];
    for (const id of refetched) world.issue({ kind: 'get', id });
    for (const id of world.users) world.issue({ kind: 'user', id });
    await settle();
    await this.#drain();
    this.#checkIdle();
    checkRefetched(world, refetched);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
