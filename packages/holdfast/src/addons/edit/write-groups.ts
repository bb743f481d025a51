// The group in which a controller's mutations are called: a transaction, a group of a history, or an undo. The group is set while a
// synchronous function runs.
import type { Core } from '../../controller/state/core.ts';

export interface WriteGroup {
  readonly label?: string | undefined;
  /** True when the mutations undo or redo other mutations. A history does not record them. */
  readonly isUndo?: boolean;
}

// The keys are weak: an entry is collected together with its controller.
const groups = new WeakMap<Core, WriteGroup>();

export function groupOf(core: Core): WriteGroup | undefined {
  return groups.get(core);
}

/** Runs the function in the group. Inside another group, the outer group stays set, unless this group is an undo. */
export function runInGroup<T>(core: Core, group: WriteGroup, run: () => T): T {
  const outer = groups.get(core);
  groups.set(core, group.isUndo ? group : (outer ?? group));
  try {
    return run();
  } finally {
    if (outer) groups.set(core, outer);
    else groups.delete(core);
  }
}
