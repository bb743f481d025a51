// What the controller's parts share: the engine, the requests in flight, the environment and the options. Controller is
// its public face; the folders beside this one are its verbs.
import { Flights } from '../../dispatch/flights.ts';
import type { ControllerEvent, Send } from '../../dispatch/manager.ts';
import { Engine } from '../../normalize/engine.ts';
import { Timeline } from '../../store/timeline.ts';
import type { Row } from '../../store/nodes.ts';
import type { Environment } from '../../support/environment.ts';
import { ResetError } from '../../support/errors.ts';
import { Alarms } from './alarms.ts';
import type { Lifetimes } from './lifetimes.ts';
import { PendingMutations } from './pending.ts';

/** How the library's own functions reach what a controller is made of. */
export const CORE: unique symbol = Symbol('holdfast.core');

/** An observer that may miss something. */
export interface WantingReader {
  readonly isWanting: boolean;
  refresh(): void;
  readShown(): { readonly data: unknown; readonly error: Error | undefined };
  ensurePromise(): Promise<unknown>;
}

/** States that are still to come; see arrivals.ts. */
export interface Arriving {
  /** What the reader has to wait for, if a state that is there and not taken in yet may bring what it misses. */
  waitFor(reader: WantingReader): Promise<unknown> | undefined;
  /** What the reader was given to wait for, while it is being served. */
  awaitedBy(reader: WantingReader): Promise<unknown> | undefined;
  /** What was there from the start is on screen: the rest may come in at leisure. */
  finish(): void;
}

/** How a controller takes its initial state in: the code for it comes with the state, not with the controller. */
export const START: unique symbol = Symbol('holdfast.start');

/** What a controller may start with. Made by `savedState` and `readPage`. */
export interface InitialState {
  /** Takes the state in; gives what is still to come after it. */
  readonly [START]: (core: Core) => Arriving | null;
}

/** A row that exists here before the server has named it. */
export interface Draft {
  readonly row: Row;
  /** Fulfilled once the server has named the row; rejected when its creation failed. */
  readonly named: Promise<unknown>;
  /** The requests that wait for the name: a delete of the row aborts them. */
  readonly waiting: Set<AbortController>;
}

type CoreParts = Pick<Core, 'environment' | 'lifetimes' | 'send' | 'emit' | 'touch'>;

export class Core {
  /** Replaced by a reset; never keep it across an await. */
  engine: Engine;
  /** Counts resets: the answer to a request of an earlier one may not enter the store. */
  generation = 0;
  /** States that are still to come; null when none are. */
  arrivals: Arriving | null = null;
  readonly environment: Environment;
  readonly lifetimes: Lifetimes;
  readonly send: Send;
  readonly emit: (event: ControllerEvent) => void;
  /** Call before a look-up: it may create nodes without an event, so the next collection must be scheduled. Cheap. */
  readonly touch: () => void;
  readonly flights: Flights;
  /** By local id, until the server has answered their creation. */
  readonly drafts: Map<string, Draft> = new Map();
  /** When observers look again at what they show. */
  readonly alarms: Alarms;
  readonly pending: PendingMutations = new PendingMutations();
  readonly #timeline: Timeline;

  constructor({ environment, lifetimes, send, emit, touch }: CoreParts) {
    this.environment = environment;
    this.lifetimes = lifetimes;
    this.send = send;
    this.emit = emit;
    this.touch = touch;
    this.flights = new Flights(environment.timers);
    this.alarms = new Alarms(environment);
    this.#timeline = new Timeline(environment.clock);
    this.engine = this.#createEngine();
  }

  #createEngine(): Engine {
    return new Engine({ timeline: this.#timeline, random: this.environment.random });
  }

  /** Whether a mutation is pending whose guess may hide what is stored. */
  isGuessing(): boolean {
    return this.engine.store.intents.some(({ answeredAt }) => answeredAt === 0);
  }

  /** Whether nobody looks, or the network is away. */
  isAway(): boolean {
    const { online, visibility } = this.environment;
    return !(online.isOnline() && visibility.isVisible());
  }

  /** Opens a new generation: an empty store, nothing pending; whoever waits for a request is told. */
  reset(): void {
    this.generation += 1;
    this.engine = this.#createEngine();
    this.arrivals = null;
    this.pending.tell();
    this.drafts.clear();
    this.flights.abortAll(new ResetError());
    this.flights.advance();
  }
}
