// Builds packages/holdfast/dist with the compiler: one .js and one .d.ts per source file, so that dist mirrors src,
// `sideEffects: false` lets a bundler drop whole modules, `export * as schema` stays a namespace that can be shaken, and
// `#env` stays an import that the package's own conditions answer. Then, file by file, esbuild shortens the members that no
// user meets, because bundlers shorten `#private` names and variables, but no property; and Vite's minifier puts what is used
// once where it is used, which not every bundler does. Statements and variables stay, for debuggers.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { transform } from 'esbuild';
import { minifySync } from 'vite';
import type { MinifyOptions } from 'vite';
import { writeArrows } from './arrow-functions.ts';
import { isLint, library, parse, usedMember, walk } from './declarations.ts';
import { shipPages } from './docs/ship.ts';
import { inlineQuestions } from './inline-questions.ts';
import { internalNames } from './internal-names.list.ts';

const dist = join(library, 'dist');
const searched = join(import.meta.dirname, 'short-names.json');

// the compiler rewrites `./x.ts` to `./x.js` in code but not in declarations
const specifier = /(\bfrom\s+|\bimport\s*\(\s*|^import\s+)(['"])(\.{1,2}\/[^'"]+)\.ts\2/gm;
// a field without a value is there for the type checker, the constructor assigns it: emitted, it is written twice per
// instance. The line stays, empty, so that source maps hold
const bareField = /^ {4}(?!(?:return|break|continue|debugger);)(?:[\w$]+|\[\w+\]);$/gm;
// esbuild, as a bundler, keeps a variable's name free in every method for the inner name of a class declaration: without it,
// methods name their variables as functions do, and what looks alike compresses better. The constant gives the class its name
const classDeclaration = /^(export )?class (\w+)(?=[^;]* \{$)/gm;
// the compiler's second name for a class whose methods name the class
const alias = /^var _a;$([^]*)^_a = (\w+);$/m;
const mapComment = /\n\/\/# sourceMappingURL=\S+\s*$/;

/**
 * As searched for (search-names.ts). Names that came later: one letter for those used most, then two. None that is a member's name
 * already.
 */
function shortNames(): { names: Record<string, string>; free: ReadonlySet<string> } {
  const counts = new Map<string, number>();
  for (const [file, code] of scripts) {
    if (isLint(file)) continue;
    walk(parse(file, code), (node) => {
      const name = usedMember(node);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    });
  }
  const byCount = internalNames.toSorted((left, right) => (counts.get(right) ?? 0) - (counts.get(left) ?? 0));
  // by their frequency, as minifiers name variables: what looks alike compresses better
  const letters = 'etnriosalcdhupmfgybvwkxjqzSTCEARPMILDONHBFGWVUYKXJQZ'.split('');
  const short = ['', ...letters]
    .flatMap((first) => letters.map((letter) => first + letter))
    .filter((name) => !counts.has(name));
  const free = new Set(short);
  const found = JSON.parse(readFileSync(searched, 'utf8')) as Record<string, string>; // cast: written by search-names.ts
  const names = Object.fromEntries(
    Object.entries(found).filter(([name, one]) => internalNames.includes(name) && free.delete(one)),
  );
  for (const name of byCount) {
    const [next = name] = free;
    if (!names[name]) free.delete((names[name] = next));
  }
  return { names, free };
}

/** Shortens the listed members of one file, and makes its source map speak of the sources still. */
async function shorten(file: string, code: string, names: Record<string, string>): Promise<void> {
  const map = readFileSync(`${file}.map`).toString('base64');
  const inlined = code.replace(mapComment, `\n//# sourceMappingURL=data:application/json;base64,${map}`);
  const result = await transform(inlined, {
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    sourcemap: 'external',
    sourcefile: basename(file),
    ...(!isLint(file) && { mangleProps: new RegExp(`^(?:${internalNames.join('|')})$`), mangleCache: names }),
  });
  const { code: dense, map: denseMap } = minifySync(basename(file), result.code, {
    module: true,
    // reading a member has no effect in these sources: what one read gives and is used once goes where it is used
    compress: {
      target: 'es2022',
      sequences: false,
      joinVars: false,
      treeshake: { propertyReadSideEffects: false },
    },
    mangle: false,
    codegen: { removeWhitespace: false },
    sourcemap: true,
    inputMap: JSON.parse(result.map) as NonNullable<MinifyOptions['inputMap']>, // cast: that is what esbuild writes
  });
  writeFileSync(file, `${dense}\n//# sourceMappingURL=${basename(file)}.map\n`);
  writeFileSync(`${file}.map`, JSON.stringify(denseMap));
}

// built beside dist and put in its place at the end: whoever reads dist meanwhile sees the old one whole
const next = join(library, `.dist-${process.pid}`);
const compiled = spawnSync('tsc', ['-p', 'tsconfig.build.json', '--outDir', next], {
  cwd: library,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
const files = existsSync(next) ? readdirSync(next, { recursive: true, encoding: 'utf8' }) : [];
const scripts = new Map<string, string>();
for (const file of files.sort()) {
  const path = join(next, file);
  if (file.endsWith('.d.ts'))
    writeFileSync(path, readFileSync(path, 'utf8').replace(specifier, '$1$2$3.js$2'));
  else if (file.endsWith('.js'))
    scripts.set(
      path,
      readFileSync(path, 'utf8')
        .replace(bareField, '')
        .replace(classDeclaration, '$1const $2 = class')
        .replace(alias, (_, code: string, name: string) => code.replaceAll(/\b_a\b/g, name)),
    );
}
const order = join(next, 'store/order.js');
const questions = scripts.get(order) ?? '';
for (const [file, code] of scripts) {
  const answered = inlineQuestions(file, code, order, questions);
  // bundlers remove calls of functions that are empty, and not of constants
  scripts.set(file, file.endsWith('env.production.js') ? answered : writeArrows(file, answered));
}
const { names, free } = shortNames();
// for the search: the names on the way out, those that nobody has, and marks in their place
if (process.env['NAMES'] === 'marked') {
  console.log(JSON.stringify({ names, free: [...free] }));
  for (const [at, name] of Object.keys(names).entries()) names[name] = `Zq${String(at).padStart(3, '0')}`;
}
// errors name a page: it ships, with those that it links to
shipPages(join(next, 'docs'));
await Promise.all([...scripts].map(([file, code]) => shorten(file, code, names)));
if (existsSync(next)) {
  const old = `${next}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
}
process.exitCode = compiled.status ?? 1;
