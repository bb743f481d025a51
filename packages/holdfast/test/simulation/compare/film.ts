// One run of a script over one build: everything that is visible from outside, step by step, as lines of text. Nothing is judged
// here; compare.ts compares two films.
import { settle } from '../simulate.ts';
import type { Library } from './library.ts';
import { Readers } from './readers.ts';
import { describeError } from './scribe.ts';
import type { Script, ScriptStep } from './script.ts';
import { createShop } from './shop.ts';
import type { Shop } from './shop.ts';
import { Stage } from './stage.ts';
import { addressOf, createTables, pick } from './tables.ts';
import type { Call, Choices, Tables } from './tables.ts';

/** The lines of one step; each starts with its kind. */
export type Frame = readonly string[];

const shops = new WeakMap<Library, Map<boolean, Shop>>();

/** Endpoints have no state of a controller, so all runs of one build may share them. */
function shopOf(library: Library, isOptimistic: boolean): Shop {
  let made = shops.get(library);
  if (!made) shops.set(library, (made = new Map()));
  let shop = made.get(isOptimistic);
  if (!shop) made.set(isOptimistic, (shop = createShop(library, isOptimistic)));
  return shop;
}

export interface FilmOptions {
  /** Separate endpoints, because in development each remembers its warnings, and a replay would not warn again. */
  hasOwnShop?: boolean;
}

export async function takeFilm(
  library: Library,
  script: Script,
  options: FilmOptions = {},
): Promise<Frame[]> {
  const { isOptimistic } = script;
  const shop = options.hasOwnShop ? createShop(library, isOptimistic) : shopOf(library, isOptimistic);
  return new Film(new Stage(library, script, shop)).run();
}

