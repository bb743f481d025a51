// Reads the built declarations as syntax trees: what each file declares, imports and exports, and what a user can reach from
// the entries. Used by the API report, by the check of internal names and by the tests of the public surface.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

/** A node of a syntax tree, by the names that ESTree gives. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a tree is read by shape
  readonly [member: string]: any;
}

export interface Binding {
  readonly file: string;
  /** Name inside that file; `*` for the whole module. */
  readonly name: string;
}

export interface Module {
  readonly text: string;
  readonly imports: Map<string, Binding>;
  readonly exports: Map<string, Binding>;
  readonly declarations: Map<string, SyntaxNode[]>;
}

export const library: string = join(import.meta.dirname, '../packages/holdfast');
export const dist: string = join(library, 'dist');

/** Calls `visit` for each node, outer ones first; what is inside a node for which it gives false is left out. */
export function walk(node: unknown, visit: (node: SyntaxNode) => boolean | void): void {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, visit);
  } else if (typeof node === 'object' && node !== null) {
    const isNode = 'type' in node && typeof node.type === 'string';
    if (isNode && visit(node as SyntaxNode) === false) return; // cast: whatever has a type is a node
    for (const member of Object.values(node)) walk(member, visit);
  }
}

export function parse(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  return program as unknown as SyntaxNode; // cast: read by shape
}

const modules = new Map<string, Module>();

function nameOf(node: SyntaxNode): string {
  return String(node['name'] ?? node['value']);
}

export function readModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const module: Module = { text, imports: new Map(), exports: new Map(), declarations: new Map() };
  modules.set(file, module);
  const from = (statement: SyntaxNode): string => {
    const specifier = String(statement['source'].value);
    return specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.d.ts')) : specifier;
  };
  const declare = (statement: SyntaxNode): string[] => {
    const names: string[] = (statement['declarations'] ?? [statement]).map((one: SyntaxNode) =>
      nameOf(one['id']),
    );
    for (const name of names)
      module.declarations.set(name, [...(module.declarations.get(name) ?? []), statement]);
    return names;
  };
  for (const statement of parse(file, text)['body'] as SyntaxNode[]) {
    if (statement.type === 'ImportDeclaration') {
      for (const one of statement['specifiers'] as SyntaxNode[]) {
        const name = one.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(one['imported']);
        module.imports.set(nameOf(one['local']), { file: from(statement), name });
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      module.exports.set(nameOf(statement['exported']), { file: from(statement), name: '*' });
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const name of statement['declaration'] ? declare(statement['declaration']) : [])
        module.exports.set(name, { file, name });
      for (const one of statement['specifiers'] as SyntaxNode[]) {
        const local = nameOf(one['local']);
        const binding = statement['source']
          ? { file: from(statement), name: local }
          : (module.imports.get(local) ?? { file, name: local });
        module.exports.set(nameOf(one['exported']), binding);
      }
    } else declare(statement);
  }
  return module;
}

/** Follows re-exports to the file that declares the name. */
export function resolve({ file, name }: Binding): Binding {
  if (name === '*' || !existsSync(file)) return { file, name };
  const module = readModule(file);
  if (module.declarations.has(name)) return { file, name };
  const next = module.exports.get(name) ?? module.imports.get(name);
  return next ? resolve(next) : { file, name };
}

/**
 * The types that an exported namespace names, by their public names: `Manager` has `Manager.Host`. A namespace holds types of the
 * function, class or interface that it is merged with. It re-exports them, or it declares an alias.
 */
