// Takes the freshness of stored answers away: invalidated ones must not be shown, expired ones only until a fetch that
// is sent from now on. Requests under way do not count: they may know nothing of what made the data old.
import type { AnyEndpoint, EndpointInterface, KeyTest } from '../endpoint/endpoint-interface.ts';
import { settle } from '../endpoint/endpoint-base.ts';
import type { Slot } from '../store/nodes.ts';
import { changeSlot } from './slot/write-slot.ts';
import type { Core } from './state/core.ts';

/** Invalidates or expires stored answers. */
export function ageSlots(core: Core, type: 'invalidate' | 'expire', slots: readonly Slot[]): void {
  const { engine, flights } = core;
  const { store } = engine;
  store.batch(() => {
    for (const slot of slots) {
      const since = store.timeline.tick();
      flights.advanceKey(slot.key);
      const isInvalid = type === 'invalidate';
      changeSlot(
        store,
        slot,
        isInvalid ? { invalidatedAt: since, error: undefined, failures: 0 } : { staleSince: since },
      );
    }
  });
  core.emit({ type });
}

/**
 * The stored answers of an endpoint, whatever the arguments; those that hold only an error too. A `testKey` decides by the
 * key. An endpoint without one knows its answers by the pattern of its keys: they remember it, or their keys are of that form,
 * whichever endpoint brought them, so none of its answers is left.
 */
export function slotsOf(core: Core, given: AnyEndpoint | KeyTest): readonly Slot[] {
  const endpoint = settle(given) as Partial<Pick<EndpointInterface, 'testKey' | 'keyPattern'>>; // cast: it has one of the two
  const pattern = endpoint.keyPattern?.() ?? '';
  const keys = new RegExp(pattern);
  return [...core.engine.store.slots.values()].filter(
    ({ key, keyPattern }) => endpoint.testKey?.(key) ?? (keyPattern === pattern || keys.test(key)),
  );
}
