// Reads every export of every entry from the built declarations: what its doc comment says, its signature and its members.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  dist,
  isMember,
  memberName,
  readEntries,
  readModule,
  readNamespace,
  resolve,
} from '../declarations.ts';
import type { Binding, Module, SyntaxNode } from '../declarations.ts';
import { joinComments, readComment } from './doc-comments.ts';
import type { DocComment } from './doc-comments.ts';

export interface Export {
  /** `Manager`, or `Manager.Host` for a type of a namespace. */
  readonly name: string;
  /** `holdfast`, `holdfast/react`, … */
  readonly entry: string;
  readonly isType: boolean;
  /** The page below docs/reference/. */
  readonly page: string;
  readonly comment: DocComment;
  readonly signature: string;
  readonly members: readonly Member[];
}

interface Member {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Exports of the main entry stand on a page for each stage of the sources. */
const STAGES: readonly (readonly [RegExp, string])[] = [
  [/^(?:schema|normalize)\//, 'schemas'],
  [/^endpoint\//, 'endpoints'],
  [/^dispatch\//, 'managers'],
  [/^support\/(?:errors|network-errors)/, 'errors'],
  [/^support\//, 'environment'],
  [/./, 'controller'],
];

const { exports: subpaths } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as {
  exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** `local-react` → `holdfast/local/react`: the subpath of the package that leads to the entry's file. */
function pathOf(entry: string): string {
  const found = Object.entries(subpaths).find(
    ([, target]) => typeof target === 'object' && target.types === `./dist/${entry}.d.ts`,
  );
  if (!found) throw new Error(`package.json has no subpath for dist/${entry}.d.ts`);
  return found[0].replace(/^\./, 'holdfast');
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/\n?[ \t]*/g, '').replace(/^[ \t]*\n/gm, '');

/** Members that only the compiler reads, and those of nobody else, are no part of what a reader sees. */
function withoutHidden(text: string): string {
  return text
    .replace(/^ {4}(?:declare )?(?:readonly )?(?:get )?\[[A-Z_]+\][^\n]*\n/gm, '')
    .replace(/^ {4}(?:#private;|private [^\n]*)\n/gm, '');
}

function readMembers(module: Module, declarations: readonly SyntaxNode[]): Member[] {
  return declarations.flatMap((declaration) => {
    const body = declaration['body'] as { body?: SyntaxNode[] } | undefined;
    return (body?.body ?? []).filter(isMember).flatMap((member) => {
      const name = memberName(member);
      const { text } = readComment(module.text, member.start);
      if (name === undefined || text === '') return [];
      const code = withoutComments(module.text.slice(member.start, member.end)).replace(/;$/, '');
      return [{ name, type: code.replace(/\s+/g, ' '), text }];
    });
  });
}

function describe(entry: string, exported: string, module: Module): Export {
  const binding = module.exports.get(exported);
  if (!binding) throw new Error(`${entry} has no export ${exported}`);
  const { file, name } = resolve(binding);
  const declaring = readModule(file);
  const folder = relative(dist, file).replaceAll('\\', '/');
  const page = entry === 'index' ? (STAGES.find(([stage]) => stage.test(folder))?.[1] ?? '') : entry;
  const path = pathOf(entry);
  if (name === '*') {
    const names = [...declaring.exports.keys()].sort();
    const comment = readComment(module.text, module.text.indexOf('export * as schema'));
    const signature = `namespace ${exported} {\n  ${names.join(', ')}\n}`;
    return { name: exported, entry: path, isType: false, page, comment, signature, members: [] };
  }
  return {
    name: exported === 'default' ? 'default export' : exported,
    entry: path,
    isType: new RegExp(`export type \\{[^}]*\\b${exported}\\b[^}]*\\}`).test(module.text),
    page,
    ...readDeclarations({ file, name }),
  };
}

function readDeclarations({ file, name }: Binding): Pick<Export, 'comment' | 'signature' | 'members'> {
  const declaring = readModule(file);
  const declarations = declaring.declarations.get(name);
  if (!declarations) throw new Error(`no declaration of ${name} in ${file}`);
  const signature = declarations
    .map(({ start, end }) => withoutHidden(withoutComments(declaring.text.slice(start, end))))
    .map((text) => text.replace(/^declare /, ''))
    .join('\n');
  const comment = joinComments(declarations.map(({ start }) => readComment(declaring.text, start)));
  return { comment, signature, members: readMembers(declaring, declarations) };
}

/** An export, and the types of its namespace on the same page. */
function describeAll(entry: string, exported: string, module: Module): Export[] {
  const own = describe(entry, exported, module);
  const { file, name } = resolve(module.exports.get(exported) ?? { file: '', name: '' });
  // of `schema` those that no other export has: `schema.Object`
  const inner =
    name === '*' ? [...readModule(file).exports].filter(([each]) => !module.exports.has(each)) : [];
  const owners = name === '*' ? inner : [['', { file, name }] as const];
  const named = owners.flatMap(([owner, binding]) =>
    [...readNamespace(binding)].map(([member, type]) => ({
      ...own,
      ...readDeclarations(type),
      name: [exported, owner, member].filter(Boolean).join('.'),
      isType: true,
    })),
  );
  return [own, ...named];
}

export function readExports(): Export[] {
  return [...readEntries()].flatMap(([entry, module]) =>
    [...module.exports.keys()].flatMap((name) => describeAll(entry, name, module)),
  );
}

/** The exports that a reader could not learn from the reference. */
export function findUndocumented(exports: readonly Export[]): string[] {
  return exports.flatMap(({ name, entry, comment }) => [
    ...(comment.text === '' ? [`${name} of ${entry} has no doc comment`] : []),
    ...(comment.examples.length === 0 ? [`${name} of ${entry} has no @example`] : []),
  ]);
}

/** Exports by something that they have in common, in the order of their first one. */
export function groupBy(exports: readonly Export[], read: (one: Export) => string): Map<string, Export[]> {
  const groups = new Map<string, Export[]>();
  for (const one of exports) {
    const group = groups.get(read(one));
    if (group) group.push(one);
    else groups.set(read(one), [one]);
  }
  return groups;
}
