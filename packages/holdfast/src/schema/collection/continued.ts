// The lists behind whose loaded pages there are more. Told by the pages' rule, and asked by a declared order: both come by import.
import type { List } from '../../store/nodes.ts';

// keyed by lists, gone with them
export const continued: WeakSet<List> = new WeakSet();
