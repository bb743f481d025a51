// Cycles in a read: a post has an author whose posts contain that post. The inner view takes the unfinished value of the outer
// view, so that each row has one instance. Most reads have no cycle.
import { failBuild, forbidPatch, ViewMarker, unlink, itemsOf } from '../store/graph.ts';
import type { View } from '../store/graph.ts';

export interface Cycles {
  /** Each view whose unfinished value was taken, with the views that took it (its takers). */
  readonly takersOf: Map<View, View[]>;
  /** The views in `takersOf` that turned out invalid. Their takers are built again, and read INVALID from the start. */
  readonly invalidViews: Set<View>;
  /**
   * The views that were finished after an unfinished value was taken, so that they may hold it. `before` is the value of the view
   * before it was built.
   */
  readonly finishedViews: { readonly view: View; readonly before: unknown }[];
}

/**
 * Marks the views that turned out invalid, and all views over them. Notifies no reader, because no reader has received the values
 * of these views.
 */
export function markTakersOfInvalid({ invalidViews, finishedViews }: Cycles): void {
  const marker = new ViewMarker();
  for (const view of invalidViews) {
    view.isClean = false;
    view.isBuilding = false;
    marker.mark(view);
  }
  for (const { view, before } of finishedViews.splice(0).reverse()) {
    if (view.isClean) continue;
    // The view may hold an unfinished value that was discarded. A patch could not replace that value, so the whole view is built
    // again.
    view.value = before;
    view.builtFrom = undefined;
    forbidPatch(view);
  }
}

/**
 * If a user's hook started this read inside another read, marks the takers of the views that the outer read is still building. The
 * takers are built again when they are next read.
 */
export function markTakersOfUnfinished({ takersOf }: Cycles): void {
  for (const [view, takers] of takersOf) {
    for (const taker of view.isBuilding ? takers : []) {
      unlink(taker);
      new ViewMarker().mark(taker);
    }
  }
}

/**
 * A build has failed, and all views under construction fail with it. The error is also stored in the finished views that took a
 * value of a failed view, and in the views over these finished views.
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
