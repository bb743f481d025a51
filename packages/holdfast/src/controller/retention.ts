// Keeps memory as small as what is in use: every so often, in idle time, what no reader, request or pending mutation
// uses and what has not come lately is removed. Runs between `start` and `stop`, and only while there is something.
import type { LiveSubscriptions } from '../dispatch/live-subscriptions.ts';
import { createCollector } from '../normalize/collect.ts';
import type { Collect } from '../normalize/collect.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Node } from '../store/graph.ts';
import { LONGEST_TIMER_MS, unref } from '../support/environment.ts';
import type { TimerId } from '../support/environment.ts';
import type { Observers } from './observe/observers.ts';
import { namedBy, rowsAmong } from '../dispatch/write-queues.ts';
import type { Core } from './state/core.ts';

/** Milliseconds for which data stays after its last use. */
export const DEFAULT_RETENTION_MS = 300_000;

/** Less time than this is not worth another step. */
const MIN_SLICE_MS = 1;

export interface Retention {
  start(): void;
  stop(): void;
  /** Something happened, or was looked up: there may be something to remove, in a while. */
  wake(): void;
}

export function createRetention(
  core: Core,
  observers: Observers,
  live: LiveSubscriptions,
  retentionMs: number,
): Retention {
  const { timers, idle } = core.environment;
  let isRunning = false;
  let collect: Collect | null = null;
  /** Of the store that is collected. */
  let engine: Engine | null = null;
  /** Ends the wait or the collection that is under way; null when there is neither. */
  let cancel: (() => void) | null = null;

  /** Readers, requests under way and live subscriptions; pending mutations are the engine's own. */
  function* roots(): IterableIterator<Node> {
    for (const observer of core.observed) yield observer.view();
    for (const { call } of [...core.flights, ...core.flights.reads])
      yield* rowsAmong(namedBy(core.engine, call));
    for (const key of live.byKey.keys()) {
      const slot = core.engine.store.slots.get(key);
      if (slot) yield slot;
    }
  }

  const wake = (): void => {
    if (!isRunning || cancel) return;
    // a stamp, not the time of day, which may step back: what came later is young
    const youngSince = core.engine.store.timeline.tick();
    let timer: TimerId = null;
    cancel = () => timers.clear(timer);
    timer = timers.set(
      () => {
        if (engine !== core.engine) collect = createCollector((engine = core.engine), roots);
        runSlice(collect!(youngSince)); // made with the first engine
      },
      Math.min(retentionMs, LONGEST_TIMER_MS),
    );
    // a process that has nothing else to do ends, and its memory with it
    unref(timer);
  };

  /** Goes on with a collection when there is time, as long as there is. */
  const runSlice = (work: Generator<void, void>): void => {
    let slice: TimerId = null;
    cancel = () => {
      idle.cancel(slice);
      work.return();
    };
    slice = idle.request((timeLeftMs) => {
      // a reset in the middle: what was marked belongs to a store that is gone
      if (engine !== core.engine) work.return();
      while (!work.next().done) {
        if (timeLeftMs() > MIN_SLICE_MS) continue;
        runSlice(work);
        return;
      }
      cancel = null;
      observers.forgetIdle();
      core.emit({ type: 'collect' });
      if (core.engine.size + observers.size) wake();
    });
  };

  return {
    wake,
    start() {
      isRunning = retentionMs < Infinity;
      wake();
    },
    stop() {
      isRunning = false;
      cancel?.();
      cancel = null;
    },
  };
}
