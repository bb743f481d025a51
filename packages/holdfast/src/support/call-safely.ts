// Calls a user's code in the middle of ours. A listener's own fault is reported as uncaught; it must not break the
// write, the request or the other listeners.

export function callSafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    // reported as uncaught
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** What a user's code gives; undefined when it throws. */
export function tryRun<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
