// Calls a user's code in the middle of ours. A listener's own fault is reported as uncaught; it must not break the
// write, the request or the other listeners.

export function callSafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    throwLater(error);
  }
}

/** What a user's code gives; undefined when it throws. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Reports an error as uncaught. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
