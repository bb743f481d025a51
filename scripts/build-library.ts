// Builds packages/holdfast/dist with the compiler alone: one .js and one .d.ts per source file, so that dist mirrors
// src, `sideEffects: false` lets a bundler drop whole modules, `export * as schema` stays a namespace that can be
// shaken, and `#env` stays an import that the package's own conditions answer.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const library = join(import.meta.dirname, '../packages/holdfast');
const dist = join(library, 'dist');

// built beside dist and put in its place at the end: whoever reads dist meanwhile sees the old one whole
const next = join(library, `.dist-${process.pid}`);
const compiled = spawnSync('tsc', ['-p', 'tsconfig.build.json', '--outDir', next], {
  cwd: library,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});

// the compiler rewrites `./x.ts` to `./x.js` in code but not in declarations
const specifier = /(\bfrom\s+|\bimport\s*\(\s*|^import\s+)(['"])(\.{1,2}\/[^'"]+)\.ts\2/gm;
// a field without a value is there for the type checker, the constructor assigns it: emitted, it is written twice per
// instance. The line stays, empty, so that source maps hold
const bareField = /^ {4}(?!(?:return|break|continue|debugger);)(?:[\w$]+|\[\w+\]);$/gm;
for (const file of existsSync(next) ? readdirSync(next, { recursive: true, encoding: 'utf8' }) : []) {
  const path = join(next, file);
  if (file.endsWith('.d.ts'))
    writeFileSync(path, readFileSync(path, 'utf8').replace(specifier, '$1$2$3.js$2'));
  else if (file.endsWith('.js')) writeFileSync(path, readFileSync(path, 'utf8').replace(bareField, ''));
}
if (existsSync(next)) {
  const old = `${next}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
}
process.exitCode = compiled.status ?? 1;
