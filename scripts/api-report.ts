// Writes what each entry exports, names first and then their declarations, from the built `.d.ts` files to
// packages/holdfast/api/ENTRY.api.md. The files are committed, so a change of the public surface shows in a diff;
// with `--check` it compares instead of writing.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { library, readEntries, readModule, resolve } from './declarations.ts';
import type { Binding, Module } from './declarations.ts';

const reports = join(library, 'api');

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/\n?[ \t]*/g, '').replace(/^[ \t]*\n/gm, '');
}

function describe(exported: string, binding: Binding): string {
  const { file, name } = resolve(binding);
  if (name === '*') {
    const names = [...readModule(file).exports.keys()].sort();
    return `namespace ${exported} { ${names.join(', ')} }`;
  }
  const module = existsSync(file) ? readModule(file) : undefined;
  const declarations = module?.declarations.get(name);
  if (!module || !declarations) throw new Error(`no declaration of ${exported} (${name} in ${file})`);
  const text = declarations
    .map(({ start, end }) => withoutComments(module.text.slice(start, end)).replace(/^declare /, ''))
    .join('\n');
  return name === exported ? text : `// ${exported} is ${name}\n${text}`;
}

function report(entry: string, { exports }: Module): string {
  const names = [...exports.keys()].sort();
  const path = entry === 'index' ? 'holdfast' : `holdfast/${entry.replace(/^(react|testing)-/, '$1/')}`;
  const bodies = names.map((name) => ({
    name,
    text: describe(name, exports.get(name) ?? { file: '', name }),
  }));
  return [
    `# \`${path}\``,
    `Written by \`npm run check -- api --write\` from the built declarations; a change here is a change of the public surface.`,
    `${names.length} names.`,
    ...bodies.map(({ name, text }) => `## ${name}\n\n\`\`\`ts\n${text}\n\`\`\``),
    '',
  ].join('\n\n');
}

const entries = readEntries();
const wanted = new Map([...entries].map(([entry, module]) => [`${entry}.api.md`, report(entry, module)]));
const present = existsSync(reports) ? readdirSync(reports) : [];

if (process.argv.includes('--check')) {
  const stale = [...wanted].filter(
    ([file, text]) => !present.includes(file) || readFileSync(join(reports, file), 'utf8') !== text,
  );
  const differing = [...stale.map(([file]) => file), ...present.filter((file) => !wanted.has(file))];
  for (const file of differing)
    console.error(
      `packages/holdfast/api/${file} differs from what is built: run \`npm run check -- api --write\``,
    );
  process.exitCode = differing.length > 0 || entries.size === 0 ? 1 : 0;
} else {
  mkdirSync(reports, { recursive: true });
  for (const file of present) if (!wanted.has(file)) rmSync(join(reports, file));
  for (const [file, text] of wanted) writeFileSync(join(reports, file), text);
  console.log(`wrote ${wanted.size} reports`);
}
