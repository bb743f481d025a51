// Unhandled rejections. The listeners of the test runner are removed meanwhile, because it counts any such rejection as an error.
import { breathe } from '../support/fake-world.ts';

const EVENT = 'unhandledRejection';

/** The rejections that nobody handled while this ran, and shortly after. */
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
