// Finds in development that a component makes an object at each render, although it should make the object once.

/** After this many changes in a row, the object counts as made in the render. */
const CONSECUTIVE_CHANGES = 3;
/**
 * Changes with a longer time between them do not count: they may come from a hot reload, which evaluates a file again when a
 * developer saves it.
 */
const LONGEST_BETWEEN_RENDERS_MS = 1_000;

/** What one call of a hook has seen in the renders of its component. It is empty at first. */
export interface ChangeMemory {
  last?: { readonly value: object; readonly identity: string; readonly at: number };
  changes?: number;
}

/**
 * Called after each render with the object of that render. Calls `report` at the third render in a row with another object of the
 * same identity, if no more than LONGEST_BETWEEN_RENDERS_MS lies between one of these renders and the next.
 */
export function checkChanges(
  memory: ChangeMemory,
  value: object,
  { identity, at, report }: { readonly identity: string; readonly at: number; readonly report: () => void },
): void {
  const { last, changes = 0 } = memory;
  const isChange =
    last && last.value !== value && last.identity === identity && at - last.at <= LONGEST_BETWEEN_RENDERS_MS;
  memory.changes = isChange ? changes + 1 : 0;
  memory.last = { value, identity, at };
  if (memory.changes === CONSECUTIVE_CHANGES) report();
}
