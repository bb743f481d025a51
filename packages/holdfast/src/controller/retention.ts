// Keeps memory as small as what is in use: every so often, in idle time, what no reader, request or pending mutation
// uses and what has not come lately is removed. Runs between `start` and `stop`, and only while there is something.
import type { LiveSubscriptions } from '../dispatch/live-subscriptions.ts';
import { Collector } from '../normalize/collect.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Node } from '../store/view.ts';
import type { TimerId } from '../support/environment.ts';
import type { Observers } from './observe/observers.ts';
import { namedRows } from './slot/named-row.ts';
import type { Core } from './state/core.ts';

/** Milliseconds for which data stays after its last use. */
export const DEFAULT_RETENTION_MS = 300_000;

/** Less time than this is not worth another step. */
const LEAST_SLICE_MS = 1;

export class Retention {
  readonly #core: Core;
  readonly #observers: Observers;
  readonly #live: LiveSubscriptions;
  readonly #lengthMs: number;
  #engine: Engine | null = null;
  #collector: Collector | null = null;
  #isRunning = false;
  /** Ends the wait or the collection that is under way; null when there is neither. */
  #cancel: (() => void) | null = null;

  constructor(core: Core, observers: Observers, live: LiveSubscriptions, lengthMs: number) {
    this.#core = core;
    this.#observers = observers;
    this.#live = live;
    this.#lengthMs = lengthMs;
  }

  start(): void {
    this.#isRunning = this.#lengthMs < Infinity;
    this.wake();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Something happened, or was looked up: there may be something to remove, in a while. */
  wake(): void {
    if (!this.#isRunning || this.#cancel !== null) return;
    const { engine, environment } = this.#core;
    // a stamp, not the time of day, which may step back: what came later is young
    const youngSince = engine.store.timeline.tick();
    let timer: TimerId = null;
    this.#cancel = () => environment.timers.clear(timer);
    timer = environment.timers.set(() => this.#collect(youngSince), this.#lengthMs);
  }

  #collect(youngSince: number): void {
    const { engine } = this.#core;
    if (this.#engine !== engine || this.#collector === null) {
      this.#engine = engine;
      this.#collector = new Collector(engine, () => this.#roots());
    }
    this.#goOn(this.#collector.run(youngSince));
  }

  /** Goes on with a collection when there is time, as long as there is. */
  #goOn(work: Generator<void, number>): void {
    const { idle } = this.#core.environment;
    let slice: TimerId = null;
    this.#cancel = () => {
      idle.cancel(slice);
      work.return(0);
    };
    slice = idle.request((timeLeftMs) => {
      // a reset in the middle: what was marked belongs to a store that is gone
      if (this.#engine !== this.#core.engine) work.return(0);
      while (work.next().done !== true) {
        if (timeLeftMs() > LEAST_SLICE_MS) continue;
        this.#goOn(work);
        return;
      }
      this.#cancel = null;
      this.#observers.forgetIdle();
      this.#core.emit({ type: 'collect' });
      if (this.#core.engine.size + this.#observers.size > 0) this.wake();
    });
  }

  /** Readers, requests under way and live subscriptions; pending mutations are the engine's own. */
  *#roots(): IterableIterator<Node> {
    yield* this.#observers.views();
    const { engine, flights } = this.#core;
    const { slots } = engine.store;
    for (const { ask } of flights.all()) {
      const slot = slots.get(ask.slotKey);
      if (slot) yield slot;
      yield* namedRows(engine, ask);
    }
    for (const { key } of this.#live.entries()) {
      const slot = slots.get(key);
      if (slot) yield slot;
    }
  }
}
