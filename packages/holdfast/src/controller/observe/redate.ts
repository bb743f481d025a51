// Failures from before the clock was set back: each would stand until the clock is there again, and trying again at once
// for every step of the clock would be too often. They stand as long as a new one would, from now on. Used by observer.ts.
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import type { Aborts } from './aborts.ts';
import type { Core } from '../state/core.ts';
import { errorExpiry } from '../state/lifetimes.ts';

export function redateFailure(
  core: Core,
  endpoint: EndpointInterface,
  slotKey: string,
  aborts: Aborts | null,
): void {
  const { store } = core.engine;
  const slot = store.slot(slotKey);
  const expiresAt = errorExpiry(core, endpoint, slot.failures);
  if (aborts?.until) aborts.until = expiresAt;
  else
    store.batch(() => {
      slot.errorStamp = { ...slot.errorStamp, expiresAt };
      store.mark(slot);
    });
}
