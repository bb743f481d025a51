// Applies a normalized payload to base, with the extension before and after it. All writes of the controller pass through here;
// optimistic updates do not, because they leave base as it is.
import type { Flight } from '../../dispatch/flights.ts';
import type { Effects } from '../../store/effects.ts';
import type { Stamp } from '../../store/order.ts';
import type { Core } from '../state/core.ts';

/** Called inside a batch. `flight` is the request that the payload responds to. */
export function applyPayload(core: Core, effects: Effects, origin: Stamp, flight?: Flight): void {
  const end = core.seam.beforeStore?.(effects, origin, flight);
  core.engine.apply(effects, origin);
  end?.();
}
