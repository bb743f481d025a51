// The dependency graph: nodes, the views over them with their memoized values, and the edges from nodes to views. A write marks the
// views over changed nodes and stops at views that are already marked, so its cost depends on the number of changed nodes and
// views. A build sets a view's edges. Views are rebuilt when they are read, never here.

/**
 * A set that nearly always has no item or one item. It is stored as null, as the item itself, or as a Set; an item is never a Set.
 */
export type SmallSet<T extends object> = T | Set<T> | null;

export function addItem<T extends object>(set: SmallSet<T>, item: T): SmallSet<T> {
  if (!set || set === item) return item;
  return (set instanceof Set ? set : new Set([set])).add(item);
}

export function removeItem<T extends object>(set: SmallSet<T>, item: T): SmallSet<T> {
  if (set === item) return null;
  return set instanceof Set && set.delete(item) && set.size === 0 ? null : set;
}

export function hasItem<T extends object>(set: SmallSet<T>, item: T): boolean {
  return set instanceof Set ? set.has(item) : set === item;
}

/** The items as a new array, so that the body of a loop may change the set. */
export function itemsOf<T extends object>(set: SmallSet<T> | undefined): readonly T[] {
  if (!set) return [];
  return set instanceof Set ? [...set] : [set];
}

/** A node that a view can read. There is no base class, because V8 does not inline a constructor that calls another constructor. */
export interface Node {
  dependents: SmallSet<View>;
}

/** A child view that changed after its parent view was built, and the child's value before that change. */
export interface ChildChange {
  readonly child: View;
  readonly before: unknown;
  /**
   * The change that was noted before this one. The changes form a linked list, because nearly every view has one change, and an
   * array would be several times as large.
   */
  readonly earlier: ChildChange | null;
  /** The length of the linked list from this change on. */
  readonly count: number;
}

/**
 * An object that is notified when the value of a view changes. A function is not used, because a page has thousands of subscribers
 * and each would need a closure.
 */
export interface Subscriber {
  wake(): void;
}

export const NO_ARGS: readonly unknown[] = [];

/**
 * Builds the values of views. `ViewReader` of schema/protocol declares the type of `at`, because the store does not know the type.
 */
export interface ViewBuilder {
  build(view: View, at: object): void;
}

/**
 * The memoized value of one node as one `reader` builds it. A cell has no node: it has the value of the stored form that its
 * arguments identify.
 */
export class View implements Node {
  dependents: SmallSet<View> = null;
  isClean = false;
  /**
   * True from the start of a build until the build ends, fails, has to wait for a deep part or is given up. Also true for a waiting
   * view while a deep part inside it is opened.
   */
  isBuilding = false;
  /** The error that the last build threw. Readers get the error until a node that the view read has changed. */
  failure: { readonly error: unknown } | null = null;
  subscribers: SmallSet<Subscriber> = null;
  /** The children that have changed since the value was built, the last one first; undefined if the value cannot be patched. */
  changes: ChildChange | null | undefined;
  /** The node that the view shows: a row, a list, a slot or a table; null for a cell, which has only arguments. */
  readonly subject: Node | null;
  /**
   * The object that builds the value: a kind, an observer, a plan, or a reader that a kind or the engine made. Null for a view that
   * is never built.
   */
  readonly reader: ViewBuilder | null;
  value: unknown;
  /** The data from which the value was built, such as members or sorted items. The store does not read it. */
  builtFrom: unknown;
  /** The nodes that the view read in its last build. */
  readNodes: Node[] | null = null;

  /** The arguments of the call, the look-up or the local query; empty for all other views. */
  readonly args: readonly unknown[];
  /** For a cell: the stored form that the arguments identified. */
  stored: unknown;
  /** The value that the subscribers know, from the last notification or from the first subscription. */
  notifiedValue: unknown;

  constructor(subject: Node | null, reader: ViewBuilder | null, args: readonly unknown[]) {
    this.subject = subject;
    this.reader = reader;
    this.args = args;
  }
}

// ── marks ────────────────────────────────────────────────────────────────────────────────────────

/** A view with more noted changes is rebuilt, not patched. */
const MAX_PATCHES = 512;

/**
 * Marks the views over changed nodes, and collects the marked views that have subscribers. Each store has one instance.
 * normalize/cycles.ts makes its own instances, for views whose subscribers are not notified.
 */
