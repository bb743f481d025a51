// What the lint rules share: the syntax tree as any ESTree parser gives it, read by name, and where a name comes from. Knows
// neither ESLint nor a parser: the package has no dependency, and its rules run wherever such a tree is walked.

/** A node of the syntax tree. */
export interface AstNode {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** Where names are declared. */
export interface LintScope {
  readonly upper: LintScope | null;
  readonly set: ReadonlyMap<
    string,
    {
      readonly defs: readonly {
        readonly type: string;
        readonly node: AstNode;
        readonly parent?: AstNode | null;
      }[];
    }
  >;
}

/** What a linter gives to a rule. */
export interface LintContext {
  readonly sourceCode: { getScope(node: AstNode): LintScope; getText(node: AstNode): string };
  report(problem: {
    readonly node: AstNode;
    readonly messageId: string;
    readonly data?: Readonly<Record<string, string>>;
    readonly suggest?: readonly {
      readonly messageId: string;
      readonly data: Readonly<Record<string, string>>;
      fix(fixer: { replaceText(node: AstNode, text: string): unknown }): unknown;
    }[];
  }): void;
}

type Definition = NonNullable<ReturnType<LintScope['set']['get']>>['defs'][number];

/** A rule, as the linter takes it. */
export interface LintRule {
  readonly meta: {
    readonly type: 'problem' | 'suggestion';
    readonly docs: { readonly description: string };
    readonly schema: readonly [];
    readonly messages: Readonly<Record<string, string>>;
    readonly hasSuggestions?: boolean;
  };
  create(context: never): Readonly<Record<string, never>>;
}

/** A rule from its texts and its listeners. */
export function createRule(
  description: string,
  messages: Readonly<Record<string, string>>,
  create: (context: LintContext) => Readonly<Record<string, (node: AstNode) => void>>,
): LintRule {
  return {
    meta: { type: 'problem', docs: { description }, schema: [], messages, hasSuggestions: true },
    create: create as unknown as LintRule['create'], // cast: linters type the tree in their own ways
  };
}

const isAstNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'; // cast: asking is the check

const WRITTEN_AROUND =
  /^(TS(As|Satisfies|NonNull|Instantiation)Expression|TSTypeAssertion|ChainExpression|AwaitExpression)$/;

/** A node without the types written around it: `{} as Todo` is `{}`. */
function unwrapExpression(node: unknown): AstNode | undefined {
  let inner = node;
  while (isAstNode(inner) && WRITTEN_AROUND.test(inner.type)) inner = operandOf(inner);
  return isAstNode(inner) ? inner : undefined;
}

/** The one child of an expression that has one: what is awaited, deleted, counted up, or said to be of a type. */
export function operandOf(node: AstNode): AstNode | undefined {
  const isOther = /^(parent|type[A-Z]\w*)$/;
  const child = Object.keys(node).find((name) => !isOther.test(name) && isAstNode(node[name]));
  return child === undefined ? undefined : childOf(node, child);
}

/** A child of a node. */
export function childOf(node: AstNode | undefined, name: string): AstNode | undefined {
  return unwrapExpression(node?.[name]);
}

/** A node's children under one name. */
export function childrenOf(node: AstNode | undefined, name: string): readonly AstNode[] {
  const children = node?.[name];
  return Array.isArray(children) ? children.flatMap((child) => unwrapExpression(child) ?? []) : [];
}

/** The name of an identifier, a key, a text, or the last part of `a.b`. */
export function nodeName(node: AstNode | undefined): string | undefined {
  if (!node) return undefined;
  if (node.type === 'MemberExpression')
    return node['computed'] ? undefined : nodeName(childOf(node, 'property'));
  const name = node.type === 'Literal' ? node['value'] : node['name'];
  return typeof name === 'string' ? name : undefined;
}

/** The members of an object literal that have a name that can be read. */
export function objectMembers(
  node: AstNode | undefined,
): readonly { key: AstNode; name: string; value: AstNode | undefined }[] {
  if (node?.type !== 'ObjectExpression') return [];
  return childrenOf(node, 'properties').flatMap((property) => {
    const key = property['computed'] ? undefined : childOf(property, 'key');
    const name = nodeName(key);
    return key && name !== undefined ? [{ key, name, value: childOf(property, 'value') }] : [];
  });
}

/** Whether an object literal may hold more than it shows. */
export const hasSpread = (node: AstNode): boolean =>
  childrenOf(node, 'properties').some(({ type }) => type !== 'Property');

/** Where the name of an identifier is declared. */
export function definitionOf({ sourceCode }: LintContext, node: AstNode): Definition | undefined {
  const name = String(node['name']);
  let scope: LintScope | null = sourceCode.getScope(node);
  while (scope && !scope.set.get(name)?.defs.length) scope = scope.upper;
  return scope?.set.get(name)?.defs[0];
}

/** What an identifier stands for: a class, a variable's first value, or the name of what was imported from this package. */
export function resolveName(
  context: LintContext,
  node: AstNode | undefined,
): { readonly node?: AstNode; readonly imported?: string } {
  if (node?.type !== 'Identifier') return node ? { node } : {};
  const definition = definitionOf(context, node);
  if (!definition) return {};
  if (definition.type === 'ImportBinding') {
    const from = String(childOf(definition.parent ?? undefined, 'source')?.['value']);
    const imported = nodeName(childOf(definition.node, 'imported')) ?? '*';
    return /^holdfast(\/|$)/.test(from) ? { imported } : {};
  }
  if (definition.type === 'ClassName') return { node: definition.node };
  const isSimple = definition.type === 'Variable' && childOf(definition.node, 'id')?.type === 'Identifier';
  const init = isSimple ? childOf(definition.node, 'init') : undefined;
  return init ? { node: init } : {};
}

/** What this package exports under the name by which it is called here: `schema.Collection` and `Collection` alike. */
export function exportOf(context: LintContext, node: AstNode | undefined): string | undefined {
  if (node?.type !== 'MemberExpression') return resolveName(context, node).imported;
  const { imported } = resolveName(context, childOf(node, 'object'));
  return imported === 'schema' || imported === '*' ? nodeName(node) : undefined;
}

/** The export that a call or a `new` runs, and its arguments. */
export function callOf(
  context: LintContext,
  node: AstNode | undefined,
): { readonly name?: string | undefined; readonly args: readonly AstNode[] } {
  if (node?.type !== 'CallExpression' && node?.type !== 'NewExpression') return { args: [] };
  return { name: exportOf(context, childOf(node, 'callee')), args: childrenOf(node, 'arguments') };
}
