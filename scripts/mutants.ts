// Changes the library in small ways, one at a time, and runs the tests on each changed copy: a mutant that no test notices
// is a hole in the tests, or code that does nothing. `npm run mutants` tries twenty at random and prints the seed;
// `npm run mutants -- 50 7` tries fifty of seed 7, `npm run mutants -- 50 7 endpoint` only in files whose path holds the word,
// `npm run mutants -- 50 7 endpoint contract` by the tests of the contract alone, which take seconds.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Order, Verdict } from './mutant-runner.ts';
import { applyMutation, isReal, mutationsOf } from './mutations.ts';

const root = join(import.meta.dirname, '..');
const library = join(root, 'packages/holdfast');
const [size = '20', seed = String(Date.now() % 100_000), word = '', by = ''] = process.argv.slice(2);

/** What is changed, and the tests that should notice, beside those of the contract. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  schema: ['engine', 'lists', 'validate'],
  endpoint: ['endpoint', 'writes'],
  controller: ['controller', 'writes', 'lists'],
};

/** A loop without end in a mutant: no time limit inside its process stops it. */
const RUN_LIMIT_MS = 180_000;

/** Numbers in [0, 1), the same for the same seed. */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const files = globSync(`src/{${Object.keys(FOLDERS).join()}}/**/*.ts`, { cwd: library })
  .filter((file) => !file.endsWith('.types.ts') && file.includes(word))
  .sort();
const mutants = files.flatMap((file) => {
  const source = readFileSync(join(library, file), 'utf8');
  return mutationsOf(source).map((mutation) => ({ file, source, mutation }));
});
const random = createRandom(Number(seed));
console.log(`seed ${seed}: ${size} of ${mutants.length} mutants in ${files.length} files`);

/** Beside the sources, where the copy finds what it imports; in node_modules the types would not be taken out. */
const copy = join(library, `.mutants-${process.pid}`);
const survivors: string[] = [];
let runner: ChildProcess | undefined;
/** What stood changed in the copy at the last order. */
let restored: readonly string[] = [];
let tried = 0;
try {
  cpSync(join(library, 'src'), join(copy, 'src'), { recursive: true });
  for (const folder of new Set(files.map((file) => file.split('/')[1] ?? ''))) {
    const killer = await findKiller(folder);
    if (killer !== undefined) throw new Error(`The sources as they are fail: ${killer}`);
  }
  while (tried < Number(size) && mutants.length > 0) {
    const [{ file, source, mutation }] = mutants.splice(Math.floor(random() * mutants.length), 1) as [
      (typeof mutants)[number], // cast: there is one
    ];
    if (!isReal(source, mutation)) continue;
    tried += 1;
    const path = join(copy, file);
    writeFileSync(path, applyMutation(source, mutation));
    const killer = await findKiller(file.split('/')[1] ?? '', path);
    writeFileSync(path, source);
    const name = `${file}:${mutation.line}\n    ${mutation.before.trim()}\n    ${mutation.after.trim()}`;
    if (killer === undefined) survivors.push(name);
    console.log(killer === undefined ? `SURVIVED ${name}` : `noticed by ${killer}: ${file}:${mutation.line}`);
  }
} finally {
  runner?.kill();
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${tried - survivors.length} of ${tried} noticed; survivors:\n${survivors.join('\n') || 'none'}`);

/** The first test that fails on the copy; undefined where all pass. Those of the contract go first. */
async function findKiller(folder: string, ...changed: readonly string[]): Promise<string | undefined> {
  const folders = ['conformance', ...((by !== 'contract' && FOLDERS[folder]) || [])];
  const killer = await ask({ changed: [...changed, ...restored], folders });
  restored = changed;
  return killer;
}

async function ask(order: Order): Promise<string | undefined> {
  runner ??= await startRunner();
  const present = runner;
  const answer = nextMessage(present);
  present.send(order);
  const timer = setTimeout(() => present.kill('SIGKILL'), RUN_LIMIT_MS);
  try {
    return (await answer).killer;
  } catch {
    runner = undefined;
    return 'a run without end';
  } finally {
    clearTimeout(timer);
  }
}

async function startRunner(): Promise<ChildProcess> {
  const started = fork(join(import.meta.dirname, 'mutant-runner.ts'), {
    cwd: root,
    env: { ...process.env, HOLDFAST_SOURCES: `${join(copy, 'src')}/` },
  });
  await nextMessage(started);
  return started;
}

async function nextMessage(child: ChildProcess): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    child.once('message', (verdict: Verdict) => resolve(verdict));
    child.once('exit', () => reject(new Error('the runner has ended')));
  });
}
