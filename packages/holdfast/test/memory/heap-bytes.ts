// For scripts that run in a process of their own with --expose-gc.
const { gc } = globalThis;
if (!gc) throw new Error('needs --expose-gc');

/** The least that the heap comes to. What waits for a task of the platform goes later on a busy machine, a leak never. */
export async function heapBytes(): Promise<number> {
  let least = Infinity;
  for (let calm = 0; calm < 5; calm += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc?.();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed < least - 4_096) calm = 0;
    least = Math.min(least, heapUsed);
  }
  return least;
}
