// Notices in development that a component makes an object at each render, although it should be made once.

/** After so many changes in a row, an object counts as made in the render. */
const CHANGES_IN_A_ROW = 3;
/** Changes that lie further apart do not come from renders: somebody saves a file, and a hot reload evaluates it again. */
const LONGEST_BETWEEN_RENDERS_MS = 1_000;

/** What one component remembers of its last render. Empty at first. */
export interface ChangeMemory {
  last?: { readonly value: object; readonly identity: string; readonly at: number };
  changes?: number;
}

/** Called after each render with its object. Calls `report` at the third render in a row with another object of the same identity. */
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
  if (memory.changes === CHANGES_IN_A_ROW) report();
}
