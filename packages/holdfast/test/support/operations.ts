// Counts the operations of the library instead of its time: every run of a block of its code, as counted by V8's coverage, every
// element that a native array method visits or moves, and every character that a regular expression matches. The count is the
// same on any machine, however busy.
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

// optimized code leaves counts out, and when code is optimized depends on how busy the machine is
for (const flag of ['--no-turbofan', '--no-maglev']) setFlagsFromString(flag);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const isLibrary = (url: string): boolean => /\/holdfast\/(src|dist)\//.test(url);

async function takeBlocks(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => isLibrary(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((total, { count }) => total + count, 0);
}

/** Counts the characters that regular expressions match; returns a function that undoes it. */
function watchExpressions(add: (characters: number) => void): () => void {
  const { exec } = RegExp.prototype;
  const replace = (value: typeof exec): unknown =>
    Object.defineProperty(RegExp.prototype, 'exec', { value, enumerable: false });
  replace(function watched(this: RegExp, text) {
    const found = exec.call(this, text);
    add(found?.[0].length ?? 0);
    return found;
  });
  return () => void replace(exec);
}

type Search = (this: readonly unknown[], ...args: readonly unknown[]) => unknown;

/** Replaces the native methods that walk an array with counting ones; returns a function that undoes it. */
function watchArrays(add: (elements: number) => void): () => void {
  const { indexOf, includes, splice } = Array.prototype;
  const watched: Record<string, Search> = {
    indexOf(...args) {
      const at = Reflect.apply(indexOf, this, args) as number; // cast: what it gives
      add(at < 0 ? this.length : at + 1);
      return at;
    },
    includes(...args) {
      const at = Reflect.apply(indexOf, this, args) as number; // cast: as above
      add(at < 0 ? this.length : at + 1);
      return Reflect.apply(includes, this, args);
    },
    splice(...args) {
      add(Math.max(0, this.length - Number(args[0])));
      return Reflect.apply(splice, this, args);
    },
  };
  Object.assign(Array.prototype, watched);
  for (const name of Object.keys(watched))
    Object.defineProperty(Array.prototype, name, { value: watched[name], enumerable: false });
  return () => {
    for (const [name, value] of Object.entries({ indexOf, includes, splice }))
      Object.defineProperty(Array.prototype, name, { value, enumerable: false });
  };
}

/** The number of operations that the library does while this function runs. */
export async function countOperations(run: () => Promise<unknown>): Promise<number> {
  await takeBlocks();
  let native = 0;
  const add = (more: number): void => void (native += more);
  const restore = [watchArrays(add), watchExpressions(add)];
  try {
    await run();
  } finally {
    for (const one of restore) one();
  }
  return (await takeBlocks()) + native;
}
