// Collects the examples that people read, from doc comments and from the two README files, and writes each as a
// file that compiles alone: names of the library and of the prelude are imported when the example uses them and does
// not declare them itself. doc-examples.test.ts compiles them; scripts/test/docs-pages.test.ts the pages of docs/.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Example {
  /** `schema/query.ts:23` or `README.md:40`. */
  readonly place: string;
  readonly code: string;
}

const library = join(import.meta.dirname, '../..');
const repository = join(library, '../..');

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

function readComments(file: string): Example[] {
  const text = readFileSync(file, 'utf8');
  const place = relative(join(library, 'src'), file);
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap((comment) => {
    const lines = comment[0]
      .replace(/^\/\*\*/, '')
      .replace(/\*\/$/, '')
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''));
    const body = lines.join('\n');
    return [...body.matchAll(/@example\s*([\s\S]*?)(?=\n\s*@\w|$)/g)].map((found) => ({
      place: `${place}:${lineOf(text, comment.index) + lineOf(body, found.index) - 1}`,
      code: (found[1] ?? '').replace(/^```\w*\n?|```\s*$/g, '').trim(),
    }));
  });
}

function readPage(file: string): Example[] {
  const text = readFileSync(join(repository, file), 'utf8');
  return [...text.matchAll(/^```tsx?\n([\s\S]*?)^```/gm)].map((found) => ({
    place: `${file}:${lineOf(text, found.index)}`,
    code: (found[1] ?? '').trim(),
  }));
}

/** All examples of the sources and of the README files. */
export function readExamples(): Example[] {
  const sources = globSync('src/**/*.ts', { cwd: library });
  return [
    ...sources.sort().flatMap((file) => readComments(join(library, file))),
    ...['README.md', 'packages/holdfast/README.md'].flatMap((file) => readPage(file)),
  ].filter(({ code }) => code !== '');
}

/** Names that each entry exports by value or by type, read from its re-exports. */
export function readEntryNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const file of readdirSync(join(library, 'src')).sort()) {
    if (!file.endsWith('.ts') || file.startsWith('env.')) continue;
    const entry =
      file === 'index.ts' ? 'holdfast' : `holdfast/${file.slice(0, -3).replace(/^(react|testing)-/, '$1/')}`;
    const text = readFileSync(join(library, 'src', file), 'utf8');
    for (const [, list = ''] of text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)) {
      for (const each of list.split(',')) {
        const name =
          each
            .trim()
            .replace(/^type /, '')
            .split(' as ')
            .at(-1) ?? '';
        // a default export has no name
        if (name && name !== 'default' && !names.has(name)) names.set(name, entry);
      }
    }
    if (/export \* as schema/.test(text)) names.set('schema', entry);
  }
  return names;
}

/** A module that compiles when the example is right. Declarations of the example hide the imports around it. */
export function writeModule(
  { place, code }: Example,
  entryNames: Map<string, string>,
  preludeNames: readonly string[],
): string {
  const lists = [...code.matchAll(/^import\s+(?:type\s+)?(?:\w+(?:,\s*)?)?(?:\{([^}]*)\})?\s*from[^;]*;/gm)];
  const imported = new Set(
    lists.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().replace(/^type /, ''))),
  );
  const body = lists.reduce((rest, [statement]) => rest.replace(statement, ''), code).trim();
  const isFree = (name: string): boolean => !imported.has(name);
  const byEntry = new Map<string, string[]>();
  for (const [name, entry] of entryNames) {
    if (isFree(name)) byEntry.set(entry, [...(byEntry.get(entry) ?? []), name]);
  }
  const prelude = preludeNames.filter((name) => isFree(name) && !entryNames.has(name));
  // a method shown alone belongs to an options object, and an element is the return value of a component
  const isMethod = /^(?:async )?(?!if|for|while|switch)[a-z]\w*\([^)]*\)\s*\{/.test(body);
  const isElement = body.startsWith('<');
  const inner = isMethod ? `return {\n${body}\n};` : isElement ? `return (\n${body}\n);` : body;
  return [
    `// ${place}`,
    ...lists.map(([statement]) => statement),
    ...[...byEntry].map(([entry, names]) => `import { ${names.join(', ')} } from '${entry}';`),
    `import { ${prelude.join(', ')} } from './prelude.ts';`,
    `export async function example(this: unknown, ...given: any[]): Promise<unknown> {`,
    inner.replace(/^export /gm, ''),
    'return given;',
    '}',
    '',
  ].join('\n');
}
