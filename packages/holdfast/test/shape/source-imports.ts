// Reads the import graph of the sources from their text, types included: imports by value or by type, by `import()` or by an
// inline `import('…')` type. Used by the tests of this folder.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

export interface SourceImport {
  /** Paths relative to the root of the sources, with forward slashes. */
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

const slashes = (path: string): string => path.split(sep).join('/');

/** Every TypeScript file below a folder, relative to it. */
export function listSources(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => slashes(relative(root, join(file.parentPath, file.name))))
    .sort();
}

/** Blanks out comments, keeping positions, so that an example in a comment is not taken for an import. */
export function withoutComments(text: string): string {
  const token = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  return text.replace(token, (found) =>
    found.startsWith('//') || found.startsWith('/*') ? found.replace(/[^\n]/g, ' ') : found,
  );
}

const specifier = /(?:^|[^\w$.])(?:import|export)\b(?:[^'"`;]*?\bfrom\b)?\s*\(?\s*(['"])(?<name>[^'"\n]+)\1/g;

/** Specifiers of every import in a source text: static, re-exported, dynamic, and inline types. */
export function readSpecifiers(text: string): { name: string; line: number }[] {
  const code = withoutComments(text);
  return [...code.matchAll(specifier)].map((found) => ({
    name: found.groups?.['name'] ?? '',
    line: code.slice(0, found.index + found[0].length).split('\n').length,
  }));
}

/** Imports between files of `root`. A specifier that leaves it (`react`, `#env`) is not part of the graph. */
export function readImports(root: string): SourceImport[] {
  return listSources(root).flatMap((from) =>
    readSpecifiers(readFileSync(join(root, from), 'utf8'))
      .filter(({ name }) => name.startsWith('.'))
      .map(({ name, line }) => ({ from, to: slashes(normalize(join(dirname(from), name))), line })),
  );
}
