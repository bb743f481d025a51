// Keeps views true: a write marks the views over what it changed and stops at views already marked, so its cost is
// what it changed; a build puts a view's edges in place. Views are rebuilt when they are read, never here.
import { Slot } from './nodes.ts';
import { View } from './view.ts';
import type { Change, Node } from './view.ts';
import { itemsOf, withItem, withoutItem } from './small-set.ts';

/** Past this many changed children a view is rebuilt whole instead of patched. */
const MOST_PATCHES = 512;

/** Marks every view over `source`; views with subscribers are put into `wake`. */
export function markDependents(source: Node, wake: Set<View>): void {
  if (source.dependents === null) return;
  const stack: Node[] = [source];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { dependents } = node;
    if (dependents === null) continue;
    if (dependents instanceof View) markOne(dependents, node, stack, wake);
    else for (const view of dependents) markOne(view, node, stack, wake);
  }
}

function markOne(view: View, child: Node, stack: Node[], wake: Set<View>): void {
  // before the early return: a list that is marked already still wants to know of a second changed child
  if (view.changes !== undefined) noteChange(view, view.changes, child);
  if (!view.isClean) return;
  view.isClean = false;
  if (view.subscribers !== null) wake.add(view);
  stack.push(view);
}

function noteChange(view: View, earlier: Change | null, child: Node): void {
  if (child === view.subject) return; // the row or list itself: its reader sees that from `builtFrom`
  // others read it meanwhile, and the view does not: what stands there is noted, and no later value is kept for that
  if (earlier?.child === child) return;
  const count = earlier === null ? 1 : earlier.count + 1;
  const isNoted = child instanceof View && count <= MOST_PATCHES;
  view.changes = isNoted ? { child, before: child.value, earlier, count } : undefined;
}

/** The view is built whole next time. */
export function forbidPatch(view: View): void {
  view.changes = undefined;
}

/** From here on the view notes which of its children change. */
export function allowPatch(view: View): void {
  view.changes = null;
}

/** The answers of endpoints that show something of this node, through however many views. */
export function slotsOver(node: Node): Slot[] {
  const slots = new Set<Slot>();
  const seen = new Set<Node>([node]);
  const stack = [node];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    for (const view of itemsOf(one.dependents)) {
      if (view.subject instanceof Slot) slots.add(view.subject);
      if (!seen.has(view)) {
        seen.add(view);
        stack.push(view);
      }
    }
  }
  return [...slots];
}

/** The view is built. */
export function close(view: View, value: unknown): void {
  view.value = value;
  view.failure = null;
  view.isClean = true;
  view.isBuilding = false;
}

/** The view cannot be built: it keeps the error until something it read has changed. */
export function closeFailed(view: View, failure: { readonly error: unknown }): void {
  forbidPatch(view);
  view.builtFrom = undefined;
  close(view, undefined);
  view.failure = failure;
}

/** Puts the edges in place after a build: new children gain the view as dependent, left ones lose it. */
export function linkChildren(view: View, children: Node[] | null): void {
  const before = view.children;
  view.children = children;
  if (before !== null) {
    if (children !== null && hasSameItems(before, children)) return;
    const kept = new Set<Node>(children);
    for (const child of before) {
      if (!kept.has(child)) child.dependents = withoutItem(child.dependents, view);
    }
  }
  if (children !== null) for (const child of children) child.dependents = withItem(child.dependents, view);
}

/** The same where only the children from `head` to `end` were read anew. */
export function relinkChildren(view: View, fresh: readonly Node[], head: number, end: number): void {
  const before = (view.children ??= []);
  if (fresh.length === 0 && head === before.length) return;
  const kept = new Set(fresh);
  for (const child of before.slice(head, end)) {
    if (!kept.has(child)) child.dependents = withoutItem(child.dependents, view);
  }
  for (const child of fresh) child.dependents = withItem(child.dependents, view);
  // the array is the view's own: what is put at the end leaves the rest where it is
  if (head === before.length) for (const child of fresh) before.push(child);
  else view.children = before.slice(0, head).concat(fresh, before.slice(end));
}

/** Puts in what is not there yet and would tell of a change: a view that is marked already tells nobody. */
export function addClean(children: Node[], more: readonly Node[]): void {
  const known = new Set(children);
  for (const child of more)
    if (!known.has(child) && !(child instanceof View && !child.isClean)) children.push(child);
}

/** Takes a view out of the graph: nothing marks it any more. */
export function unlink(view: View): void {
  linkChildren(view, null);
  forbidPatch(view);
  view.isClean = false;
  view.isBuilding = false;
}

export function hasSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i += 1) if (left[i] !== right[i]) return false;
  return true;
}
