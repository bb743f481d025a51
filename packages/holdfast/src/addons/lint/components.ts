// Lint rules for components: they report schemas and endpoints that every render creates, and changes of data from the store.
import {
  exportCallOf,
  childOf,
  childrenOf,
  createRule,
  definitionOf,
  exportNameOf,
  nodeName,
  operandOf,
} from './ast.ts';
import type { AstNode, LintContext, LintRule } from './ast.ts';

const FACTORIES: readonly unknown[] =
  'All Array Collection Invalidate Lazy Object Query Union Values createResource resource RestEndpoint Endpoint EntityMixin'.split(
    ' ',
  );
const MEMO_HOOKS: readonly unknown[] = ['useMemo', 'useState', 'useRef', 'useCallback'];
const READ_HOOKS: readonly unknown[] = [
  'useSuspense',
  'useLive',
  'useCache',
  'useQuery',
  'useDLE',
  'useFetch',
];
const MUTATING_METHODS: readonly unknown[] =
  'push pop shift unshift splice sort reverse fill copyWithin'.split(' ');
const ITERATING_METHODS: readonly unknown[] = [
  'map',
  'forEach',
  'filter',
  'find',
  'some',
  'every',
  'flatMap',
];

const parentOf = (node: AstNode): AstNode | undefined => node['parent'] as AstNode | undefined; // cast: linters set `parent`
const isFunction = ({ type }: AstNode): boolean => /Function(Declaration|Expression)$/.test(type);

/** The name of the component or hook that contains a node. Undefined for none, and inside `useMemo` and similar hooks. */
function rendererOf(node: AstNode): string | undefined {
  for (let ancestor: AstNode | undefined = parentOf(node); ancestor; ancestor = parentOf(ancestor)) {
    if (!isFunction(ancestor)) continue;
    const above = parentOf(ancestor);
    if (above?.type === 'CallExpression' && MEMO_HOOKS.includes(nodeName(childOf(above, 'callee'))))
      return undefined;
    const isWrapped = above?.type === 'CallExpression' && parentOf(above)?.type === 'VariableDeclarator';
    const holder = isWrapped ? parentOf(above) : above;
    const name =
      nodeName(childOf(ancestor, 'id')) ??
      (holder?.type === 'VariableDeclarator' ? nodeName(childOf(holder, 'id')) : undefined);
    if (name !== undefined && /^([A-Z]|use[A-Z])/.test(name)) return name;
  }
  return undefined;
}

/** `holdfast/no-schema-in-component`: reports schemas, endpoints and entity classes that every render creates. */
export const noSchemaInComponent: LintRule = createRule(
  'Schemas, endpoints and entity classes are made once, outside of components.',
  {
    anew: '{{what}} is made anew at every render of {{component}}, and nothing that is stored fits it. Make it once, outside, or in useMemo().',
  },
  (context) => {
    const report = (node: AstNode, what: string): void => {
      const component = rendererOf(node);
      if (component !== undefined) context.report({ node, messageId: 'anew', data: { what, component } });
    };
    const checkCall = (node: AstNode): void => {
      const { name } = exportCallOf(context, node);
      if (name !== undefined && FACTORIES.includes(name)) report(node, name);
    };
    const checkClass = (node: AstNode): void => {
      if (exportNameOf(context, childOf(node, 'superClass')) === 'Entity')
        report(node, nodeName(childOf(node, 'id')) ?? 'An entity class');
    };
    return {
      CallExpression: checkCall,
      NewExpression: checkCall,
      ClassDeclaration: checkClass,
      ClassExpression: checkClass,
    };
  },
);

/** `holdfast/no-entity-assignment`: reports changes of objects that a hook or the controller returned. */
export const noEntityAssignment: LintRule = createRule(
  'What was read from the store is not written to: every reader shares it.',
  {
    assigned:
      "'{{name}}' was read from the store, and every reader shares it. Change it with a mutation, or with controller.set().",
    changed:
      "'{{name}}' was read from the store, and {{method}}() changes it for every reader. Copy it first: [...{{name}}].{{method}}().",
  },
  (context) => {
    const reportIfRead = (target: AstNode | undefined): void => {
      if (target?.type !== 'MemberExpression') return;
      const root = rootOf(target);
      if (isFromStore(context, root))
        context.report({ node: target, messageId: 'assigned', data: { name: sourceText(context, root) } });
    };
    return {
      AssignmentExpression: (node) => reportIfRead(childOf(node, 'left')),
      UpdateExpression: (node) => reportIfRead(operandOf(node)),
      UnaryExpression: (node) => node['operator'] === 'delete' && reportIfRead(operandOf(node)),
      CallExpression(node) {
        const callee = childOf(node, 'callee');
        const object = childOf(callee, 'object');
        const method = nodeName(callee) ?? '';
        if (callee?.type !== 'MemberExpression' || !object) return;
        if (method === 'assign' && nodeName(object) === 'Object') {
          const [target] = childrenOf(node, 'arguments');
          if (target && isFromStore(context, rootOf(target)))
            context.report({
              node: target,
              messageId: 'assigned',
              data: { name: sourceText(context, target) },
            });
        } else if (MUTATING_METHODS.includes(method) && isFromStore(context, rootOf(object))) {
          context.report({ node, messageId: 'changed', data: { name: sourceText(context, object), method } });
        }
      },
    };
  },
);

const sourceText = (context: LintContext, node: AstNode): string => context.sourceCode.getText(node);

/** The `a` of `a.b[c].d`. */
function rootOf(node: AstNode): AstNode {
  let root = node;
  while (root.type === 'MemberExpression') root = childOf(root, 'object') ?? { type: 'Unknown' };
  return root;
}

/** True when a value, or an object that contains it, was returned by a hook that reads or by a controller's `get` or `fetch`. */
function isFromStore(context: LintContext, node: AstNode | undefined, depth = 0): boolean {
  if (!node || depth > 10) return false;
  if (node.type === 'MemberExpression') return isFromStore(context, rootOf(node), depth + 1);
  if (node.type === 'CallExpression') {
    const callee = childOf(node, 'callee');
    const name = nodeName(callee);
    if (READ_HOOKS.includes(exportNameOf(context, callee))) return true;
    const object = childOf(callee, 'object');
    const isController = object !== undefined && /controller$/i.test(nodeName(object) ?? '');
    if (isController && (name === 'get' || name === 'fetch')) return true;
    return (name === 'find' || name === 'at') && isFromStore(context, object, depth + 1);
  }
  if (node.type !== 'Identifier') return false;
  const definition = definitionOf(context, node);
  if (definition?.type === 'Variable') {
    const declared = definition.node;
    const loop = parentOf(parentOf(declared) ?? declared);
    const isLoop = loop?.type === 'ForOfStatement' && !childOf(declared, 'init');
    return isFromStore(context, isLoop ? childOf(loop, 'right') : childOf(declared, 'init'), depth + 1);
  }
  if (definition?.type !== 'Parameter') return false;
  // `todos.map((todo) => …)`: the callback's first parameter is an item of the array
  const call = parentOf(definition.node);
  const callee = childOf(call, 'callee');
  const [first] = childrenOf(definition.node, 'params');
  const isFirst = first?.type === 'Identifier' ? first['name'] === node['name'] : first !== undefined;
  return (
    isFirst &&
    ITERATING_METHODS.includes(nodeName(callee)) &&
    isFromStore(context, childOf(callee, 'object'), depth + 1)
  );
}
