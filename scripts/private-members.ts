// Private members on the way into the package. `#state` is private at a price: bundlers name it `#t` wherever it stands, and it has
// to be declared. Nobody outside can reach a class that no entry exports, so there it becomes a letter of a few that no other
// member has. Counted from the base class on: a class and its base never share one.
import { relative } from 'node:path';
import { parse, walk } from './declarations.ts';
import type { SyntaxNode } from './declarations.ts';

/** Those that were of least use to other members; two letters where a class has more members than these. */
const LETTERS = 'GVXDMYjJNHIFWxb'.split('');

/** The names that private members get. */
export const PRIVATE_NAMES: readonly string[] = [
  ...LETTERS,
  ...LETTERS.flatMap((first) => LETTERS.map((letter) => first + letter)),
];

/** The files whose classes no entry exports; `npm run names` checks it. */
export const isInner = (file: string): boolean =>
  /^(?:controller\/(?:observe|pages)\/|dispatch\/flights|normalize\/(?!cache)|schema\/(?:entity\/entity-(?:kind|read)|kinds\/[\w-]+-kind|kinds\/sorted-items|collection\/arranged)|store\/)/.test(
    file.replaceAll('\\', '/'),
  );

interface Inner {
  readonly base: string;
  /** In the order of their first use. */
  readonly names: readonly string[];
  readonly uses: readonly SyntaxNode[];
  readonly file: string;
}

/** The code of the files, by their paths, with the private members of inner classes renamed. */
export function renamePrivates(files: ReadonlyMap<string, string>, root: string): Map<string, string> {
  const classes = new Map<string, Inner>();
  for (const [file, code] of files) {
    if (!isInner(relative(root, file))) continue;
    walk(parse(file, code), (node) => {
      if (node.type !== 'ClassDeclaration') return true;
      const uses: SyntaxNode[] = [];
      walk(node['body'], (inner) => void (inner.type === 'PrivateIdentifier' && uses.push(inner)));
      const names = [...new Set(uses.map((use) => String(use['name'])))];
      classes.set(String(node['id'].name), { base: String(node['superClass']?.name), names, uses, file });
      return false;
    });
  }
  const countOf = (name: string): number => {
    const known = classes.get(name);
    return known ? known.names.length + countOf(known.base) : 0;
  };
  const renamed = new Map(files);
  const edits = [...classes.values()].flatMap(({ base, names, uses, file }) =>
    uses.map((use) => ({ use, file, name: PRIVATE_NAMES[countOf(base) + names.indexOf(use['name'])] })),
  );
  // from the end of each file: what stands before an edit keeps its place
  for (const { use, file, name } of edits.sort((left, right) => right.use.start - left.use.start)) {
    const code = renamed.get(file) ?? '';
    renamed.set(file, code.slice(0, use.start) + name + code.slice(use.end));
  }
  return renamed;
}
