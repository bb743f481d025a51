// Failures that nobody handled. The test runner's own listeners stand aside meanwhile: to it any such failure is a fault.
import { breathe } from '../support/fake-world.ts';

const EVENT = 'unhandledRejection';

/** What was rejected and handled by nobody while this ran, and shortly after. */
export async function unhandledIn(run: () => unknown): Promise<unknown[]> {
  const others = process.listeners(EVENT);
  const found: unknown[] = [];
  const note = (reason: unknown): void => void found.push(reason);
  process.removeAllListeners(EVENT);
  process.on(EVENT, note);
  try {
    await run();
    await breathe();
  } finally {
    process.off(EVENT, note);
    for (const other of others) process.on(EVENT, other);
  }
  return found;
}
