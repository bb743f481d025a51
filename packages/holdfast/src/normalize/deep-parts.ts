// Parts of a read that are nested too deep for the call stack. Such a part is noted, and all views around it wait; then
// the parts are opened one by one, each on an empty call stack, and the waiting views are built again. Used by read.ts.
//
//   list ─▶ row ─▶ … 100 levels … ─▶ part     noted: the list continues with its other rows, which may note parts
//   part ─▶ …                                 opened separately; may note further parts
//   list ─▶ row ─▶ … ─▶ part                  built again, once, with the value of the part
import type { Kind } from '../schema/protocol/protocol.ts';
import type { Node, View } from '../store/graph.ts';
import { ensure } from '../support/ensure.ts';

/** A view under construction, the nodes that it has read, and the view inside which it is built. */
export interface Owner {
  readonly view: View;
  readonly readNodes: Node[];
  readonly outer: Owner | null;
  /** True when a part inside the view was noted: the view has no value yet. */
  isWaiting: boolean;
}

/** A stored form to be opened by `kind`; or, when `kind` is null, a view (in `stored`) to be built. */
export interface DeepPart {
  readonly kind: Kind | null;
  readonly stored: unknown;
  readonly owner: Owner | null;
  /** The nodes that the value depends on; null until the part is opened. */
  readNodes: readonly Node[] | null;
  value: unknown;
  failure: { readonly error: unknown } | null;
  /** The waiting views around the part, which are set to `isBuilding` while the part is opened: see `DeepParts.startPart`. */
  waitingViews: readonly View[] | null;
}

export class DeepParts {
  /** The parts that were noted while the current part was opened. */
  noted: DeepPart[] = [];
  #attempt = 0;
  readonly #byStored = new Map<unknown, DeepPart[]>();
  /** The waiting views, each with its unfinished value, which a cycle may hold, and the attempt in which it began to wait. */
  readonly #waiting = new Map<View, { unfinished: unknown; attempt: number }>();

  /** The part for a stored form. Views with other arguments have parts of their own, as the value may depend on the arguments. */
  find(kind: Kind, stored: unknown, { view }: Owner): DeepPart | undefined {
    return this.#byStored
      .get(stored)
      ?.find((part) => part.kind === kind && part.owner?.view.args === view.args);
  }

  note(part: DeepPart): void {
    this.noted.push(part);
    const known = ensure(this.#byStored, part.stored, () => []);
    if (!known.includes(part)) known.push(part);
  }

  startPart(part: DeepPart): void {
    this.noted = [];
    this.#attempt += 1;
    // If the part refers back to a view around it, the part gets the unfinished value of that view.
    part.waitingViews ??= this.#reopen(part.owner);
  }

  end(part: DeepPart): void {
    for (const view of part.waitingViews ?? []) this.#swap(view, false);
    part.waitingViews = null; // a part that was noted twice is started twice
  }

  #reopen(owner: Owner | null): View[] {
    const views: View[] = [];
    for (let current = owner; current; current = current.outer) {
      const { view } = current;
      if (view.isBuilding || view.isClean) continue;
      this.#swap(view, true);
      views.push(view);
    }
    return views;
  }

  #swap(view: View, isBuilding: boolean): void {
    const waiting = this.#waiting.get(view)!; // the owner of a part waits
    const { unfinished } = waiting;
    waiting.unfinished = view.value;
    view.value = unfinished;
    view.isBuilding = isBuilding;
  }

  wait(view: View): void {
    this.#waiting.set(view, { unfinished: view.value, attempt: this.#attempt });
    view.isBuilding = false;
  }

  /** Whether the view began to wait in the current attempt. */
  isWaiting(view: View): boolean {
    return this.#waiting.get(view)?.attempt === this.#attempt;
  }

  unfinishedOf(view: View): unknown {
    return this.#waiting.get(view)?.unfinished;
  }
}
