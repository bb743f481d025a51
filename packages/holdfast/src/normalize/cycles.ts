// What a read remembers of circles: views whose unfinished value was taken by a view that stands inside them, so that rows
// that refer to each other close on one instance each. Most reads meet no circle. Used by read.ts.
import { failBuild, forbidPatch, markDependents, unlink, itemsOf } from '../store/graph.ts';
import type { View } from '../store/graph.ts';

export interface Cycles {
  /** Views whose unfinished value a circle has taken, and the views that took it. */
  readonly shared: Map<View, View[]>;
  /** Those of them that turned out invalid. A view that took such a value is built again, and finds them invalid from the start. */
  readonly condemned: Set<View>;
  /** Views that were finished while an unfinished value was about: they may have taken it. */
  readonly tentative: { readonly view: View; readonly before: unknown }[];
}

/** Marks the views that took an unfinished value that turned out invalid. No reader is woken: nothing was handed out yet. */
export function unbuildTakers({ condemned, tentative }: Cycles): void {
  const unheard = new Set<View>();
  for (const view of condemned) {
    view.isClean = false;
    view.isBuilding = false;
    markDependents(view, unheard);
  }
  for (const { view, before } of tentative.splice(0).reverse()) {
    if (view.isClean) continue;
    // it may hold the unfinished value, which is no view's value any more: no patch would find it
    view.value = before;
    view.builtFrom = undefined;
    forbidPatch(view);
  }
}

/** A hook that reads what is being built at that moment gets it unfinished: what took it on the way is built again next time. */
export function undoGuests({ shared }: Cycles): void {
  for (const [view, takers] of shared) {
    for (const taker of view.isBuilding ? takers : []) {
      unlink(taker);
      markDependents(taker, new Set());
    }
  }
}

/** Whatever took the value of a view that is never finished has no value either, nor has what holds it. */
export function failTakers({ shared, tentative }: Cycles, failure: { readonly error: unknown }): void {
  const finished = new Set(tentative.map(({ view }) => view));
  const stack = [...shared].flatMap(([view, takers]) => (view.isBuilding ? takers : []));
  for (let view = stack.pop(); view; view = stack.pop()) {
    if (view.isBuilding || !finished.delete(view)) continue;
    failBuild(view, failure);
    for (const holder of itemsOf(view.dependents)) stack.push(holder);
  }
}
