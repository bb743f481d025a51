// For scripts that run in a separate process with --expose-gc.
const { gc } = globalThis;
if (!gc) throw new Error('needs --expose-gc');

/**
 * The smallest heap size over several tries. On a busy machine, garbage that waits for a task of the platform is collected later;
 * a leak never is.
 */
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
