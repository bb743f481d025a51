// What a read keeps of parts that are nested too deep for the call stack. Such a part is noted, and whatever is around it
// waits; the parts are then opened one by one, each on an empty stack, and what waited is built again. Used by read.ts.
//
//   list ─▶ row ─▶ … 100 levels … ─▶ part     noted: the list goes on to its other rows, which note theirs
//   part ─▶ …                                 opened by itself; may note parts of its own
//   list ─▶ row ─▶ … ─▶ part                  built again, once: the part's value is known
import type { Kind } from '../schema/protocol/protocol.ts';
import type { Node, View } from '../store/graph.ts';
import { ensure } from '../support/ensure.ts';

/** A view under construction, inside another one. */
export interface Owner {
  readonly view: View;
  readonly readNodes: Node[];
  readonly outer: Owner | null;
  /** Whether a part of it was noted: what it has read so far is no value. */
  isWaiting: boolean;
}

/** A view to be built, where there is no kind; else a stored form to be opened. */
export interface DeepPart {
  readonly kind: Kind | null;
  readonly stored: unknown;
  readonly owner: Owner | null;
  /** The nodes that its value depends on; null until it is opened. */
  readNodes: readonly Node[] | null;
  value: unknown;
  failure: { readonly error: unknown } | null;
  /** The views around it that are open while it is: see `DeepParts.open`. */
  around: readonly View[] | null;
}

export class DeepParts {
  /** The parts that were noted in the present attempt. */
  noted: DeepPart[] = [];
  #attempt = 0;
  readonly #byStored = new Map<unknown, DeepPart[]>();
  /** Views that wait: what was made of them, which circles may hold, and the attempt in which they met a noted part. */
  readonly #waiting = new Map<View, { made: unknown; attempt: number }>();

  /** The part of that stored form; a view's arguments may tell two apart. */
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
    // a circle closes on what was made of a view that the part is in
    part.around ??= this.#reopen(part.owner);
  }

  end(part: DeepPart): void {
    for (const view of part.around ?? []) this.#swap(view, false);
    part.around = null; // it may have been noted twice
  }

  #reopen(owner: Owner | null): View[] {
    const views: View[] = [];
    for (let one = owner; one; one = one.outer) {
      const { view } = one;
      if (view.isBuilding || view.isClean) continue;
      this.#swap(view, true);
      views.push(view);
    }
    return views;
  }

  #swap(view: View, isBuilding: boolean): void {
    const waiting = this.#waiting.get(view)!; // the owner of a part waits
    const { made } = waiting;
    waiting.made = view.value;
    view.value = made;
    view.isBuilding = isBuilding;
  }

  wait(view: View): void {
    this.#waiting.set(view, { made: view.value, attempt: this.#attempt });
    view.isBuilding = false;
  }

  /** Whether the view met a noted part in this very attempt. */
  isWaiting(view: View): boolean {
    return this.#waiting.get(view)?.attempt === this.#attempt;
  }

  madeOf(view: View): unknown {
    return this.#waiting.get(view)?.made;
  }
}
