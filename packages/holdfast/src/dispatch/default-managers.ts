// The managers that most applications run, as an array to which an application adds its own. No manager is needed to share, cancel
// or queue requests, because every controller does so itself (flights.ts).
import { FocusManager } from './focus-manager.ts';
import type { Manager } from './manager.ts';
import { PollingManager } from './polling-manager.ts';

/**
 * Creates a {@link FocusManager} and a {@link PollingManager}. A controller without the `managers` option has the FocusManager,
 * and gets a PollingManager when a hook first subscribes.
 *
 * @example new Controller({ managers: [new RetryManager(), ...getDefaultManagers()] });
 */
export function getDefaultManagers(): Manager[] {
  return [new FocusManager(), new PollingManager()];
}