export function readNamespace(binding: Binding): Map<string, Binding> {
  const { file, name } = resolve(binding);
  const declarations = existsSync(file) ? (readModule(file).declarations.get(name) ?? []) : [];
  const spaces = declarations.filter(({ type }) => type === 'TSModuleDeclaration');
  return new Map(
    spaces.flatMap((space) =>
      (space['body'].body as SyntaxNode[]).flatMap((statement) => {
        const declared = (statement['declaration'] ?? statement) as SyntaxNode;
        if (declared.type !== 'TSTypeAliasDeclaration')
          return (statement['specifiers'] as SyntaxNode[]).map(
            (one) => [nameOf(one['exported']), resolve({ file, name: nameOf(one['local']) })] as const,
          );
        const { typeName } = declared['typeAnnotation'] as unknown as { typeName: SyntaxNode }; // cast: an alias names a type
        return [[nameOf(declared['id']), resolve({ file, name: nameOf(typeName) })] as const];
      }),
    ),
  );
}

/** The lint rules: they hold a linter's objects and none of the library's, so no name in them is ours to shorten. */
export const isLint = (file: string): boolean =>
  /(?:^|[\\/])(?:addons[\\/]lint[\\/][\w-]+|eslint-plugin)\.(?:d\.)?[jt]s$/.test(file);

/** The built entries by name: `index`, `react`, … */
export function readEntries(): Map<string, Module> {
  const files = readdirSync(dist).filter((file) => file.endsWith('.d.ts') && !file.startsWith('env.'));
  return new Map(files.map((file) => [file.slice(0, -'.d.ts'.length), readModule(join(dist, file))]));
}

const memberTypes = new Set([
  'MethodDefinition',
  'PropertyDefinition',
  'TSAbstractMethodDefinition',
  'TSAbstractPropertyDefinition',
  'TSMethodSignature',
  'TSPropertySignature',
]);

export function isMember(node: SyntaxNode): boolean {
  return memberTypes.has(node.type);
}

/** The name of a member that is written as a word or a text; undefined for a symbol and for `#private`. */
export function memberName(node: SyntaxNode): string | undefined {
  const key = node['key'] as SyntaxNode;
  return node['computed'] || key.type === 'PrivateIdentifier' ? undefined : nameOf(key);
}

/** The member that a node of code reads, writes or defines by name. */
export function usedMember(node: SyntaxNode): string | undefined {
  if (node.type === 'MemberExpression') {
    const { property } = node as unknown as { property: SyntaxNode }; // cast: of that shape by its type
    return node['computed'] || property.type === 'PrivateIdentifier' ? undefined : nameOf(property);
  }
  return node.type === 'Property' || isMember(node) ? memberName(node) : undefined;
}

/** Whether a member's value is one of a few texts, as in `status: 'waiting' | 'sent'`: they name no member. */
function isWord(member: SyntaxNode): boolean {
  const annotation = member['typeAnnotation']?.typeAnnotation as SyntaxNode | undefined;
  const types = annotation?.type === 'TSUnionType' ? (annotation['types'] as SyntaxNode[]) : [annotation];
  return types.every((type) => type?.type === 'TSLiteralType');
}

/** The names of types that a declaration mentions where a user can read them. */
function readMentions(
  declaration: SyntaxNode,
  isExported: boolean,
  visitMember: (name: string) => void,
): string[] {
  const mentions: string[] = [];
  /** Members that are written as a text, as in `'base': unknown`: the build leaves them as they are, wherever they are so written. */
  const texts = new Set<unknown>();
  const mention = (expression: SyntaxNode | null): void => {
    if (expression?.type === 'Identifier') mentions.push(nameOf(expression));
    else if (expression?.type === 'TSQualifiedName') mention(expression['left']);
  };
  walk(declaration, (node) => {
    if (isMember(node)) {
      const name = memberName(node);
      // no entry exports the library's symbols, and a class that none exports is constructed by nobody else
      if (name === undefined || node['accessibility'] === 'private') return false;
      if (name === 'constructor' && node.type === 'MethodDefinition' && !isExported) return false;
      if (node['key'].type === 'Literal') texts.add(node['key']);
      else visitMember(name);
      if (isWord(node)) return false;
    }
    if (node.type === 'TSTypeReference') mention(node['typeName']);
    if (node.type === 'TSTypeQuery') mention(node['exprName']);
    if (node.type === 'TSInterfaceHeritage' || node.type === 'TSClassImplements') mention(node['expression']);
    if (node.type === 'ClassDeclaration') mention(node['superClass']);
    // `Pick<Row, 'pk'>` names a member by a text
    if (node.type === 'Literal' && typeof node['value'] === 'string' && !texts.has(node))
      visitMember(node['value']);
    return true;
  });
  return mentions;
}

