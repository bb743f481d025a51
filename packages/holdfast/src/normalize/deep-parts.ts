// Parts of a read that are nested too deep for the call stack. Such a part is noted, and all views around it wait; then
// the parts are opened one by one, each on an empty call stack, and the waiting views are built again.
//
//   list ─▶ row ─▶ … 100 levels … ─▶ part     noted: the list continues with its other rows, which may note parts
//   part ─▶ …                                 opened separately; may note further parts
//   list ─▶ row ─▶ … ─▶ part                  built again, once, with the value of the part
import type { Kind } from '../schema/protocol/protocol.ts';
import type { Node, View } from '../store/graph.ts';
import { ensure } from '../support/ensure.ts';

/** A view under construction, the nodes that it has read, and the view inside which it is built. */
export interface ViewInBuild {
  readonly view: View;
  readNodes: Node[];
  readonly outer: ViewInBuild | null;
  /** True when a part inside the view was noted: the view has no value yet. */
  isWaiting: boolean;
}

/** A stored form to be opened by `kind`; or, when `kind` is null, a view (in `stored`) to be built. */
export interface DeepPart {
  readonly kind: Kind | null;
  readonly stored: unknown;
  readonly owner: ViewInBuild | null;
  /** The nodes that the value depends on; null until the part is opened. */
  readNodes: readonly Node[] | null;
  value: unknown;
  failure: { readonly error: unknown } | null;
  /** The waiting views around the part, which are set to `isBuilding` while the part is opened: see `DeepParts.startPart`. */
  waitingViews: readonly View[] | null;
}

export class DeepParts {
  /** The parts that were noted while the current part was opened. */
  notedParts: DeepPart[] = [];
  #attemptNumber = 0;
  readonly #partsByStored = new Map<unknown, DeepPart[]>();
  /**
   * The views that wait, or have waited. Each has its unfinished value, to which other values of a cycle may refer already, and the
   * attempt in which the view began to wait.
   */
  readonly #waitingViews = new Map<View, { unfinished: unknown; attempt: number }>();

  /** The part for a stored form. Views with other arguments have their own parts, because the value may depend on the arguments. */
  findPart(kind: Kind, stored: unknown, { view }: ViewInBuild): DeepPart | undefined {
    return this.#partsByStored
      .get(stored)
      ?.find((part) => part.kind === kind && part.owner?.view.args === view.args);
  }

  addPart(part: DeepPart): void {
    this.notedParts.push(part);
    const known = ensure(this.#partsByStored, part.stored, () => []);
    if (!known.includes(part)) known.push(part);
  }

  startPart(part: DeepPart): void {
    this.notedParts = [];
    this.#attemptNumber += 1;
    // If the part refers back to a view around it, the part gets the unfinished value of that view.
    part.waitingViews ??= this.#reopen(part.owner);
  }

  endPart(part: DeepPart): void {
    for (const view of part.waitingViews ?? []) this.#swapUnfinished(view, false);
    part.waitingViews = null; // a part that was noted twice is started twice
  }

  #reopen(owner: ViewInBuild | null): View[] {
    const views: View[] = [];
    for (let current = owner; current; current = current.outer) {
      const { view } = current;
      if (view.isBuilding || view.isClean) continue;
      this.#swapUnfinished(view, true);
      views.push(view);
    }
    return views;
  }

  #swapUnfinished(view: View, isBuilding: boolean): void {
    const waiting = this.#waitingViews.get(view)!; // set: the owner of a part waits, and so does each view around the owner
    const { unfinished } = waiting;
    waiting.unfinished = view.value;
    view.value = unfinished;
    view.isBuilding = isBuilding;
  }

  addWaiting(view: View): void {
    this.#waitingViews.set(view, { unfinished: view.value, attempt: this.#attemptNumber });
    view.isBuilding = false;
  }

  /** Whether the view began to wait in the current attempt. */
  isWaiting(view: View): boolean {
    return this.#waitingViews.get(view)?.attempt === this.#attemptNumber;
  }

  unfinishedOf(view: View): unknown {
    return this.#waitingViews.get(view)?.unfinished;
  }
}
