// Takes the freshness of stored answers away: invalidated ones must not be shown, expired ones only until a fetch that
// is sent from now on. Requests under way do not count: they may know nothing of what made the data old.
import type { AnyEndpoint, EndpointInterface, KeyTest } from '../endpoint/endpoint-interface.ts';
import { settle } from '../endpoint/settle.ts';
import type { Slot } from '../store/nodes.ts';
import type { Core } from './state/core.ts';

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

/**
 * The stored answers of an endpoint, whatever the arguments; those that hold only an error too. A `testKey` decides by the
 * key. An endpoint without one knows its answers by the pattern that they remember: its own, or its own and a longer query part.
 */
export function slotsOf(core: Core, given: AnyEndpoint | KeyTest): readonly Slot[] {
  const endpoint = settle(given) as Partial<Pick<EndpointInterface, 'testKey' | 'keyPattern'>>; // cast: it has one of the two
  const pattern = `${endpoint.keyPattern?.()}?`;
  return [...core.engine.store.slots.values()].filter(
    (slot) => endpoint.testKey?.(slot.key) ?? `${slot.keyPattern}?`.startsWith(pattern),
  );
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
