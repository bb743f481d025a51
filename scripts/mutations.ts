// Small changes of source text that tests should notice: what `npm run mutants` puts into copies of the library. Found by
// patterns, line by line; a change that leaves the compiled code as it was, such as one of a type, is none.
import { transformSync } from 'esbuild';

export interface Mutation {
  /** From 1 on. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** What is looked for, and what takes its place; `$1` is its first group. */
const RULES: readonly (readonly [find: RegExp, replace: string])[] = [
  [/===/g, '!=='],
  [/!==/g, '==='],
  [/&&/g, '||'],
  [/\|\|/g, '&&'],
  [/\?\?(?!=)/g, '&&'],
  [/\?\?=/g, '='],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\+= 1\b/g, '+= 2'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\bif \((.+)\)(?= [^()]*;$| \{$|$)/g, 'if (!($1))'],
  [/(?<![\w)\]])!(?=[\w(#])/g, ''],
  [/\breturn (?=[^;]+;$)/g, 'return void '],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\.filter\(/g, '.map('],
  [/\.at\(-1\)/g, '.at(0)'],
  [/\.startsWith\(/g, '.includes('],
  [/\bcontinue;/g, 'break;'],
  [/\.\.\.(?=\w+[,\s})\]])/g, '...void '],
  [/\b0\b/g, '1'],
  [/\b1\b/g, '0'],
  [/'[^']+'/g, "''"],
  [/^(\s+)[\w.#?]+\(.*\);$/g, '$1;'],
];

/** Lines that hold no code that runs. */
const SILENT =
  /^\s*(\/\/|\/?\*|import\b|export (type|interface|\*|\{)|(export )?(declare|interface|type)\b|readonly \w+\??:|\}? ?from )/;

/** The changes that the patterns find in a file, in the order of its lines. Some may change nothing: see `isReal`. */
export function mutationsOf(source: string): readonly Mutation[] {
  return source.split('\n').flatMap((before, at) => {
    if (SILENT.test(before)) return [];
    const code = before.replace(/\s\/\/ .*$/, '');
    return RULES.flatMap(([find, replace]) =>
      [...code.matchAll(find)].map((match) => {
        const rest = before.slice(match.index + match[0].length);
        const after = before.slice(0, match.index) + replace.replace('$1', () => match[1] ?? '') + rest;
        return { line: at + 1, before, after };
      }),
    );
  });
}

export function applyMutation(source: string, { line, after }: Mutation): string {
  return source
    .split('\n')
    .map((text, at) => (at + 1 === line ? after : text))
    .join('\n');
}

/** Whether the code that runs is another one, and can run. */
export function isReal(source: string, mutation: Mutation): boolean {
  const mutated = compile(applyMutation(source, mutation));
  return mutated !== undefined && mutated !== compile(source);
}

function compile(text: string): string | undefined {
  try {
    return transformSync(text, { loader: 'ts', target: 'es2023', minifySyntax: true, logLevel: 'silent' })
      .code;
  } catch {
    return undefined;
  }
}
