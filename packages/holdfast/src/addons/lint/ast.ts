// Helpers of the lint rules: they read nodes of an ESTree syntax tree by property name, and resolve identifiers. They import
// neither ESLint nor a parser, because the package has no dependencies and its rules run in every linter that uses such trees.

export interface AstNode {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** A scope of declared names, as ESLint's scope manager provides it. */
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

/** The context that a linter passes to a rule. */
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

/** A rule in the form that a linter accepts. */
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

/** Makes a rule from its description, its messages and its listeners. */
export function createRule(
  description: string,
  messages: Readonly<Record<string, string>>,
  create: (context: LintContext) => Readonly<Record<string, (node: AstNode) => void>>,
): LintRule {
  return {
    meta: { type: 'problem', docs: { description }, schema: [], messages, hasSuggestions: true },
    create: create as unknown as LintRule['create'], // cast: each linter declares nodes and contexts with its own types
  };
}

const isAstNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'; // cast: checks `type`

const WRAPPER_TYPES =
  /^(TS(As|Satisfies|NonNull|Instantiation)Expression|TSTypeAssertion|ChainExpression|AwaitExpression)$/;

/** Removes type assertions, `await` and optional chaining around an expression: `{} as Todo` becomes `{}`. */
function unwrapExpression(node: unknown): AstNode | undefined {
  let inner = node;
  while (isAstNode(inner) && WRAPPER_TYPES.test(inner.type)) inner = operandOf(inner);
  return isAstNode(inner) ? inner : undefined;
}

/** The operand of an expression that has only one, such as `await x`, `delete x`, `x++` or `x as T`. */
export function operandOf(node: AstNode): AstNode | undefined {
  const isOther = /^(parent|type[A-Z]\w*)$/;
  const childName = Object.keys(node).find((name) => !isOther.test(name) && isAstNode(node[name]));
  return childName === undefined ? undefined : childOf(node, childName);
}

/** The child node under a property name, as `unwrapExpression` returns it. */
export function childOf(node: AstNode | undefined, name: string): AstNode | undefined {
  return unwrapExpression(node?.[name]);
}

/** The child nodes in an array property, as `unwrapExpression` returns them. */
export function childrenOf(node: AstNode | undefined, name: string): readonly AstNode[] {
  const children = node?.[name];
  return Array.isArray(children) ? children.flatMap((child) => unwrapExpression(child) ?? []) : [];
}

export const parentOf = (node: AstNode): AstNode | undefined => node['parent'] as AstNode | undefined; // cast: linters set `parent`

export const isFunction = ({ type }: AstNode): boolean => /Function(Declaration|Expression)$/.test(type);

/** The name of a function, or of the variable that holds the function, even if a call such as `memo` wraps the function. */
export function functionNameOf(node: AstNode): string | undefined {
  const above = parentOf(node);
  const isWrapped = above?.type === 'CallExpression' && parentOf(above)?.type === 'VariableDeclarator';
  const holder = isWrapped ? parentOf(above) : above;
  return (
    nodeName(childOf(node, 'id')) ??
    (holder?.type === 'VariableDeclarator' ? nodeName(childOf(holder, 'id')) : undefined)
  );
}

/** The name of an identifier, the value of a string literal, or the `b` of `a.b`. */
export function nodeName(node: AstNode | undefined): string | undefined {
  if (!node) return undefined;
  if (node.type === 'MemberExpression')
    return node['computed'] ? undefined : nodeName(childOf(node, 'property'));
  const name = node.type === 'Literal' ? node['value'] : node['name'];
  return typeof name === 'string' ? name : undefined;
}

/** The properties of an object literal whose names are not computed. */
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

/** True when an object literal contains a spread, which may add properties that the rules cannot see. */
export const hasSpread = (node: AstNode): boolean =>
  childrenOf(node, 'properties').some(({ type }) => type !== 'Property');

/** The definition of an identifier, in the nearest scope that declares its name. */
export function definitionOf({ sourceCode }: LintContext, node: AstNode): Definition | undefined {
  const name = String(node['name']);
  let scope: LintScope | null = sourceCode.getScope(node);
  while (scope && !scope.set.get(name)?.defs.length) scope = scope.upper;
  return scope?.set.get(name)?.defs[0];
}

/**
 * Resolves an identifier to its class, to the initial value of its variable, or to the name of the export that it imports from this
 * package ('*' for all exports, and for the default export). Returns an empty object for any other identifier, and any other node
 * unchanged.
 */
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

/** The name of the package's export that an expression refers to: 'Collection' for both `Collection` and `schema.Collection`. */
export function exportNameOf(context: LintContext, node: AstNode | undefined): string | undefined {
  if (node?.type !== 'MemberExpression') return resolveName(context, node).imported;
  const { imported } = resolveName(context, childOf(node, 'object'));
  return imported === 'schema' || imported === '*' ? nodeName(node) : undefined;
}

/** For a call or `new`, the name of the package's export that is called, and the arguments. */
export function exportCallOf(
  context: LintContext,
  node: AstNode | undefined,
): { readonly name?: string | undefined; readonly args: readonly AstNode[] } {
  if (node?.type !== 'CallExpression' && node?.type !== 'NewExpression') return { args: [] };
  return { name: exportNameOf(context, childOf(node, 'callee')), args: childrenOf(node, 'arguments') };
}
