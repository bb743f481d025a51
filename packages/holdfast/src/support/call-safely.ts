// Calls code of the application from inside the library. An error that a listener throws is reported as uncaught, because it must
// not break the write, the request or the other listeners.

export function callSafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** The result of the function; undefined if the function throws. */
export function tryRun<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