class Film {
  readonly #stage: Stage;
  readonly #readers: Readers;
  readonly #tables: Tables;
  readonly #polls: Omit<Call, 'name'>[] = [];
  readonly #frames: Frame[] = [];
  #texts = 0;
  #calls = 0;
  #saved: string | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#readers = new Readers(stage);
    this.#tables = createTables(stage.shop);
  }

  async run(): Promise<Frame[]> {
    const stage = this.#stage;
    const { steps, readEvery } = stage.script;
    const stopListening = stage.listen();
    try {
      for (const [index, step] of steps.entries()) {
        await stage.passTime(step.ms);
        try {
          await this.#act(step);
        } catch (error) {
          stage.note('threw', describeError(error));
        }
        await settle();
        this.#endFrame((index + 1) % readEvery === 0);
      }
      await stage.drain();
      this.#endFrame(true);
      this.#readers.unmountAll();
      await settle();
      stage.controller.stop();
      this.#endFrame(true);
    } finally {
      stopListening();
    }
    return this.#frames;
  }

  #endFrame(withReads: boolean): void {
    this.#stage.scribe.beginRecord();
    this.#readers.describe();
    if (withReads) this.#readers.readAll();
    this.#frames.push(this.#stage.takeLines());
  }

  async #act(step: ScriptStep): Promise<void> {
    const stage = this.#stage;
    const { controller, surroundings } = stage;
    switch (step.do) {
      case 'network':
        return stage.moveNetwork(step.at, stage.pickFault(step));
      case 'wait':
        return stage.wait();
      case 'sweep':
        if (!surroundings.isAwaited) return stage.moveNetwork(step.at, stage.pickFault(step));
        do surroundings.giveSlice();
        while (step.with > 0.3 && surroundings.isAwaited);
        return;
      case 'write': {
        const [name, create] = pick(Object.entries(this.#tables.writes), step.at);
        const { endpoint, args } = create(this.#choices(step));
        return this.#issue(name, args, () => controller.fetch(endpoint, ...args));
      }
      case 'set':
        return this.#set(step);
      case 'mountQuery': {
        const { name, schema, args } = pick(this.#tables.queries, step.at)(this.#choices(step));
        return this.#readers.mount(name, args, (host) => host.watchQuery(schema, ...args), true);
      }
      case 'mountPending':
        return this.#readers.mountPending(this.#choices(step).item());
      case 'unmount':
        return this.#readers.unmount(step.at);
      case 'retry':
        return this.#readers.observerAt(step.at)?.retry();
      case 'ensure': {
        const promise = this.#readers.observerAt(step.at)?.ensure();
        if (promise) this.#issue('ensure', [], () => promise);
        return;
      }
      case 'reset':
        return controller.resetEntireStore();
      case 'rehydrate':
        return this.#startAnew();
      case 'hydrate':
        return this.#hydrate();
      case 'poll': {
        const poll = { endpoint: stage.shop.polled, args: [pick(stage.shop.lists, step.at)] };
        this.#polls.push(poll);
        return controller.subscribe(poll.endpoint, ...poll.args);
      }
      case 'unpoll': {
        const [poll] = this.#polls.splice(Math.floor(step.at * this.#polls.length), 1);
        if (poll) controller.unsubscribe(poll.endpoint, ...poll.args);
        return;
      }
      case 'offline':
        if (stage.script.faultRate > 0) stage.toggleOnline();
        return;
      case 'focus':
        return surroundings.visible.turn(!surroundings.visible.isOn || step.with < 0.6);
      case 'restart':
        controller.stop();
        return controller.start();
      case 'elsewhere':
        if (stage.script.hasOthers) stage.depot.changeElsewhere(step.at, step.with, this.#text());
        return;
      case 'snapshot':
        return this.#takeSnapshot(step);
      default:
        return this.#actOnRead(step);
    }
  }

  /** The action on one of the reads. */
  #actOnRead(step: ScriptStep): void {
    const { controller, depot } = this.#stage;
    const { name, endpoint, args } = pick(this.#tables.reads, step.at)(this.#choices(step));
    switch (step.do) {
      case 'fetch':
        return this.#issue(name, args, () => controller.fetch(endpoint, ...args));
      case 'fetchIfStale':
        return this.#issue(`ifStale ${name}`, args, () => controller.fetchIfStale(endpoint, ...args));
      case 'mount':
        return this.#readers.mount(name, args, (host) => host.watch(endpoint, ...args), step.fault < 0.8);
      case 'setResponse': {
        const address = addressOf[name]?.(args);
        if (address === undefined) return;
        const { value } = depot.answer({ method: 'GET', body: undefined, ...address });
        return this.#issue(`setResponse ${name}`, args, () =>
          controller.setResponse(endpoint, ...args, value),
        );
      }
      case 'setError':
        return this.#issue(`setError ${name}`, args, () =>
          controller.setError(endpoint, ...args, new Error('made up')),
        );
      case 'invalidate':
        this.#stage.note('act', `invalidate ${name} ${JSON.stringify(args)}`);
        return controller.invalidate(endpoint, ...args);
      case 'invalidateAll':
        return controller.invalidateAll(endpoint);
      case 'expireAll':
        return controller.expireAll(endpoint);
      default:
        throw new Error(`no such action: ${step.do}`);
    }
  }

  #choices(step: ScriptStep): Choices {
    const { depot, scribe } = this.#stage;
    const { items, cards, boards, users } = depot.tables;
    let turn = 0;
    // each further choice of one step picks another target
    const from = (ids: readonly string[]): string =>
      pick(ids, (step.with * 7 + step.fault + turn++ * 0.31) % 1);
    const locals = scribe.locals.filter((id) => !id.includes('%')).slice(-4);
    return {
      at: (step.at * 10) % 1,
      with: step.with,
      item: () => from([...items.keys(), ...locals, 'none']),
      card: () => from([...cards.keys(), ...locals.slice(-1)]),
      board: () => from([...boards.keys()]),
      user: () => from([...users.keys()]),
      text: () => this.#text(),
    };
  }

  /** Every text is new, so that a row shows which write it has. */
  #text(): string {
    return `t${++this.#texts}`;
  }

  /** A call whose end is recorded. */
  #issue(name: string, args: readonly unknown[], run: () => unknown): void {
    const stage = this.#stage;
    const number = ++this.#calls;
    stage.note('call', `${number} ${name} ${JSON.stringify(args)}`);
    const result = run();
    if (result instanceof Promise)
      result.then(
        (value) => stage.note('settled', `${number} ${this.#writeAlone(value)}`),
        (error: unknown) => stage.note('failed', `${number} ${describeError(error)}`),
      );
    else stage.note('gave', `${number} ${this.#writeAlone(result)}`);
  }

  #writeAlone(value: unknown): string {
    this.#stage.scribe.beginRecord();
    return this.#stage.scribe.write(value);
  }

  #set(step: ScriptStep): void {
    const { controller, shop } = this.#stage;
    const { Item, User, Label, TextCard } = shop;
    const choose = this.#choices(step);
    const id = choose.item();
    const title = choose.text();
    const [schema, args, value]: [unknown, object, unknown] =
      step.fault < 0.3
        ? [Item, { id }, (row: object | undefined) => ({ ...row, id, votes: 7 })]
        : step.with < 0.6
          ? [Item, { id }, { id, title, status: step.with < 0.5 ? 'open' : 'done' }]
          : step.with < 0.75
            ? [User, { id: 'A' }, { name: title }]
            : step.with < 0.9
              ? [Label, { id: 'red' }, { id: 'red', name: title, rank: step.at < 0.5 ? 0 : 2 }]
              : [TextCard, { id: choose.card() }, { title }];
    this.#issue('set', [args], () => controller.set(schema, args, value));
  }

  #takeSnapshot(step: ScriptStep): void {
    const { controller, shop, scribe } = this.#stage;
    const snapshot = controller.snapshot();
    const id = this.#choices(step).item();
    scribe.beginRecord();
    this.#stage.record('snapshot', id, () =>
      scribe.write([snapshot.get(shop.Item, { id }), snapshot.get(shop.items.getList.schema, {})]),
    );
  }

  #save(): string {
    const state = JSON.stringify(this.#stage.library.dehydrate(this.#stage.controller as never)); // cast: see library.ts
    this.#stage.note('state', state);
    this.#saved = state;
    return state;
  }

  /** The page is closed and opened again with the saved state. */
  #startAnew(): void {
    const stage = this.#stage;
    const state = this.#save();
    this.#readers.stop();
    this.#polls.length = 0;
    stage.controller.stop();
    stage.controller = stage.createController(state);
    this.#readers.mountAgain();
  }

  /** Hydrates an earlier state over the present data, and saves the present state for the next time. */
  #hydrate(): void {
    const { library, controller } = this.#stage;
    const earlier = this.#saved;
    this.#save();
    if (earlier !== undefined) library.hydrate(controller as never, JSON.parse(earlier)); // cast: see library.ts
  }
}
