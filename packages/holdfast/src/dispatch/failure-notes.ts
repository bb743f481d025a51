// What is known of a failed mutation besides its event, by its error: how to repeat the call, and that nobody was told. useMutation
// and FailedManager share it; an application without them does not contain it.
import type { Manager } from './manager.ts';

// Both are weak: an entry is collected together with its error.

/** Makes the call again, with the same idempotency key. With a FailedManager, also forgets the failure. */
export const retryOf: WeakMap<Error, () => Promise<unknown>> = new WeakMap();

/** The errors that no caller, no `onError` and no mounted hook has got. */
export const unseenErrors: WeakSet<Error> = new WeakSet();

/** Notes how each failed mutation is repeated. A FailedManager has noted its own function before, if there is one. */
export const RETRY_NOTES: Manager = {
  event(event) {
    if (event.type === 'failure' && !event.isRead && !retryOf.has(event.error))
      retryOf.set(event.error, event.retry);
  },
};
