// Finds out for the lint rules whether an expression is data from the store: through variables, loops, callbacks, copies of lists,
// and the props of components of the same file.
import {
  childOf,
  childrenOf,
  definitionOf,
  exportNameOf,
  functionNameOf,
  isFunction,
  nodeName,
  parentOf,
} from './ast.ts';
import type { AstNode, LintContext } from './ast.ts';

const READ_HOOKS: readonly unknown[] =
  'useSuspense useSuspenseAll useLive useCache useQuery useDLE useFetch usePages'.split(' ');
const ITERATING_METHODS: readonly unknown[] = 'map forEach filter find some every flatMap'.split(' ');
/** Methods that copy an array, but not its items. */
const COPYING_METHODS: readonly unknown[] = 'filter slice concat toSorted toReversed toSpliced'.split(' ');
/** The most steps, for example from a variable to its initial value, that are followed from an expression to the hook that reads. */
const MOST_STEPS = 10;

/** The `a` of `a.b[c].d`. */
export function rootOf(node: AstNode): AstNode {
  let root = node;
  while (root.type === 'MemberExpression') root = childOf(root, 'object') ?? { type: 'Unknown' };
  return root;
}

export class ReadData {
  readonly #context: LintContext;
  /** The opening elements of the file, by the name of their component. */
  readonly #elements = new Map<string, AstNode[]>();

  constructor(context: LintContext) {
    this.#context = context;
  }

  addElement(element: AstNode): void {
    const name = nodeName(childOf(element, 'name'));
    if (name !== undefined) this.#elements.set(name, [...(this.#elements.get(name) ?? []), element]);
  }

  /**
   * Whether the object of a member expression is data from the store, or is reached through an array whose items come from the
   * store, such as a copied list.
   */
  isPartOfReadData(member: AstNode): boolean {
    const object = childOf(member, 'object');
    return (
      this.isRead(object) || (object?.type === 'MemberExpression' && this.#hasReadItems(rootOf(object), 0))
    );
  }

  /**
   * Whether a value comes from the store: a hook that reads, or a controller's `get` or `fetch`, returned the value or an object
   * that contains it.
   */
  isRead(node: AstNode | undefined, steps = 0): boolean {
    if (!node || steps > MOST_STEPS) return false;
    if (node.type === 'MemberExpression') {
      const root = rootOf(node);
      return this.isRead(root, steps + 1) || this.#isReadProp(root, firstMemberOf(node), steps + 1);
    }
    if (node.type === 'CallExpression') {
      const callee = childOf(node, 'callee');
      const name = nodeName(callee);
      if (READ_HOOKS.includes(exportNameOf(this.#context, callee))) return true;
      const object = childOf(callee, 'object');
      const isController = object !== undefined && /controller$/i.test(nodeName(object) ?? '');
      if (isController && (name === 'get' || name === 'fetch')) return true;
      return (name === 'find' || name === 'at') && this.#hasReadItems(object, steps + 1);
    }
    if (node.type !== 'Identifier') return false;
    const definition = definitionOf(this.#context, node);
    if (definition?.type === 'Variable') {
      const declared = definition.node;
      const loop = parentOf(parentOf(declared) ?? declared);
      const isLoop = loop?.type === 'ForOfStatement' && !childOf(declared, 'init');
      if (isLoop) return this.#hasReadItems(childOf(loop, 'right'), steps + 1);
      return this.isRead(childOf(declared, 'init'), steps + 1);
    }
    if (definition?.type !== 'Parameter') return false;
    const [first] = childrenOf(definition.node, 'params');
    const isFirst = first?.type === 'Identifier' ? first['name'] === node['name'] : first !== undefined;
    if (!isFirst) return false;
    // In `todos.map((todo) => …)`, the callback's first parameter is an item of the array.
    const callee = childOf(parentOf(definition.node), 'callee');
    if (ITERATING_METHODS.includes(nodeName(callee)))
      return this.#hasReadItems(childOf(callee, 'object'), steps + 1);
    const prop = childrenOf(first, 'properties').find(
      (each) => nodeName(childOf(each, 'value')) === node['name'],
    );
    return this.#isReadProp(first, nodeName(childOf(prop, 'key')), steps + 1);
  }

  /** Whether the items of an array come from the store: the array was read from the store, or is a shallow copy of such an array. */
  #hasReadItems(node: AstNode | undefined, steps: number): boolean {
    if (!node || steps > MOST_STEPS) return false;
    if (this.isRead(node, steps)) return true;
    if (node.type === 'ArrayExpression') {
      const [only, ...others] = childrenOf(node, 'elements');
      return (
        others.length === 0 &&
        only?.type === 'SpreadElement' &&
        this.#hasReadItems(childOf(only, 'argument'), steps + 1)
      );
    }
    if (node.type === 'CallExpression') {
      const callee = childOf(node, 'callee');
      return (
        COPYING_METHODS.includes(nodeName(callee)) && this.#hasReadItems(childOf(callee, 'object'), steps + 1)
      );
    }
    const definition = node.type === 'Identifier' ? definitionOf(this.#context, node) : undefined;
    const isVariable =
      definition?.type === 'Variable' && childOf(definition.node, 'id')?.type === 'Identifier';
    return isVariable && this.#hasReadItems(childOf(definition.node, 'init'), steps + 1);
  }

  /**
   * Whether an element of the same file passes data from the store as this prop. `props` is the component's parameter, or an
   * identifier that refers to the parameter.
   */
  #isReadProp(props: AstNode | undefined, prop: string | undefined, steps: number): boolean {
    if (!props || prop === undefined) return false;
    const definition = props.type === 'Identifier' ? definitionOf(this.#context, props) : undefined;
    const component =
      props.type === 'Identifier' ? definition?.type === 'Parameter' && definition.node : parentOf(props);
    if (!component || !isFunction(component)) return false;
    return (this.#elements.get(functionNameOf(component) ?? '') ?? []).some((element) =>
      childrenOf(element, 'attributes').some(
        (attribute) =>
          nodeName(childOf(attribute, 'name')) === prop &&
          this.isRead(childOf(childOf(attribute, 'value'), 'expression'), steps + 1),
      ),
    );
  }
}

/** The `b` of `a.b[c].d`. */
function firstMemberOf(node: AstNode): string | undefined {
  const object = childOf(node, 'object');
  return object?.type === 'MemberExpression' ? firstMemberOf(object) : nodeName(node);
}
