// Lint rules for components: they report schemas, endpoints and entity classes that every render creates, and changes of data from
// the store. read-data.ts finds out which expressions are data from the store.
import {
  exportCallOf,
  childOf,
  childrenOf,
  createRule,
  exportNameOf,
  functionNameOf,
  isFunction,
  nodeName,
  operandOf,
  parentOf,
} from './ast.ts';
import type { AstNode, LintContext, LintRule } from './ast.ts';
import { endpointKind } from './declarations.ts';
import { ReadData, rootOf } from './read-data.ts';

const FACTORIES: readonly unknown[] =
  'All Array Collection Invalidate Lazy Object Query Union Values createResource resource RestEndpoint Endpoint EntityMixin'.split(
    ' ',
  );
const MEMO_HOOKS: readonly unknown[] = ['useMemo', 'useState', 'useRef', 'useCallback'];
const MUTATING_METHODS: readonly string[] =
  'push pop shift unshift splice sort reverse fill copyWithin'.split(' ');
/** For some methods that change an array, the method that returns a changed copy instead. */
const METHODS_THAT_RETURN_A_COPY: Readonly<Record<string, string>> = {
  sort: 'toSorted',
  reverse: 'toReversed',
  splice: 'toSpliced',
};

/** The name of the component or hook that contains a node. Undefined if there is none, and inside `useMemo` and similar hooks. */
function componentNameOf(node: AstNode): string | undefined {
  for (let ancestor: AstNode | undefined = parentOf(node); ancestor; ancestor = parentOf(ancestor)) {
    if (!isFunction(ancestor)) continue;
    const above = parentOf(ancestor);
    if (above?.type === 'CallExpression' && MEMO_HOOKS.includes(nodeName(childOf(above, 'callee'))))
      return undefined;
    const name = functionNameOf(ancestor);
    if (name !== undefined && /^([A-Z]|use[A-Z])/.test(name)) return name;
  }
  return undefined;
}

/** `holdfast/no-schema-in-component`: reports schemas, endpoints and entity classes that every render creates. */
export const noSchemaInComponent: LintRule = createRule(
  'Schemas, endpoints and entity classes are made once, outside of components.',
  {
    anew: '{{what}} is made anew at every render of {{component}}, so its data is computed again each time. Make it once, outside, or in useMemo().',
    extended:
      'An endpoint is extended at every render of {{component}}, so it is another one each time. Extend it once, outside, or use withOptions(), which gives the same endpoint for equal options.',
  },
  (context) => {
    const report = (node: AstNode, what: string, messageId = 'anew'): void => {
      const component = componentNameOf(node);
      if (component !== undefined) context.report({ node, messageId, data: { what, component } });
    };
    const checkCall = (node: AstNode): void => {
      const { name } = exportCallOf(context, node);
      if (name !== undefined && FACTORIES.includes(name)) return report(node, name);
      const callee = childOf(node, 'callee');
      const isExtend = callee?.type === 'MemberExpression' && nodeName(callee) === 'extend';
      const extended = isExtend ? endpointKind(context, childOf(callee, 'object')) : undefined;
      if (extended === 'endpoint') report(node, 'extend', 'extended');
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
    sorted:
      "'{{name}}' was read from the store, and {{method}}() changes it for every reader. Write {{name}}.{{copying}}(), which returns a new array.",
  },
  (context) => {
    const read = new ReadData(context);
    /** The checks run at the end, because the element that passes a prop may come after the component that changes the prop. */
    const checks: (() => void)[] = [];
    const reportIfRead = (target: AstNode | undefined): void => {
      if (target?.type !== 'MemberExpression') return;
      const root = rootOf(target);
      if (read.isPartOfReadData(target))
        context.report({ node: target, messageId: 'assigned', data: { name: sourceText(context, root) } });
    };
    const checkCall = (node: AstNode): void => {
      const callee = childOf(node, 'callee');
      const object = childOf(callee, 'object');
      const method = nodeName(callee) ?? '';
      if (callee?.type !== 'MemberExpression' || !object) return;
      if (method === 'assign' && nodeName(object) === 'Object') {
        const [target] = childrenOf(node, 'arguments');
        if (target && read.isRead(target))
          context.report({
            node: target,
            messageId: 'assigned',
            data: { name: sourceText(context, target) },
          });
      } else if (MUTATING_METHODS.includes(method) && read.isRead(object)) {
        const copying = METHODS_THAT_RETURN_A_COPY[method] ?? '';
        const data = { name: sourceText(context, object), method, copying };
        context.report({ node, messageId: copying === '' ? 'changed' : 'sorted', data });
      }
    };
    return {
      JSXOpeningElement: (node) => read.addElement(node),
      AssignmentExpression: (node) => void checks.push(() => reportIfRead(childOf(node, 'left'))),
      UpdateExpression: (node) => void checks.push(() => reportIfRead(operandOf(node))),
      UnaryExpression: (node) =>
        void (node['operator'] === 'delete' && checks.push(() => reportIfRead(operandOf(node)))),
      CallExpression: (node) => void checks.push(() => checkCall(node)),
      'Program:exit': () => {
        for (const check of checks) check();
      },
    };
  },
);

const sourceText = (context: LintContext, node: AstNode): string => context.sourceCode.getText(node);