/** A type that the compiler computes from its parameters: users get what it gives and never write its name. */
function isComputed(declarations: readonly SyntaxNode[]): boolean {
  return declarations.every(
    (declaration) => declaration.type === 'TSTypeAliasDeclaration' && Boolean(declaration['typeParameters']),
  );
}

export interface Surface {
  /** Every declaration that a user can reach from the entries, as `file#name`, with those that mention it. */
  readonly reached: ReadonlyMap<string, readonly string[]>;
  /** Those that an entry exports, or a namespace of one of its exports. */
  readonly exported: ReadonlySet<string>;
  /** The names of all members that a user can read or write. */
  readonly members: ReadonlySet<string>;
}

export function readSurface(): Surface {
  const id = ({ file, name }: Binding): string => `${file.slice(dist.length + 1)}#${name}`;
  const roots = [...readEntries().values()].flatMap(({ exports }) => [...exports.values()]).map(resolve);
  const named = roots.flatMap((root) =>
    root.name === '*' ? [...readModule(root.file).exports.values()].map(resolve) : [root],
  );
  const bindings = [...named, ...named.flatMap((binding) => [...readNamespace(binding).values()])];
  const exported = new Set(bindings.map(id));
  const reached = new Map<string, string[]>();
  const members = new Set<string>();
  const visit = (binding: Binding, by: string): void => {
    const { file, name } = resolve(binding);
    const declarations = file.startsWith(dist) ? readModule(file).declarations.get(name) : undefined;
    if (!declarations) return;
    const own = id({ file, name });
    const known = reached.get(own);
    reached.set(own, [...(known ?? []), by]);
    if (known) return;
    for (const declaration of declarations) {
      for (const mentioned of readMentions(
        declaration,
        exported.has(own),
        (member) => isLint(file) || members.add(member),
      ))
        visit({ file, name: mentioned }, own);
    }
  };
  for (const binding of bindings) visit(binding, 'an entry');
  return { reached, exported, members };
}

/**
 * The types that a signature of the public surface asks an application to name, and that no entry exports: parameters, members and
 * results. Bases of classes and computed types are read through.
 */
export function findMissingExports({ reached, exported }: Surface = readSurface()): string[] {
  const missing: string[] = [];
  for (const [own, by] of reached) {
    const [file = '', name = ''] = own.split('#');
    const module = readModule(join(dist, file));
    const declarations = module.declarations.get(name) ?? [];
    if (exported.has(own) || isComputed(declarations)) continue;
    const asking = by.filter((user) => {
      const [userFile = '', userName = ''] = user.split('#');
      const users = readModule(join(dist, userFile)).declarations.get(userName) ?? [];
      return !isComputed(users) && users.some((declaration) => mentionsByName(declaration, name));
    });
    if (asking.length > 0)
      missing.push(`${name} of ${file}, which ${[...new Set(asking)].join(' and ')} mentions`);
  }
  return missing;
}

/** Whether a member, a parameter or a result has this type, other than by a base. */
function mentionsByName(declaration: SyntaxNode, name: string): boolean {
  let isFound = false;
  walk(declaration, (node) => {
    if (isMember(node) && (memberName(node) === undefined || node['accessibility'] === 'private'))
      return false;
    if (node.type === 'TSInterfaceHeritage' || node.type === 'TSClassImplements') return false;
    if (node.type === 'TSTypeReference' && node['typeName'].name === name) isFound = true;
    return true;
  });
  return isFound;
}
