// Runs one schedule: acts as the user, the scheduler and the clock, lets promises settle between steps, and runs the checks after
// each. At the end everything is delivered, compared with the server, fetched again and compared again.
import { FAULTS, isWrite, namedRows } from './model-network.ts';
import type { Exchange, Fault } from './model-network.ts';
import { Checker } from './checks.ts';
import { checkFreshEqualsServer, checkRefetched } from './final-checks.ts';
import { checkAllCollected, forgetCollected } from './garbage.ts';
import { LATE, LISTED, VERSIONED } from './schedule.ts';
import type { Action, Schedule, Step } from './schedule.ts';
import { isOfJobs } from './jobs.ts';
import { isHandover } from './jobs-server.ts';
import { isOfNotes } from './notes.ts';
import type { CreateSubject, PlainRead } from './subject.ts';
import { LISTS, listKey, PAGES, readKey, SHAPED } from './reads.ts';
import { NOTHING, User } from './user.ts';
import { Violation } from './violation.ts';
import { World } from './world.ts';

export interface Outcome {
  violation?: Violation;
  /** The step at which it was found. */
  atStep: number;
  hash: number;
  requests: number;
  /** The data that the client shows at the end, for paired runs. */
  ending: string;
  trace: string[] | undefined;
  /** How often each of the steps about late arrivals had a target. */
  played: ReadonlyMap<string, number>;
}

