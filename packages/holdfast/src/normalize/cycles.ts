// Cycles in a read: a post has an author whose posts contain that post. The inner view takes the unfinished value of the outer
// one, so that each row has one instance. Most reads have no cycle.
import { failBuild, forbidPatch, Marks, unlink, itemsOf } from '../store/graph.ts';
import type { View } from '../store/graph.ts';

export interface Cycles {
  /** Each view whose unfinished value was taken, with the views that took it (its takers). */
  readonly takersOf: Map<View, View[]>;
  /** The views in `takersOf` that turned out invalid. Their takers are built again and read INVALID from the start. */
  readonly invalidViews: Set<View>;
  /** Views that were finished after an unfinished value was taken, so they may hold it; with the value that each had before. */
  readonly finishedViews: { readonly view: View; readonly before: unknown }[];
}

/** Marks the views that turned out invalid, and all views over them. Notifies no reader, as none has received their values. */
export function markTakersOfInvalid({ invalidViews, finishedViews }: Cycles): void {
  const marks = new Marks();
  for (const view of invalidViews) {
    view.isClean = false;
    view.isBuilding = false;
    marks.mark(view);
  }
  for (const { view, before } of finishedViews.splice(0).reverse()) {
    if (view.isClean) continue;
    // The view may hold an unfinished value that was discarded, and a patch could not replace it: build the view whole.
    view.value = before;
    view.builtFrom = undefined;
    forbidPatch(view);
  }
}

/**
 * For a read that a user's hook started inside another read: marks the takers of views that the outer read is still building.
 * They are built again when they are next read.
 */
export function markTakersOfUnfinished({ takersOf }: Cycles): void {
  for (const [view, takers] of takersOf) {
    for (const taker of view.isBuilding ? takers : []) {
      unlink(taker);
      new Marks().mark(taker);
    }
  }
}

/**
 * A build fails, and with it all views under construction. Stores the error also in the finished views that took a value of those,
 * and in the views over them.
 */
export function failTakers({ takersOf, finishedViews }: Cycles, failure: { readonly error: unknown }): void {
  const finished = new Set(finishedViews.map(({ view }) => view));
  const stack = [...takersOf].flatMap(([view, takers]) => (view.isBuilding ? takers : []));
  for (let view = stack.pop(); view; view = stack.pop()) {
    if (view.isBuilding || !finished.delete(view)) continue;
    failBuild(view, failure);
    for (const holder of itemsOf(view.dependents)) stack.push(holder);
  }
}
