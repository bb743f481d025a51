// Schedules the removal of unused data, which collect.ts finds. A collection runs in idle time, at most once per retention period,
// and removes only data that it and the previous collection have found unused. Collections run between `start` and `stop` of the
// controller.
import type { LiveSubscriptions } from '../dispatch/live-subscriptions.ts';
import { createCollector } from '../normalize/collect.ts';
import type { RunCollection } from '../normalize/collect.ts';
import type { Engine } from '../normalize/engine.ts';
import type { Node } from '../store/graph.ts';
import { LONGEST_TIMER_MS, unref } from '../support/environment.ts';
import type { TimerId } from '../support/environment.ts';
import type { Observers } from './observe/observers.ts';
import { targetsOfCall, rowsAmong } from '../dispatch/write-queues.ts';
import type { Core } from './state/core.ts';

/** Data that is not used any more is kept for at least this many milliseconds. */
export const DEFAULT_RETENTION_MS = 300_000;

/**
 * If no more than this is left of the idle time after `MIN_SLICE_STEPS` steps, the collection pauses until the next idle callback.
 */
const MIN_SLICE_MS = 1;
/** A slice makes this many steps even if the idle time is shorter, so that each collection ends. */
const MIN_SLICE_STEPS = 16;

export interface Retention {
  start(): void;
  stop(): void;
  /**
   * Schedules a collection, if the controller is started, the retention is finite, and no collection is scheduled or running. It is
   * called at look-ups and events, because they may add data.
   */
  scheduleCollection(): void;
}

export function createRetention(
  core: Core,
  observers: Observers,
  live: LiveSubscriptions,
  retentionMs: number,
): Retention {
  const { timers, idle } = core.environment;
  let isRunning = false;
  let collect: RunCollection | null = null;
  /** The engine that `collect` was created for. */
  let engine: Engine | null = null;
  /** Cancels the timer or the running collection; null when neither exists. */
  let cancel: (() => void) | null = null;

  /**
   * The nodes in use: the views of readers, the rows that requests identify, and the slots of reads and of subscriptions.
   * collect.ts adds the nodes that these use.
   */
  function* roots(): IterableIterator<Node> {
    for (const observer of core.mountedObservers) yield observer.view();
    for (const { call } of [...core.flights, ...core.flights.reads])
      yield* rowsAmong(targetsOfCall(core.engine, call));
    for (const key of [...live.byKey.keys(), ...core.flights.reads.map(({ call }) => call.slotKey)]) {
      const slot = core.engine.store.slots.get(key);
      if (slot) yield slot;
    }
  }

  const scheduleCollection = (): void => {
    if (!isRunning || cancel) return;
    // Data that arrives after this time is kept. It is a time on the store's timeline, because the clock may be set back.
    const youngSince = core.engine.store.timeline.tick();
    let timer: TimerId = null;
    cancel = () => timers.clear(timer);
    timer = timers.set(
      () => {
        if (engine !== core.engine) collect = createCollector((engine = core.engine), roots);
        runSlice(collect!(youngSince)); // the line above has set it at the first collection
      },
      Math.min(retentionMs, LONGEST_TIMER_MS),
    );
    // This timer alone must not keep a Node.js process alive.
    unref(timer);
  };

  /**
   * Continues a collection at the next idle callback, until the idle time is over or the collection has ended. In the first case,
   * schedules the next slice.
   */
  const runSlice = (work: Generator<void, void>): void => {
    let slice: TimerId = null;
    cancel = () => {
      idle.cancel(slice);
      work.return();
    };
    slice = idle.request((timeLeftMs) => {
      // The store was reset during the collection. The collection ends, because its marks belong to the old store.
      if (engine !== core.engine) work.return();
      for (let steps = 1; !work.next().done; steps += 1) {
        if (steps < MIN_SLICE_STEPS || timeLeftMs() > MIN_SLICE_MS) continue;
        runSlice(work);
        return;
      }
      cancel = null;
      observers.forgetIdle();
      core.emit({ type: 'collect' });
      if (core.engine.size + observers.size) scheduleCollection();
    });
  };

  return {
    scheduleCollection,
    start() {
      isRunning = retentionMs < Infinity;
      scheduleCollection();
    },
    stop() {
      isRunning = false;
      cancel?.();
      cancel = null;
    },
  };
}
