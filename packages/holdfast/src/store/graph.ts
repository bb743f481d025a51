// What is read and what reads it: nodes, the views over them with their memoized values, and the edges between. A write
// marks the views over what it changed and stops at views already marked, so its cost is what it changed; a build puts a
// view's edges in place. Views are rebuilt when they are read, never here.

/**
 * A set that is nearly always empty or holds one item: nothing, the item itself, or a Set. Items are class instances that are
 * no Sets.
 */
export type SmallSet<T extends object> = T | Set<T> | null;

export function withItem<T extends object>(set: SmallSet<T>, item: T): SmallSet<T> {
  if (!set || set === item) return item;
  return (set instanceof Set ? set : new Set([set])).add(item);
}

export function withoutItem<T extends object>(set: SmallSet<T>, item: T): SmallSet<T> {
  if (set === item) return null;
  return set instanceof Set && set.delete(item) && set.size === 0 ? null : set;
}

export function hasItem<T extends object>(set: SmallSet<T>, item: T): boolean {
  return set instanceof Set ? set.has(item) : set === item;
}

/** The items as something to loop over; copied, so that the loop's body may change the set. */
export function itemsOf<T extends object>(set: SmallSet<T>): readonly T[] {
  if (!set) return [];
  return set instanceof Set ? [...set] : [set];
}

/** Anything a view can read. No base class: V8 does not inline a constructor that calls another one. */
export interface Node {
  dependents: SmallSet<View>;
}

/** A child that changed since the view over it was built, with the value it had then. */
export interface ChildChange {
  readonly child: View;
  readonly before: unknown;
  /** What was noted before it. A chain: nearly all are one long, and an array would be several times their size. */
  readonly earlier: ChildChange | null;
  /** Its place in the chain, from 1 on. */
  readonly count: number;
}

/** Hears of a view's change. An object: a page has thousands of them, and each would need a function. */
export interface Subscriber {
  wake(): void;
}

export const NO_ARGS: readonly unknown[] = [];

/** The memoized value of one node as one schema reads it. */
export class View implements Node {
  dependents: SmallSet<View> = null;
  isClean = false;
  /** Under construction, until it is clean or marked again. */
  isBuilding = false;
  /** What a user's own code threw when the view was built last; readers get it thrown until something changes. */
  failure: { readonly error: unknown } | null = null;
  subscribers: SmallSet<Subscriber> = null;
  /** The children that changed since the value was built, the last first; undefined where the value cannot be patched. */
  changes: ChildChange | null | undefined;
  /** What is viewed: a row, a list, a slot, or nothing for a query. */
  readonly subject: Node | null;
  /** The schema kind that reads it; opaque to the store. */
  readonly reader: unknown;
  value: unknown;
  /** What the value was built from, opaque to the store: members, sorted items. */
  builtFrom: unknown;
  /** The nodes this view read when it was built. */
  readNodes: Node[] | null = null;

  /** The arguments that the kind reads with. */
  readonly args: readonly unknown[];
  /** For a look-up: the stored form that the arguments named. */
  stored: unknown;
  /** The value subscribers last heard of. */
  notified: unknown;

  constructor(subject: Node | null, reader: unknown, args: readonly unknown[]) {
    this.subject = subject;
    this.reader = reader;
    this.args = args;
  }
}

// ── marks ────────────────────────────────────────────────────────────────────────────────────────

/** Past this many changed children a view is rebuilt whole instead of patched. */
const MOST_PATCHES = 512;

/** What is still to be marked: empty between two calls. */
const stack: Node[] = [];

/** Marks every view over `source`; views with subscribers are put into `wake`. */
export function markDependents(source: Node, wake: Set<View>): void {
  if (!source.dependents) return;
  for (let node: Node | undefined = source; node; node = stack.pop()) {
    for (const view of itemsOf(node.dependents)) {
      // before the early end: a list that is marked already still wants to know of a second changed child
      if (view.changes !== undefined) noteChange(view, view.changes, node);
      if (!view.isClean) continue;
      view.isClean = false;
      if (view.subscribers) wake.add(view);
      stack.push(view);
    }
  }
}

function noteChange(view: View, earlier: ChildChange | null, child: Node): void {
  // the row or list itself: its reader sees that from `builtFrom`
  if (child === view.subject) return;
  // noted since the view was built: the value that stands there is the one the view holds, a later one is not
  if (earlier?.child === child) return;
  const count = (earlier?.count ?? 0) + 1;
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

/** Every view that shows something of the node, through however many others. */
export function viewsOver(node: Node): ReadonlySet<View> {
  const views = new Set(itemsOf(node.dependents));
  // grows while it is walked
  for (const view of views) for (const above of itemsOf(view.dependents)) views.add(above);
  return views;
}

// ── builds ───────────────────────────────────────────────────────────────────────────────────────

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

/**
 * Puts the edges in place after a build: new children gain the view as dependent, left ones lose it. Where only the children
 * from `head` to `end` were read again, the others stay.
 */
export function linkChildren(view: View, fresh: Node[], head = 0, end = Infinity): void {
  const before = view.readNodes ?? [];
  const old = before.slice(head, end);
  if (hasSameItems(old, fresh)) return;
  for (const child of fresh) child.dependents = withItem(child.dependents, view);
  const kept = old.length ? new Set(fresh) : null;
  for (const child of old) if (!kept?.has(child)) child.dependents = withoutItem(child.dependents, view);
  // a copy of a long list of children is what a patch costs: those at the end are put there
  if (head === 0 && old.length === before.length) view.readNodes = fresh;
  else if (head === before.length) for (const child of fresh) before.push(child);
  else view.readNodes = before.slice(0, head).concat(fresh, before.slice(end));
}

/** Puts in what is not there yet and would tell of a change: a view that is marked already tells nothing. */
export function addClean(children: Node[], more: readonly Node[]): void {
  const known = new Set(children);
  for (const child of more)
    if (!known.has(child) && !(child instanceof View && !child.isClean)) children.push(child);
}

/** No store is asked: it may be another one by now. */
export function unsubscribe(view: View, subscriber: Subscriber): void {
  view.subscribers = withoutItem(view.subscribers, subscriber);
}

/** Takes a view out of the graph: nothing marks it any more. */
export function unlink(view: View): void {
  linkChildren(view, []);
  forbidPatch(view);
  view.isClean = false;
  view.isBuilding = false;
}

export function hasSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}