export class ViewMarker {
  /** The views with subscribers that were marked since the subscribers were last notified. */
  readonly toWake: View[] = [];
  /** The nodes whose dependents are still to be marked: empty between two calls. */
  readonly #stack: Node[] = [];

  /** Marks every view over `source` as not clean. */
  mark(source: Node): void {
    for (let node: Node | undefined = source; node; node = this.#stack.pop()) {
      const { dependents } = node;
      if (dependents instanceof Set) for (const view of dependents) this.#markView(view, node);
      else if (dependents) this.#markView(dependents, node);
    }
  }

  #markView(view: View, child: Node): void {
    // This precedes the check of `isClean`, because the view of a list must note a second changed child even when the view is
    // already marked.
    if (view.changes !== undefined) noteChange(view, view.changes, child);
    if (!view.isClean) return;
    view.isClean = false;
    if (view.subscribers) this.toWake.push(view);
    this.#stack.push(view);
  }
}

function noteChange(view: View, earlier: ChildChange | null, child: Node): void {
  // The subject itself changed: the reader of the view finds that by `builtFrom`.
  if (child === view.subject) return;
  // The last note is of this child already, and has an earlier value.
  if (earlier?.child === child) return;
  const count = (earlier?.count ?? 0) + 1;
  const isNoted = child instanceof View && count <= MAX_PATCHES;
  view.changes = isNoted ? { child, before: child.value, earlier, count } : undefined;
}

/** Makes the next build compute the whole value instead of patching it. */
export function forbidPatch(view: View): void {
  view.changes = undefined;
}

/** From now on, the view notes which of its children change, so that the next build can patch the value. */
export function allowPatch(view: View): void {
  view.changes = null;
}

/** Every view that shows data of the node, directly or through other views. */
export function viewsOver(node: Node): ReadonlySet<View> {
  const views = new Set(itemsOf(node.dependents));
  // The set grows while the loop runs.
  for (const view of views) for (const above of itemsOf(view.dependents)) views.add(above);
  return views;
}

// ── builds ───────────────────────────────────────────────────────────────────────────────────────

export function finishBuild(view: View, value: unknown): void {
  view.value = value;
  view.failure = null;
  view.isClean = true;
  view.isBuilding = false;
}

/** Ends a failed build: the view keeps the error until a node that it has read changes. */
export function failBuild(view: View, failure: { readonly error: unknown }): void {
  forbidPatch(view);
  view.builtFrom = undefined;
  finishBuild(view, undefined);
  view.failure = failure;
}

/**
 * Sets the edges after a build: new children get the view as a dependent, former children lose it. When only the children from
 * `head` to `end` were read again, all other children keep their edges.
 */
export function linkChildren(view: View, fresh: Node[], head = 0, end = Infinity): void {
  const before = view.readNodes ?? [];
  const old = before.slice(head, end);
  if (hasSameItems(old, fresh)) return;
  for (const child of fresh) child.dependents = addItem(child.dependents, view);
  const kept = old.length ? new Set(fresh) : null;
  for (const child of old) if (!kept?.has(child)) child.dependents = removeItem(child.dependents, view);
  // If new children only follow the old children, they are appended in place, because a copy of a long array would be most of the
  // cost of a patch.
  if (head === 0 && old.length === before.length) view.readNodes = fresh;
  else if (head === before.length) for (const child of fresh) before.push(child);
  else view.readNodes = before.slice(0, head).concat(fresh, before.slice(end));
}

/**
 * Adds the nodes that are not children yet. A view that is not clean is left out, because it is not marked again and so would
 * report no change.
 */
export function addCleanNodes(children: Node[], more: readonly Node[]): void {
  const known = new Set(children);
  for (const child of more)
    if (!known.has(child) && !(child instanceof View && !child.isClean)) children.push(child);
}

/** Removes the subscriber. It needs no store, because the store may have been replaced since the subscription began. */
export function unsubscribe(view: View, subscriber: Subscriber): void {
  view.subscribers = removeItem(view.subscribers, subscriber);
}

/** Removes a view from the graph, so that no change marks the view any more. */
export function unlink(view: View): void {
  linkChildren(view, []);
  forbidPatch(view);
  view.isClean = false;
  view.isBuilding = false;
}

export function hasSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}
