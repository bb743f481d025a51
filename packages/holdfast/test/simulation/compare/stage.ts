// The surroundings of the library in a comparison: server, network, clock, console and the controller, with a line of text for
// everything that passes between them. film.ts decides who acts when.
import { FAULTS, ModelNetwork } from '../model-network.ts';
import type { Fault } from '../model-network.ts';
import { createRandom } from '../random.ts';
import { settle } from '../simulate.ts';
import { Surroundings } from '../surroundings.ts';
import { VirtualTime } from '../virtual-time.ts';
import { Depot } from './depot.ts';
import type { Library, LooseController } from './library.ts';
import { describeError, Scribe } from './scribe.ts';
import type { Script, ScriptStep } from './script.ts';
import type { Shop } from './shop.ts';
import { pick } from './tables.ts';

const DAY_MS = 86_400_000;
const NEVER_MS = 365 * DAY_MS;
const MOST_ROUNDS = 300;

export class Stage {
  readonly library: Library;
  readonly script: Script;
  readonly shop: Shop;
  readonly scribe: Scribe;
  readonly depot = new Depot();
  readonly surroundings = new Surroundings();
  controller: LooseController;
  readonly #time = new VirtualTime();
  readonly #network: ModelNetwork;
  readonly #chance: () => number;
  readonly #random: () => number;
  #lines: string[] = [];

  constructor(library: Library, script: Script, shop: Shop) {
    this.library = library;
    this.script = script;
    this.shop = shop;
    const { Item, User, TextCard, ImageCard, Note, Label, Board, Digest } = shop;
    this.scribe = new Scribe([Item, User, TextCard, ImageCard, Note, Label, Board, Digest]);
    this.#chance = createRandom(script.seed ^ 0x9e3779b9).next;
    this.#random = createRandom(script.seed ^ 0x51ed270b).next;
    let stamp = 0;
    this.#network = new ModelNetwork({
      server: this.depot,
      stampSend: () => ({ send: ++stamp, epoch: 0, beside: [] }),
      onSend: () => undefined,
      onEnd: (exchange) => this.note('abort', `${exchange.number}`),
      chance: () => this.#chance() < 0.5,
    });
    this.#network.isDeaf = script.isDeaf;
    this.controller = this.createController(undefined);
  }

  note(kind: string, text: string): void {
    this.#lines.push(`${kind} ${this.scribe.text(text)}`);
  }

  /** A line with the value of a read, or its error. */
  record(kind: string, name: string, describe: () => string): void {
    let text: string;
    try {
      text = describe();
    } catch (error) {
      text = `threw ${describeError(error)}`;
    }
    this.note(kind, `${name} ${text}`);
  }

  takeLines(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  createController(savedText: string | undefined): LooseController {
    const { clock, timers } = this.#time;
    const { online, visible, idle } = this.surroundings;
    const { script, library } = this;
    const onEvent = (event: { type: string; key?: string }): void =>
      this.note('event', `${event.type} ${event.key ?? ''}`);
    const keptMs = script.keepMs ?? Infinity;
    const retention = { retentionMs: keptMs, retentionLength: keptMs }; // the second name is that of an earlier build
    const controller = new library.Controller({
      managers: [
        { event: onEvent },
        ...(script.retries ? [new library.RetryManager({ count: 2 })] : []),
        ...library.getDefaultManagers(),
      ],
      fetch: this.#fetch,
      clock,
      timers,
      random: this.#random,
      dataExpiryLength: script.lifeMs ?? NEVER_MS,
      errorExpiryLength: script.errorMs ?? NEVER_MS,
      ...retention,
      timeoutMs: 30_000,
      online: { isOnline: () => online.isOn, subscribe: online.subscribe },
      visibility: { isVisible: () => visible.isOn, subscribe: visible.subscribe },
      idle,
      ...(savedText !== undefined && { initialState: library.savedState(savedText) }),
    });
    controller.start();
    const loose = controller as unknown as LooseController; // cast: its own signatures ask for more than tables can tell
    const { getPending, watchQuery, watchPending } = library as Partial<Library>; // cast: methods of the controller in a build from before
    if (getPending) loose.getPending = getPending.bind(null, controller) as LooseController['getPending']; // cast: as above
    if (watchQuery) loose.watchQuery = watchQuery.bind(null, controller) as LooseController['watchQuery']; // cast: as above
    if (watchPending)
      loose.watchPending = watchPending.bind(null, controller) as LooseController['watchPending']; // cast: as above
    return loose;
  }

  readonly #fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { method = 'GET', body, headers, signal: _signal, ...rest } = init ?? {};
    const named = [...new Headers(headers)].map(([name, value]) => `${name}=${value}`);
    const others = Object.entries(rest).map(([name, value]) => `${name}=${String(value)}`);
    const text = [method, String(input), String(body), ...named, ...others].join(' ');
    this.note('send', `${text} @${this.#time.elapsedMs}`);
    return this.#network.fetch(input, init);
  };

  toggleOnline(): void {
    this.#network.online = !this.#network.online;
    this.surroundings.online.turn(this.#network.online);
  }

  pickFault({ fault }: ScriptStep): Fault | undefined {
    const { faultRate } = this.script;
    return fault < faultRate ? pick(FAULTS, fault / faultRate) : undefined;
  }

  /** One request is handled by the server, or its response arrives. */
  moveNetwork(position: number, fault: Fault | undefined): void {
    const exchange = pick(this.#network.movable(), position);
    if (!exchange) return;
    this.note('network', `${exchange.phase} ${exchange.number} ${fault ?? ''}`);
    if (exchange.phase === 'sent') this.#network.handle(exchange, fault);
    else this.#network.deliver(exchange);
  }

  async passTime(ms: number): Promise<void> {
    if (ms < 0) this.#time.stepBack(-ms);
    if (ms <= 0) return;
    const endMs = this.#time.elapsedMs + ms;
    while (this.#time.runNext(endMs - this.#time.elapsedMs)) await settle();
    this.#time.advance(endMs - this.#time.elapsedMs);
  }

  /** Until the next timer, and the others of that same moment. */
  async wait(): Promise<void> {
    this.note('wait', String(this.#time.nextDelayMs()));
    if (!this.#time.runNext(DAY_MS)) return;
    do await settle();
    while (this.#time.runNext(0));
  }

  /** Lets everything in flight end. */
  async drain(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && this.#network.exchanges.length > 0; round++) {
      if (this.#network.movable().length > 0) this.moveNetwork(this.#chance(), undefined);
      else await this.wait();
      await settle();
    }
  }

  /** Records warnings, and unhandled rejections, until the returned function is called. */
  listen(): () => void {
    const { warn, error } = console;
    console.warn = (...words: unknown[]) => this.note('warning', words.map(String).join(' '));
    console.error = (...words: unknown[]) => this.note('error', words.map(String).join(' '));
    const onStray = (reason: unknown): void => this.note('stray', describeError(reason));
    process.on('unhandledRejection', onStray);
    return () => {
      process.off('unhandledRejection', onStray);
      Object.assign(console, { warn, error });
    };
  }
}
