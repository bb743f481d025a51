// Two notes about failed mutations, by their errors: the function that repeats the call, and whether any code has got the error.
// useMutation and FailedManager share them; an application without these two does not contain them.
import type { Manager } from './manager.ts';

// The errors are held weakly: an entry is collected together with its error.

/** Makes the call again, with the same idempotency key. If a FailedManager keeps the failure, the function also forgets it. */
export const retryOf: WeakMap<Error, () => Promise<unknown>> = new WeakMap();

/** The errors that no caller, no `onError` and no mounted hook has got. */
export const unseenErrors: WeakSet<Error> = new WeakSet();

/** A manager that records how to repeat each failed mutation, unless a FailedManager has recorded its own function before. */
export const RETRY_NOTES: Manager = {
  event(event) {
    if (event.type === 'failure' && !event.isRead && !retryOf.has(event.error))
      retryOf.set(event.error, event.retry);
  },
};
