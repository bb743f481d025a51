// What an application usually runs beside its controller, as a list to add to. All that joins, cancels and orders requests is
// no manager: it is part of every fetch (flights.ts), so that no choice of managers can lose it.
import { FocusManager } from './focus-manager.ts';
import type { Manager } from './manager.ts';
import { PollingManager } from './polling-manager.ts';

/**
 * {@link FocusManager}, which a controller that was given no managers has too, and {@link PollingManager}, which it gets
 * from the first hook that subscribes.
 *
 * @example new Controller({ managers: [new RetryManager(), ...getDefaultManagers()] });
 */
export function getDefaultManagers(): Manager[] {
  return [new FocusManager(), new PollingManager()];
}
