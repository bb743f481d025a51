// Puts the imports in front of an example of a doc comment, so that it can be pasted: names of the package, and those of the
// examples' own `api.ts`. In an editor the example stands without them.
import { parse, walk } from '../declarations.ts';
import type { SyntaxNode } from '../declarations.ts';
import { groupBy } from './exports.ts';
import type { Export } from './exports.ts';
import { readExampleApi } from './pages.ts';

let exampleNames: readonly string[] | undefined;

function readExampleNames(): readonly string[] {
  exampleNames ??= [...readExampleApi().matchAll(/^export (?:class|const) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
  return exampleNames;
}

/** Names that the code uses and does not declare. Good for examples: a name is not both inside one of them. */
function readFreeNames(code: string): Set<string> {
  const used = new Set<string>();
  const declared = new Set<string>();
  const declare = (pattern: SyntaxNode | null | undefined): void => {
    if (pattern?.type === 'Identifier') declared.add(pattern['name']);
    else if (pattern?.type === 'ObjectPattern')
      for (const property of pattern['properties'] as SyntaxNode[])
        declare(property['value'] ?? property['argument']);
    else if (pattern?.type === 'ArrayPattern')
      for (const item of pattern['elements'] as SyntaxNode[]) declare(item);
    else if (pattern?.type === 'AssignmentPattern') declare(pattern['left']);
    else if (pattern?.type === 'RestElement') declare(pattern['argument']);
  };
  const members = new Set<unknown>();
  walk(parse('example.tsx', code), (node) => {
    if (node.type === 'MemberExpression' && !node['computed']) members.add(node['property']);
    if (node.type === 'Property' && !node['computed'] && !node['shorthand']) members.add(node['key']);
    if (/^(?:Class|Function|TSInterface|TSTypeAlias)Declaration$/.test(node.type)) declare(node['id']);
    if (node.type === 'VariableDeclarator') declare(node['id']);
    if (Array.isArray(node['params'])) for (const param of node['params'] as SyntaxNode[]) declare(param);
    if (node.type === 'ImportDeclaration') {
      for (const one of node['specifiers'] as SyntaxNode[]) declare(one['local']);
      return false;
    }
    if ((node.type === 'Identifier' || node.type === 'JSXIdentifier') && !members.has(node))
      used.add(node['name']);
    return true;
  });
  for (const name of declared) used.delete(name);
  return used;
}

const importLine = (names: readonly string[], from: string): string =>
  names.length > 0 ? `import { ${names.join(', ')} } from '${from}';\n` : '';

export function writeExample(example: string, { entry }: Export, exports: readonly Export[]): string {
  const shown = example.startsWith('<')
    ? `export const element = (\n${example.replace(/^/gm, '  ')}\n);`
    : example;
  const isControlled = readFreeNames(shown).has('controller');
  const code = isControlled ? `const controller = new Controller();\n${shown}` : shown;
  const free = readFreeNames(code);
  const own = exports.filter(({ name }) => free.has(name));
  // a name that two entries export is the page's own, or else the main entry's
  const chosen = [...groupBy(own, ({ name }) => name).values()].flatMap(
    (same) => same.find((one) => one.entry === entry) ?? same[0] ?? [],
  );
  const entries = [...groupBy(chosen, (one) => one.entry)].sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = entries.map(([from, group]) =>
    importLine(group.map(({ name, isType }) => (isType ? `type ${name}` : name)).sort(), from),
  );
  const taken = new Set(own.map(({ name }) => name));
  const api = readExampleNames().filter((name) => free.has(name) && !taken.has(name));
  const imports = `${lines.join('')}${importLine(api, './api')}`;
  return imports === '' ? code : `${imports}\n${code}`;
}
