// The managers that most applications run, as a list to which an application adds its own. Sharing, cancelling and ordering
// requests is not the work of a manager: every fetch does it (flights.ts), whatever managers an application chooses.
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
