// What runs beside every controller unless it is told otherwise. All that joins, cancels and orders requests is no
// manager: it is part of every fetch (flights.ts), so that no choice of managers can lose it.
import { FocusManager } from './focus-manager.ts';
import type { Manager } from './manager.ts';
import { PollingManager } from './polling-manager.ts';

/**
 * The managers of a controller that was given none: {@link FocusManager} and {@link PollingManager}.
 *
 * @example new Controller({ managers: [new RetryManager(), ...getDefaultManagers()] });
 */
export function getDefaultManagers(): Manager[] {
  return [new FocusManager(), new PollingManager()];
}
