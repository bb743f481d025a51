// Takes the freshness of stored answers away: invalidated ones must not be shown, expired ones only until a fetch that
// is sent from now on. Requests under way do not count: they may know nothing of what made the data old.
import type { Slot } from '../store/nodes.ts';
import type { Core } from './state/core.ts';

/** Anything that recognises its keys: an endpoint, or a group of them. */
export interface KeyTest {
  testKey(key: string): boolean;
}

export function invalidateSlots(core: Core, slots: readonly Slot[]): void {
  age(core, slots, (slot, since) => {
    slot.invalidatedAt = since;
    slot.error = undefined;
    slot.failures = 0;
  });
  core.emit({ type: 'invalidate' });
  core.recheck();
}

export function expireSlots(core: Core, slots: readonly Slot[]): void {
  age(core, slots, (slot, since) => {
    slot.staleSince = since;
  });
  core.emit({ type: 'expire' });
  core.recheck();
}

/** The stored answers whose keys the test recognises; those that hold only an error too. */
export function slotsOf(core: Core, test: KeyTest): readonly Slot[] {
  return [...core.engine.store.slots.values()].filter((slot) => test.testKey(slot.key));
}

function age(core: Core, slots: readonly Slot[], change: (slot: Slot, since: number) => void): void {
  const { engine, flights } = core;
  engine.store.batch(() => {
    for (const slot of slots) {
      change(slot, engine.store.timeline.tick());
      flights.advanceKey(slot.key);
      engine.store.mark(slot);
    }
  });
}
