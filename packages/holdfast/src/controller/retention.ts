// Keeps memory as small as what is in use: every so often, in idle time, what no reader, request or pending mutation
// uses and what has not come lately is removed. Runs between `start` and `stop`, and only while there is something.
import type { LiveSubscriptions } from '../dispatch/live-subscriptions.ts';
import { Collector } from '../normalize/collect.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Node } from '../store/view.ts';
import type { TimerId } from '../support/environment.ts';
import { Alarm } from './state/alarm.ts';
import type { Core } from './state/core.ts';
import { namedRow } from './request/named-row.ts';
import type { Observers } from './observe/observers.ts';

/** Milliseconds for which data stays after its last use. */
export const DEFAULT_RETENTION_MS = 300_000;

/** Less time than this is not worth another step. */
const LEAST_SLICE_MS = 1;

export class Retention {
  readonly #core: Core;
  readonly #observers: Observers;
  readonly #live: LiveSubscriptions;
  readonly #lengthMs: number;
  readonly #alarm: Alarm;
  #engine: Engine | null = null;
  #collector: Collector | null = null;
  #work: Generator<void, number> | null = null;
  #slice: TimerId = null;
  #isRunning = false;
  #isWaiting = false;
  /** The place on the line at which the wait began: what came later is young. No clock is asked, it may have stepped back. */
  #waitsSince = 0;

  constructor(core: Core, observers: Observers, live: LiveSubscriptions, lengthMs: number) {
    this.#core = core;
    this.#observers = observers;
    this.#live = live;
    this.#lengthMs = lengthMs;
    this.#alarm = new Alarm(core.environment.timers);
  }

  start(): void {
    this.#isRunning = this.#lengthMs < Infinity;
    this.wake();
  }

  stop(): void {
    this.#isRunning = false;
    this.#isWaiting = false;
    this.#alarm.clear();
    if (this.#slice !== null) this.#core.environment.idle.cancel(this.#slice);
    this.#slice = null;
    this.#work?.return(0);
    this.#work = null;
  }

  /** Something happened, or was looked up: there may be something to remove, in a while. */
  wake(): void {
    if (!this.#isRunning || this.#isWaiting || this.#work !== null) return;
    this.#isWaiting = true;
    this.#waitsSince = this.#core.engine.store.timeline.tick();
    this.#alarm.set(this.#lengthMs, () => {
      this.#isWaiting = false;
      this.#begin();
    });
  }

  #begin(): void {
    const { engine } = this.#core;
    if (this.#engine !== engine || this.#collector === null) {
      this.#engine = engine;
      this.#collector = new Collector(engine, () => this.#roots());
    }
    this.#work = this.#collector.run(this.#waitsSince);
    this.#request();
  }

  #request(): void {
    this.#slice = this.#core.environment.idle.request((timeLeftMs) => {
      this.#slice = null;
      this.#step(timeLeftMs);
    });
  }

  #step(timeLeftMs: () => number): void {
    const work = this.#work;
    if (work === null) return;
    // a reset in the middle: what was marked belongs to a store that is gone
    if (this.#engine !== this.#core.engine) work.return(0);
    for (let step = work.next(); step.done !== true; step = work.next()) {
      if (timeLeftMs() > LEAST_SLICE_MS) continue;
      this.#request();
      return;
    }
    this.#end();
  }

  #end(): void {
    this.#work = null;
    this.#observers.forgetIdle();
    this.#core.emit({ type: 'collect' });
    if (this.#core.engine.size + this.#observers.size > 0) this.wake();
  }

  /** Readers, requests under way and live subscriptions; pending mutations are the engine's own. */
  *#roots(): IterableIterator<Node> {
    yield* this.#observers.views();
    const { engine, flights } = this.#core;
    const { slots } = engine.store;
    for (const { slotKey, endpoint, args } of flights.all()) {
      const slot = slots.get(slotKey);
      if (slot) yield slot;
      const row = namedRow(engine, endpoint, args);
      if (row) yield row;
    }
    for (const { key } of this.#live.entries()) {
      const slot = slots.get(key);
      if (slot) yield slot;
    }
  }
}
