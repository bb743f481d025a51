// Runs one schedule: acts as the user, the scheduler and the clock, lets promises settle between steps, and asks the
// checks after each. At the end everything is delivered, compared with the server, fetched again and compared again.
import { exchangeKey, FAULTS, isWrite } from './model-network.ts';
import type { Exchange, Fault } from './model-network.ts';
import type { OracleView } from './oracle.ts';
import { Checker } from './checks.ts';
import { checkFreshEqualsServer, checkRefetched } from './final-checks.ts';
import type { Schedule, Step } from './schedule.ts';
import type { CreateSubject, Fields, ReadCall } from './subject.ts';
import { LISTS, readKey, Violation, World } from './world.ts';
import type { Draft } from './world.ts';

export interface Outcome {
  violation?: Violation;
  /** The step at which it was found. */
  atStep: number;
  hash: number;
  requests: number;
  /** What the client shows at the end, for paired runs. */
  ending: string;
  trace?: string[];
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
  #view: OracleView = { items: new Map(), users: new Map(), lists: new Map(), anchored: new Map() };
  #titles = 0;
  #asked: { key: string; canJoin: boolean; mustJoin: boolean; after: number } | undefined;

  constructor(schedule: Schedule, createSubject: CreateSubject, options: RunOptions) {
    this.#schedule = schedule;
    this.#world = new World(schedule, createSubject, options.isOptimistic ?? schedule.isOptimistic);
    if (options.withTrace) this.#world.trace = [];
    this.#checker = new Checker(this.#world);
  }

  async play(): Promise<Outcome> {
    const world = this.#world;
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
    outcome.hash = world.hash.value;
    outcome.requests = world.network.sentCount;
    return outcome;
  }

