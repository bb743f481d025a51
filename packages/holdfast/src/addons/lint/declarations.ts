// Lint rules for declarations of endpoints, resources and Collections: they report misspelt options and wrong paths. The compiler
// must accept unknown options of `new RestEndpoint` and `extend`, because a developer's own class may read them. So an unknown
// option is reported only if its name is close to a known one: see `nearName`.
import { nearName } from '../../support/near-name.ts';
import { COLLECTION_OPTIONS, ENDPOINT_OPTIONS, RESOURCE_OPTIONS } from '../../support/option-names.ts';
import {
  exportCallOf,
  childOf,
  childrenOf,
  createRule,
  hasSpread,
  objectMembers,
  nodeName,
  resolveName,
} from './ast.ts';
import type { AstNode, LintContext, LintRule } from './ast.ts';

const resourceOptions: readonly string[] = [...ENDPOINT_OPTIONS, ...RESOURCE_OPTIONS];
const RESOURCE_ENDPOINTS: readonly string[] =
  'get getList update partialUpdate delete push unshift assign remove move getPage'.split(' ');
const RESOURCE_FACTORIES: readonly unknown[] = ['createResource', 'resource'];

/** `holdfast/known-options`: reports unknown options whose names are close to the name of a known option. */
export const knownOptions: LintRule = createRule(
  'An option that nothing reads is a mistake in its name.',
  {
    unknown: "Nothing reads the option '{{name}}'. Did you mean '{{meant}}'?",
    member: "A resource has no member '{{name}}' to change. Did you mean '{{meant}}'?",
    rename: "Write '{{meant}}'.",
  },
  (context) => {
    const check = (options: AstNode | undefined, known: readonly string[], messageId = 'unknown'): void => {
      for (const { key, name } of objectMembers(options)) {
        const meant = nearName(name, known);
        if (meant === undefined) continue;
        const data = { name, meant };
        context.report({
          node: key,
          messageId,
          data,
          suggest: [{ messageId: 'rename', data, fix: (fixer) => fixer.replaceText(key, meant) }],
        });
      }
    };
    const checkCall = (node: AstNode): void => {
      const { name = '', args } = exportCallOf(context, node);
      if (RESOURCE_FACTORIES.includes(name)) check(args[0], resourceOptions);
      else if (name === 'RestEndpoint') check(args[0], ENDPOINT_OPTIONS);
      else if (name === 'Collection') check(args[1], COLLECTION_OPTIONS);
    };
    return {
      NewExpression: checkCall,
      CallExpression(node) {
        checkCall(node);
        const callee = childOf(node, 'callee');
        if (callee?.type !== 'MemberExpression' || nodeName(callee) !== 'extend') return;
        const extended = endpointKind(context, childOf(callee, 'object'));
        const [first, second] = childrenOf(node, 'arguments');
        if (extended === 'endpoint') check(first, ENDPOINT_OPTIONS);
        if (extended !== 'resource') return;
        if (nodeName(first) !== undefined) check(second, ENDPOINT_OPTIONS);
        check(first, RESOURCE_ENDPOINTS, 'member');
        for (const { value } of objectMembers(first)) check(value, ENDPOINT_OPTIONS);
      },
    };
  },
);

/**
 * Whether an expression is a resource or an endpoint, as far as its name or its declaration shows. Undefined for any other
 * expression, because objects of other libraries may have `extend` too.
 */
export function endpointKind(
  context: LintContext,
  node: AstNode | undefined,
): 'resource' | 'endpoint' | undefined {
  const name = nodeName(node) ?? '';
  if (node?.type === 'MemberExpression') return RESOURCE_ENDPOINTS.includes(name) ? 'endpoint' : undefined;
  if (node?.type === 'CallExpression' || node?.type === 'NewExpression') {
    const { name: made } = exportCallOf(context, node);
    if (RESOURCE_FACTORIES.includes(made)) return 'resource';
    if (made === 'RestEndpoint') return 'endpoint';
    const callee = childOf(node, 'callee');
    return nodeName(callee) === 'extend' ? endpointKind(context, childOf(callee, 'object')) : undefined;
  }
  if (name.endsWith('Resource')) return 'resource';
  const { node: origin } = resolveName(context, node);
  return origin && origin !== node && origin.type !== 'Identifier'
    ? endpointKind(context, origin)
    : undefined;
}

/** `holdfast/valid-path`: reports paths that are relative to the open page, and resource paths without any parameter. */
export const validPath: LintRule = createRule(
  'A path begins with a slash, and that of a resource names a row.',
  {
    relative:
      "The path '{{path}}' is relative to the page that is open. Begin it with a slash, or give a urlPrefix.",
    rowless: "The path '{{path}}' names no row. End it with a parameter: '{{path}}/:id'.",
  },
  (context) => {
    const check = (node: AstNode): void => {
      const { name, args } = exportCallOf(context, node);
      const [options] = args;
      const isResource = RESOURCE_FACTORIES.includes(name);
      if (!options || hasSpread(options) || !(isResource || name === 'RestEndpoint')) return;
      const members = objectMembers(options);
      const path = members.find((member) => member.name === 'path')?.value;
      const text = path?.['value'];
      if (!path || typeof text !== 'string') return;
      const hasPrefix = members.some((member) => ['urlPrefix', 'Endpoint', 'url'].includes(member.name));
      const data = { path: text };
      if (!hasPrefix && !/^(\/|[a-z][a-z0-9+.-]*:)/i.test(text))
        context.report({ node: path, messageId: 'relative', data });
      else if (isResource && !/[:*]["A-Za-z_$\u0080-\uffff]/.test(text))
        context.report({ node: path, messageId: 'rowless', data });
    };
    return { CallExpression: check, NewExpression: check };
  },
);
