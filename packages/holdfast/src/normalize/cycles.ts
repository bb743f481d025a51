// What a read remembers of views that are not finished: those in work, one inside the other, and cycles through them, so
// that rows that refer to each other close on one instance each. Most reads meet no cycle. Used by read.ts.
import type { ReadFrame } from '../schema/protocol.ts';
import type { Node, View } from '../store/view.ts';

/** A view under construction, inside another one. */
export interface Owner {
  readonly view: View;
  readonly children: Node[];
  readonly outer: Owner | null;
}

export interface Cycles {
  /** Views whose unfinished value a cycle has taken, and by whom. */
  readonly shared: Map<View, View[]>;
  /** Those of them that turned out invalid: whoever took the value is built anew, and finds them invalid from the start. */
  readonly condemned: Set<View>;
  /** Frames that were done while an unfinished value was about: their views may have taken it. */
  readonly tentative: ReadFrame[];
}

export function createCycles(): Cycles {
  return { shared: new Map(), condemned: new Set(), tentative: [] };
}
