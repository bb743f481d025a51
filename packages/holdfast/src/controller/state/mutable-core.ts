// The one implementation of Core: what a controller is made of. A reset puts a new engine in; everything else stays.
import { Flights } from '../../dispatch/flights.ts';
import type { ControllerEvent, Send } from '../../dispatch/manager.ts';
import { Engine } from '../../normalize/engine.ts';
import { Timeline } from '../../store/timeline.ts';
import type { Environment } from '../../support/environment.ts';
import { ResetError } from '../../support/errors.ts';
import { Alarms } from './alarms.ts';
import type { Arriving, Core } from './core.ts';
import { Drafts } from './drafts.ts';
import type { Lifetimes } from './lifetimes.ts';
import { PendingBook } from './pending-book.ts';

/** What the core calls back for. */
export interface CoreHooks {
  emit(event: ControllerEvent): void;
  recheck(): void;
  touch(): void;
}

export class MutableCore implements Core {
  engine: Engine;
  generation = 0;
  arrivals: Arriving | null = null;
  readonly environment: Environment;
  readonly flights: Flights;
  readonly drafts: Drafts = new Drafts();
  readonly alarms: Alarms;
  readonly lifetimes: Lifetimes;
  readonly pending: PendingBook = new PendingBook();
  readonly send: Send;
  readonly #hooks: CoreHooks;
  readonly #timeline: Timeline;

  constructor(environment: Environment, lifetimes: Lifetimes, send: Send, hooks: CoreHooks) {
    this.environment = environment;
    this.lifetimes = lifetimes;
    this.send = send;
    this.#hooks = hooks;
    this.flights = new Flights(environment.timers);
    this.alarms = new Alarms(environment.timers, environment.clock);
    this.#timeline = new Timeline(environment.clock);
    this.engine = this.#createEngine();
  }

  emit(event: ControllerEvent): void {
    this.#hooks.emit(event);
  }

  recheck(): void {
    this.#hooks.recheck();
  }

  touch(): void {
    this.#hooks.touch();
  }

  #createEngine(): Engine {
    return new Engine({ timeline: this.#timeline, random: this.environment.random });
  }

  /** Opens a new epoch: an empty store, nothing pending, and everyone who waits is told. */
  reset(): void {
    this.generation += 1;
    this.engine = this.#createEngine();
    this.arrivals = null;
    this.pending.clear();
    this.drafts.clear();
    this.flights.abortAll(new ResetError());
    this.flights.advance();
  }
}
