// Runs the same random schedules over two builds of the library and reports where they can be told apart from outside:
// values, references, requests, wake-ups, errors, warnings, saved states. For changes that should change nothing.
// `npm run compare -- OLD NEW [--schedules 2000] [--steps 50] [--seed 1] [--condition development] [--ignore a,b] [--most 5]`
// with OLD and NEW as packed tarballs or unpacked packages. `--ignore` names kinds of lines (film.ts), `references` or
// `order`. Exit code 1: there are differences.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { compareBuilds, shrinkDifference } from '../packages/holdfast/test/simulation/compare/compare.ts';
import type { Builds } from '../packages/holdfast/test/simulation/compare/compare.ts';
import type { Library } from '../packages/holdfast/test/simulation/compare/library.ts';
import { createScript } from '../packages/holdfast/test/simulation/compare/script.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    schedules: { type: 'string', default: '2000' },
    steps: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    condition: { type: 'string', default: 'production' },
    ignore: { type: 'string', default: '' },
    most: { type: 'string', default: '5' },
  },
});
const [oldPath, newPath] = positionals;
if (oldPath === undefined || newPath === undefined) throw new Error('Name two builds: tarballs or packages.');
const { condition } = values;
const [count, steps, seed, most] = [values.schedules, values.steps, values.seed, values.most].map(Number) as [
  number,
  number,
  number,
  number,
]; // cast: four in, four out

/** The main entry in one file, so that each build is a module of its own, under the condition that was asked for. */
async function load(path: string, scratch: string): Promise<Library> {
  let folder = resolve(path);
  if (statSync(folder).isFile()) {
    execFileSync('tar', ['-xzf', folder, '-C', scratch]);
    folder = join(scratch, 'package');
  }
  const outfile = join(scratch, 'library.mjs');
  await build({
    entryPoints: [join(folder, 'dist/index.js')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    conditions: [condition],
    logLevel: 'error',
  });
  return (await import(pathToFileURL(outfile).href)) as Library; // cast: the package's main entry
}

const scratches = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'holdfast-compare-')));
try {
  const builds: Builds = {
    before: await load(oldPath, scratches[0]!),
    after: await load(newPath, scratches[1]!),
    isDevelopment: condition === 'development',
    ignored: new Set(values.ignore.split(',')),
  };
  const start = performance.now();
  const kinds = new Map<string, number>();
  for (let index = 0; index < count; index++) {
    const script = createScript(seed + index, steps);
    const difference = await compareBuilds(builds, script);
    if (!difference) continue;
    const { kind } = difference;
    const known = kinds.get(kind) ?? 0;
    kinds.set(kind, known + 1);
    if (known >= most) continue;
    const small = await shrinkDifference(builds, script, kind);
    const smallest = (await compareBuilds(builds, small)) ?? difference;
    console.log(
      `\n${kind}: seed ${script.seed}, step ${difference.step}; smallest, at step ${smallest.step}:`,
    );
    console.log(`  ${JSON.stringify(small)}`);
    console.log(`  before\n    ${smallest.before}\n  after\n    ${smallest.after}`);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const found = [...kinds].map(([kind, times]) => `${times} by ${kind}`).join(', ') || 'none';
  console.log(
    `${count} schedules of ${steps} steps from seed ${seed} (${condition}) in ${seconds} s; different: ${found}`,
  );
  process.exitCode = kinds.size > 0 ? 1 : 0;
} finally {
  for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true });
}
