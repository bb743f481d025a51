// What a read remembers of cycles, so that rows that refer to each other close on one instance each. Most reads meet none.
// Used by read.ts.
import type { ReadFrame } from '../schema/protocol.ts';
import type { View } from '../store/view.ts';

export interface Cycles {
  /** Views whose unfinished value a cycle has taken, and by whom. */
  readonly shared: Map<View, View[]>;
  /** Those of them that turned out invalid: whoever took the value is built anew, and finds them invalid from the start. */
  readonly condemned: Set<View>;
  /** Frames that were done while an unfinished value was about: their views may have taken it. */
  readonly tentative: ReadFrame[];
}
