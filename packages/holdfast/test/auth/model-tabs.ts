// The shared parts of tabs, as a model: locks that one tab holds at a time, and a channel whose messages reach all tabs but the
// sender.
import type { AuthManager } from 'holdfast/auth';

export interface Tabs {
  readonly lock: AuthManager.Lock;
  /**
   * One end of the channel, for one tab. The `deliver` of the channel decides when the others get a message; default: in a
   * moment.
   */
  createChannel(): AuthManager.Channel;
}

export function createTabs(deliver: (run: () => void) => void = queueMicrotask): Tabs {
  /** The end of the last turn, by the lock's name. */
  const last = new Map<string, Promise<unknown>>();
  const ends = new Set<Set<() => void>>();
  return {
    lock: {
      guard(name, run, signal) {
        const before = last.get(name) ?? Promise.resolve();
        let isGone = false;
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => {
            isGone = true;
            reject(new DOMException('waited too long', 'AbortError'));
          }),
        );
        const turn = before.then(() => (isGone ? (undefined as never) : run()));
        last.set(
          name,
          turn.catch(() => undefined),
        );
        return Promise.race([turn, aborted]);
      },
    },
    createChannel() {
      const hearing = new Set<() => void>();
      ends.add(hearing);
      return {
        notify() {
          for (const end of ends) if (end !== hearing) deliver(() => end.forEach((hear) => hear()));
        },
        listen(hear) {
          hearing.add(hear);
          return () => void hearing.delete(hear);
        },
      };
    },
  };
}