// A macrotask of the platform: every promise that can settle has settled before it runs.
export const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const DAY_MS = 86_400_000;
/** For clients with all shapes of lists; for others these are steps of the network. */
const NEW_ACTIONS: ReadonlySet<Action> = new Set<Action>([
  'shaped',
  'mountShaped',
  'nextPage',
  'move',
  'patchMany',
  'removeMany',
  'createThing',
  'patchThing',
  'removeThing',
  'reopen',
  ...VERSIONED,
  ...LISTED,
]);
/** Of these, the actions that every client supports. */
const LATE_FOR_ALL: ReadonlySet<Action> = new Set(['readUnread', 'writeUnread', 'hold', 'idle', 'linger']);
for (const action of LATE) if (!LATE_FOR_ALL.has(action)) (NEW_ACTIONS as Set<Action>).add(action);
/** How long no user acts, and how long a request then takes. */
const IDLE_MS = 3_500;
const LATENCY_MS = 10;
/** Longer than the expiry time of data in the schedules that have one. */
const LINGER_MS = 25_000;
/** Longer than the longest pause between two tries. */
const RECOVERY_MS = 300_000;

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
  #hasSwept = false;

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
    const { trace, played } = world;
    const outcome: Outcome = { atStep: 0, hash: 0, requests: 0, ending: '', trace, played };
    try {
      for (const [index, step] of this.#schedule.steps.entries()) {
        outcome.atStep = index;
        await this.#passTime(step.ms);
        // half of the reads get the response of a replica that lags
        this.#world.server.notes.lag = Math.max(0, step.with * 2 - 1);
        await this.#act(step);
        await settle();
        this.#world.server.notes.lag = 0;
        this.#afterStep();
      }
      outcome.atStep = this.#schedule.steps.length;
      await this.#drain();
      this.#checkIdle();
      outcome.ending = checkFreshEqualsServer(world);
      world.jobs.check();
      await this.#recover();
      await this.#refetch();
      this.#checker.checkPast();
      while (this.#checker.mounted.length > 0) this.#checker.unmount(0);
      while (world.polls.length > 0) world.unpoll(0);
      await this.#drain();
      await checkAllCollected(world, settle);
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
    world.requests.check();
    if (this.#hasSwept)
      forgetCollected(world, [
        // a poll keeps the data that it has fetched
        ...world.polls.filter((call) => world.answered.has(readKey(call))),
        ...this.#checker.mounted.map(({ call }) => call),
      ]);
    this.#hasSwept = false;
    this.#view = this.#checker.check();
    for (const [key, ids] of this.#view.lists) world.note(`${key} ${ids.join()}`);
  }

  /** Each timer that is due is a separate event. */
  async #passTime(ms: number): Promise<void> {
    const { time } = this.#world;
    if (ms < 0) {
      time.stepBack(-ms);
      this.#world.statements.stepBack();
      this.#checker.acceptClock();
    }
    if (ms <= 0) return;
    const endMs = time.elapsedMs + ms;
    while (time.runNext(endMs - time.elapsedMs)) {
      await this.#runDue();
      this.#afterStep();
    }
    time.advance(endMs - time.elapsedMs);
  }

  async #act(step: Step): Promise<void> {
    const world = this.#world;
    if (NEW_ACTIONS.has(step.do) && !world.subject.hasShapes)
      return this.#moveNetwork(step.at, this.#pickFault(step));
    switch (step.do) {
      case 'network':
        return this.#moveNetwork(step.at, this.#pickFault(step));
      case 'burst':
        return this.#burst(step);
      case 'wait':
        return this.#wait();
      case 'offline':
        if (this.#schedule.faultRate > 0) world.goOnline(!world.network.online);
        return;
      case 'sweep':
        if (this.#schedule.keepMs !== undefined) return this.#sweep(step.with);
        return this.#moveNetwork(step.at, this.#pickFault(step));
      case 'focus':
        return this.#focus(step.with);
      case 'poll':
        if (!this.#schedule.isPaired) world.poll(this.#user.pickRead(step, this.#view));
        return;
      case 'unpoll':
        return world.unpoll(Math.floor(step.at * world.polls.length));
      case 'mount':
        // a mounted reader fetches depending on the data that it shows, which optimistic updates change
        if (!this.#schedule.isPaired) this.#checker.mount(this.#user.pickRead(step, this.#view));
        return;
      case 'unmount':
        return this.#checker.unmount(Math.floor(step.at * this.#checker.mounted.length));
      case 'elsewhere':
        return this.#changeElsewhere(step);
      case 'mountShaped':
        if (!this.#schedule.isPaired)
          this.#checker.mount({ kind: 'list', filter: SHAPED[Math.floor(step.at * SHAPED.length)]! });
        return;
      case 'mountNote':
        return this.#checker.mount(world.notes.pickRead(step));
      case 'mountJob':
      case 'mountOrder':
        return this.#checker.mount(world.jobs.pickRead(step));
      case 'mountUnread':
        return this.#mountUnread(step);
      case 'mountUser':
        // a row that the lists contain whole
        world.play('mountUser');
        return this.#checker.mount({ kind: 'user', id: step.at < 0.5 ? 'u1' : 'u2' });
      case 'hold':
        return this.#hold(step);
      case 'idle':
        return this.#idle();
      case 'linger':
        return this.#linger(step.with < 0.7 ? LINGER_MS : 6 * LINGER_MS);
      case 'saveState':
        return this.#saveState(step);
      case 'bringState':
        if (world.states.bring(step.at)) world.play('bringState');
        return;
      case 'reopen':
        return this.#reopen(step);
      case 'reset':
        world.reset();
        this.#checker.forgetPast();
        return;
      default:
        return this.#user.act(step, this.#view);
    }
  }

  /** A user opens a row by its address. */
  #mountUnread(step: Step): void {
    const ids = this.#user.unread();
    const id = ids[Math.floor(step.at * ids.length)];
    if (id === undefined) return;
    this.#world.play('mountUnread');
    this.#checker.mount({ kind: 'get', id });
  }

  /** A call stays in flight, before or after the server has handled it, until the end of the run. */
  #hold({ at }: Step): void {
    const writes = this.#world.network.movable().filter(isWrite);
    const exchange = writes[Math.floor(at * writes.length)];
    if (!exchange) return;
    this.#world.play('hold');
    this.#world.note(`hold ${exchange.number}`);
    exchange.isHeld = true;
  }

  /** Every request soon gets its response except the held ones; then no user acts, and the reads that follow are counted. */
  async #idle(): Promise<void> {
    const { network, requests, time, subject } = this.#world;
    if (!subject.hasShapes || !network.online) return;
    this.#world.note('idle');
    for (let moves = 0; moves < 200 && network.movable().some(isWrite); moves++) await this.#moveWhenIdle();
    if (network.movable().some(isWrite)) return;
    this.#world.play(network.exchanges.some(isWrite) ? 'idleWhileHeld' : 'idle');
    requests.rest(true);
    const endMs = time.elapsedMs + IDLE_MS;
    while (time.elapsedMs < endMs) {
      if (network.movable().length > 0) await this.#moveWhenIdle();
      else await this.#passTime(Math.min(endMs - time.elapsedMs, (time.nextDelayMs() ?? IDLE_MS) + 1));
    }
    requests.rest(false);
  }

  /** Time passes in which reads soon get their responses, and nothing else happens. */
  async #linger(ms: number): Promise<void> {
    const { network, time } = this.#world;
    this.#world.play('linger');
    const endMs = time.elapsedMs + ms;
    while (time.elapsedMs < endMs) {
      if (network.movable().some((exchange) => !isWrite(exchange))) await this.#moveWhenIdle();
      else await this.#passTime(Math.min(endMs - time.elapsedMs, (time.nextDelayMs() ?? ms) + 1));
    }
  }

  async #moveWhenIdle(): Promise<void> {
    await this.#passTime(LATENCY_MS);
    const movable = this.#world.network.movable();
    const exchange = movable.find((one) => !isWrite(one)) ?? movable[0];
    if (!exchange) return;
    if (exchange.phase === 'sent') this.#handle(exchange, undefined);
    if (exchange.delivery) this.#world.deliver(exchange);
    await settle();
    this.#afterStep();
  }

  /** Another client reads a list, or a row and a list, and saves. */
  async #saveState(step: Step): Promise<void> {
    const { server, states, subject } = this.#world;
    if (!subject.saveElsewhere) return;
    const lists = LISTS.filter((filter) => !('feed' in filter));
    const calls: PlainRead[] = [{ kind: 'list', filter: lists[Math.floor(step.at * lists.length)]! }];
    const ids = [...server.items.keys()];
    const id = ids[Math.floor(step.with * ids.length)];
    if (id !== undefined && step.with > 0.5) calls.unshift({ kind: 'get', id });
    this.#world.play('saveState');
    await states.save(step.with > 0.85 ? calls.slice(0, 1) : calls);
  }

  /**
   * The page is closed and opened again with the saved state; only at rest, because requests in flight are lost with the page.
   */
  #reopen(step: Step): void {
    const world = this.#world;
    const { network, mutations, polls, handed, subject } = world;
    const isAtRest = network.exchanges.length + mutations.length + polls.length === 0;
    if (!subject.reopen || !isAtRest || handed.some((one) => one.state === 'pending')) {
      this.#moveNetwork(step.at, this.#pickFault(step));
      return;
    }
    world.note('reopen');
    for (const { watch } of this.#checker.mounted) watch.stop();
    world.mayBeFreshSince = ++world.stamp;
    world.acknowledged.clear();
    // deletions are not saved, so an earlier state may bring a deleted row back
    world.states.reset();
    world.oracle.doubted.clear(); // whether data that was saved as stale is handled right is checked by what is fresh in the end
    world.requests.wishAll();
    subject.reopen();
    world.notes.reopened();
    world.statements.reopened();
    this.#checker.forgetPast();
    this.#checker.mountAgain();
  }

  #pickFault(step: Step): Fault | undefined {
    const { faultRate, isPaired } = this.#schedule;
    if (step.fault >= faultRate) return undefined;
    const fault = FAULTS[Math.floor((step.fault / faultRate) * FAULTS.length)]!;
    // an empty response to a write contains more for a client with optimistic updates than for one without
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

  /** Two or three responses in one tick, zero or a few microtasks apart; the server has handled all of them before. */
  async #burst({ at, with: fraction }: Step): Promise<void> {
    const world = this.#world;
    const { network } = world;
    for (const exchange of network.movable())
      if (exchange.phase === 'sent') this.#handle(exchange, undefined);
    const microtasks = Math.floor(fraction * 7);
    for (let count = fraction * 7 - microtasks < 0.7 ? 2 : 3; count > 0; count -= 1) {
      const ready = network.movable().filter(({ phase }) => phase === 'handled');
      const exchange = ready[Math.floor(at * ready.length)];
      if (!exchange) return;
      world.endedInStep++;
      world.deliver(exchange);
      for (let passed = 0; passed < microtasks; passed += 1) await Promise.resolve();
    }
  }

  #handle(exchange: Exchange, befallen: Fault | undefined): void {
    const world = this.#world;
    const fault = befallen ?? world.mutations.find((mutation) => mutation.exchange === exchange)?.end;
    // after a create or a count with an empty response no client can know the result
    const isClosing = exchange.path.endsWith('/close');
    const isMute = (fault === 'empty' || fault === 'wrongShape') && exchange.method === 'POST' && !isClosing;
    // an object of unknown type stays in such a list unchanged, and an object around a list may lack the list
    const isObject = exchange.path === '/things' || 'orderBox' in exchange.query;
    const isTaken = fault === 'wrongShape' && isObject;
    // the sent values of a note without a version are kept where the response omits them, and order decides
    const isUnversioned =
      (fault === 'empty' || fault === 'wrongShape') && isOfNotes(exchange) && isWrite(exchange);
    // such a response also omits the fields that the server has set by itself
    const isUntold =
      (fault === 'empty' || fault === 'wrongShape') && isOfJobs(exchange) && isHandover(exchange.body);
    const usable = isMute || isTaken || isUnversioned || isUntold ? undefined : fault;
    const before = new Set([...world.server.items.keys(), ...world.server.jobs.jobs.keys()]);
    world.note(`handle ${exchange.number} ${usable ?? ''}`);
    world.network.handle(exchange, usable);
    if (!isWrite(exchange) || (exchange.epoch === world.epoch && !exchange.ended)) return;
    // an abandoned write that arrives late is the change of somebody else
    for (const id of namedRows(exchange)) world.tainted.add(id);
    for (const id of [...world.server.items.keys(), ...world.server.jobs.jobs.keys()])
      if (!before.has(id)) world.tainted.add(id);
  }

  /** Until the next timer: a time limit, a poll, the end of a pause. */
  async #wait(): Promise<void> {
    const { time } = this.#world;
    this.#world.note(`wait ${time.nextDelayMs()}`);
    if (time.runNext(DAY_MS)) await this.#runDue();
  }

  /** The other timers of this same moment, each with its consequences. */
  async #runDue(): Promise<void> {
    do await settle();
    while (this.#world.time.runNext(0));
  }

  /** A slice of the collection that waits for idle time, or all that are left of it; otherwise time until one waits. */
  async #sweep(fraction: number): Promise<void> {
    const { surroundings } = this.#world;
    if (!surroundings.isAwaited) {
      await this.#wait();
      return;
    }
    this.#world.note('sweep');
    this.#hasSwept = true;
    do surroundings.giveSlice();
    while (fraction > 0.3 && surroundings.isAwaited);
  }

  /** The page becomes visible, or hidden. */
  #focus(fraction: number): void {
    const { visible } = this.#world.surroundings;
    const isVisible = !visible.isOn || fraction < 0.6;
    this.#world.note(`visible ${isVisible}`);
    visible.turn(isVisible);
    this.#world.awayUntilMs = this.#world.time.elapsedMs;
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
          kind: 'item',
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

  /** Lets every request in flight end, in an order drawn from the seed. */
  async #drain(): Promise<void> {
    const { network, time, random } = this.#world;
    network.release();
    for (let round = 0; round < 1_000; round++) {
      if (network.movable().length > 0) this.#moveNetwork(random.next(), undefined);
      else if (network.exchanges.length > 0) {
        if (time.pendingTimers === 0) throw new Violation('I12', 'a silent request has no time limit');
        await this.#wait();
      } else if (this.#world.isRepeating) {
        if (!network.online) this.#world.goOnline(true);
        await this.#wait();
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

  /** Every read that failed for mounted readers is sent again automatically, until it succeeds. */
  async #recover(): Promise<void> {
    const { network, random, surroundings, time } = this.#world;
    if (this.#schedule.errorMs === undefined) return;
    surroundings.visible.turn(true);
    this.#world.goOnline(true);
    await settle();
    const endMs = time.elapsedMs + RECOVERY_MS;
    for (;;) {
      const failed = this.#checker.failed();
      if (failed === undefined) return;
      const isStuck = network.exchanges.length === 0 && time.pendingTimers === 0;
      if (isStuck || time.elapsedMs > endMs) throw new Violation('I13', `${failed} is not tried again`);
      if (network.movable().length > 0) this.#moveNetwork(random.next(), undefined);
      else await this.#wait();
      await settle();
      this.#afterStep();
    }
  }

  async #refetch(): Promise<void> {
    const world = this.#world;
    world.goOnline(true);
    const { lists, pages } = world.oracle.view(false);
    for (const filter of world.lists) if (lists.has(listKey(filter))) world.issue({ kind: 'list', filter });
    for (const filter of PAGES) if (pages.includes(listKey(filter))) world.issue({ kind: 'list', filter });
    const refetched = [...world.knownItems];
    for (const id of refetched) world.issue({ kind: 'get', id });
    for (const id of world.users) world.issue({ kind: 'user', id });
    world.notes.refetch();
    await settle();
    await this.#drain();
    this.#checkIdle();
    checkRefetched(world, refetched);
    world.notes.checkRefetched();
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