  #afterStep(): void {
    const world = this.#world;
    const orphan = world.orphans.find((handed) => handed.state !== 'rejected');
    if (orphan) throw new Violation('I14', `a ${orphan.call.kind} from before the reset is ${orphan.state}`);
    world.orphans = [];
    this.#checkSending();
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
        return this.#checker.mount(this.#pickRead(step));
      case 'unmount':
        return this.#checker.unmount(Math.floor(step.at * this.#checker.mounted.length));
      case 'elsewhere':
        return this.#changeElsewhere(step);
      case 'reset':
        world.reset();
        this.#checker.forgetPast();
        return;
      default:
        return this.#actAsUser(step);
    }
  }

  #actAsUser(step: Step): void {
    const world = this.#world;
    const { subject } = world;
    switch (step.do) {
      case 'get':
        return this.#ifTarget(step, (id) => this.#read({ kind: 'get', id }));
      case 'list':
        return this.#read({ kind: 'list', filter: LISTS[Math.floor(step.at * LISTS.length)]! });
      case 'user':
        return this.#read({ kind: 'user', id: step.at < 0.5 ? 'u1' : 'u2' });
      case 'create':
        return world.issue({ kind: 'create', body: this.#wholeBody(step) });
      case 'patch':
        return this.#ifTarget(
          step,
          (id, draft) => world.issue({ kind: 'patch', id, body: this.#partBody(step) }, draft),
          true,
        );
      case 'put':
        return this.#ifTarget(
          step,
          (id, draft) => world.issue({ kind: 'put', id, body: this.#wholeBody(step) }, draft),
          true,
        );
      case 'remove':
        return this.#ifTarget(step, (id, draft) => world.issue({ kind: 'remove', id }, draft), true);
      case 'rename':
        return world.issue({
          kind: 'rename',
          id: step.at < 0.5 ? 'u1' : 'u2',
          body: { name: this.#title() },
        });
      case 'set':
        return this.#ifTarget(step, (id) => this.#inBase(id) && world.setRow(id, this.#partBody(step)));
      case 'invalidateRow':
        return this.#ifTarget(step, (id) => this.#invalidate({ kind: 'get', id }));
      case 'invalidateList':
        return this.#invalidate({ kind: 'list', filter: LISTS[Math.floor(step.at * LISTS.length)]! });
      case 'invalidateLists':
        world.note('invalidate lists');
        for (const filter of LISTS) world.markInvalid({ kind: 'list', filter });
        return subject.invalidateLists();
      case 'expireLists':
        world.note('expire lists');
        world.mayBeFreshSince = ++world.stamp;
        return subject.expireLists();
      default:
        throw new Error(`no such action: ${step.do}`);
    }
  }

  /** A read by the user must not be served by a request that is older than the last news. */
  #read(call: ReadCall): void {
    const { network, freshSince, mayBeFreshSince, lastInvalidatedAt, epoch } = this.#world;
    const key = readKey(call);
    const since = Math.max(freshSince, lastInvalidatedAt.get(key) ?? 0);
    const underWay = network.exchanges.filter(
      (exchange) =>
        !exchange.ended && exchange.epoch === epoch && exchangeKey(exchange) === key && exchange.send > since,
    );
    const mustJoin = underWay.some((exchange) => exchange.send > mayBeFreshSince);
    this.#asked = { key, canJoin: underWay.length > 0, mustJoin, after: network.sentCount };
    this.#world.issue(call);
  }

  #checkSending(): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (!asked) return;
    const sent = this.#world.network.exchanges.filter(
      (exchange) => exchange.number > asked.after && exchangeKey(exchange) === asked.key,
    ).length;
    if (sent === 0 && !asked.canJoin)
      throw new Violation('I13', `${asked.key} joined a request older than the last news`);
    if (sent > (asked.mustJoin ? 0 : 1))
      throw new Violation('I13', `${asked.key} was sent twice in one freshness epoch`);
  }

  #invalidate(call: ReadCall): void {
    this.#world.note(`invalidate ${readKey(call)}`);
    this.#world.markInvalid(call);
    this.#world.subject.invalidate(call);
  }

  /** Users act on what they see. */
  #ifTarget(step: Step, act: (id: string, draft?: Draft) => void, canBeDraft = false): void {
    const world = this.#world;
    const view = this.#schedule.isPaired ? world.oracle.view(false) : this.#view;
    const names = [...view.items.keys()].filter((name) => {
      if (!name.startsWith('draft')) return true;
      return canBeDraft && world.drafts.some((draft) => draft.name === name && draft.localId);
    });
    const name = names[Math.floor(step.at * names.length)];
    if (name === undefined) return;
    const draft = world.drafts.find((other) => other.name === name);
    act(draft?.localId ?? name, draft);
  }

  #inBase(id: string): boolean {
    return this.#world.oracle.view(false).items.has(id);
  }

  #pickRead(step: Step): ReadCall {
    if (step.with < 0.6) return { kind: 'list', filter: LISTS[Math.floor(step.at * LISTS.length)]! };
    const ids = [...this.#view.items.keys()].filter((name) => !name.startsWith('draft'));
    const id = ids[Math.floor(step.at * ids.length)];
    return id === undefined ? { kind: 'user', id: 'u1' } : { kind: 'get', id };
  }

  #title(): string {
    return `t${++this.#titles}`;
  }

  #wholeBody(step: Step): Fields {
    return {
      title: this.#title(),
      status: step.with < 0.5 ? 'open' : 'done',
      group: (step.with * 10) % 1 < 0.5 ? 'a' : 'b',
      body: `body ${this.#titles}`,
    };
  }

  #partBody(step: Step): Fields {
    const part: Record<string, string> = {};
    if (step.with < 0.35) part['status'] = step.with < 0.2 ? 'done' : 'open';
    else if (step.with < 0.5) part['group'] = step.with < 0.42 ? 'a' : 'b';
    else if (step.with < 0.6) part['body'] = this.#title();
    else part['title'] = this.#title();
    if (step.with < 0.1) part['title'] = this.#title();
    return part;
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
    // a create whose answer names no row leaves every client guessing
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
        server.create({ title: this.#title(), status: 'open', group: 'a', body: '', owner: 'u1' }).id,
      );
    } else if (id !== undefined) {
      tainted.add(id);
      const method = step.with < 0.3 ? 'DELETE' : 'PATCH';
      server.answer({ method, path: `/items/${id}`, query: {}, body: this.#partBody(step) });
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
    const { lists } = world.oracle.view(false);
    for (const filter of LISTS) if (lists.has(JSON.stringify(filter))) world.issue({ kind: 'list', filter });
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
