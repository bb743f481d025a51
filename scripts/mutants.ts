// Changes the library in small ways, one at a time, and runs the tests on each changed copy: a mutant that no test notices
// is a hole in the tests, or code that does nothing. `npm run mutants` tries twenty at random and prints the seed;
// `npm run mutants -- 50 7` tries fifty of seed 7, `npm run mutants -- 50 7 endpoint` only in files whose path holds the word.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { applyMutation, isReal, mutationsOf } from './mutations.ts';

const root = join(import.meta.dirname, '..');
const library = join(root, 'packages/holdfast');
const [size = '20', seed = String(Date.now() % 100_000), word = ''] = process.argv.slice(2);

/** What is changed, and the tests that should notice, beside those of the contract. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  schema: ['engine', 'lists'],
  endpoint: ['endpoint', 'writes'],
  controller: ['controller', 'writes', 'lists'],
};

/** A test that hangs is one that noticed. */
const TEST_LIMIT_MS = 30_000;
const RUN_LIMIT_MS = 600_000;

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
let tried = 0;
try {
  takeCopy();
  for (const folder of new Set(files.map((file) => file.split('/')[1] ?? ''))) {
    const killer = findKiller(folder);
    if (killer !== undefined) throw new Error(`The sources as they are fail: ${killer}`);
  }
  while (tried < Number(size) && mutants.length > 0) {
    const [{ file, source, mutation }] = mutants.splice(Math.floor(random() * mutants.length), 1) as [
      (typeof mutants)[number], // cast: there is one
    ];
    if (!isReal(source, mutation)) continue;
    tried += 1;
    takeCopy();
    writeFileSync(join(copy, file), applyMutation(source, mutation));
    const killer = findKiller(file.split('/')[1] ?? '');
    const name = `${file}:${mutation.line}\n    ${mutation.before.trim()}\n    ${mutation.after.trim()}`;
    if (killer === undefined) survivors.push(name);
    console.log(killer === undefined ? `SURVIVED ${name}` : `noticed by ${killer}: ${file}:${mutation.line}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${tried - survivors.length} of ${tried} noticed; survivors:\n${survivors.join('\n') || 'none'}`);

function takeCopy(): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  cpSync(join(library, 'src'), join(copy, 'src'), { recursive: true });
}

/** The first test that fails on the copy; undefined where all pass. Those of the contract go first. */
function findKiller(folder: string): string | undefined {
  for (const tests of [['conformance'], FOLDERS[folder] ?? []]) {
    // linear.test.ts counts calls in the sources, and would count none in a copy
    const options = `run --project node --bail 1 --exclude **/linear.test.ts --testTimeout ${TEST_LIMIT_MS} --hookTimeout ${TEST_LIMIT_MS}`;
    const folders = tests.map((name) => `packages/holdfast/test/${name}/`);
    const { status, stdout, stderr, error } = spawnSync(
      'npx',
      ['vitest', ...options.split(' '), ...folders],
      {
        cwd: root,
        encoding: 'utf8',
        timeout: RUN_LIMIT_MS,
        maxBuffer: 2 ** 28,
        env: { ...process.env, HOLDFAST_SOURCES: `${join(copy, 'src')}/` },
      },
    );
    if (status === 0) continue;
    if (error) return 'a run without end';
    return (
      / FAIL .*? > (.*)/.exec(stripVTControlCharacters(stdout + stderr))?.[1] ??
      'a file that cannot be loaded'
    );
  }
  return undefined;
}
