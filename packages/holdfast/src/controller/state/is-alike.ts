// Compares plain records member by member: states of observers keep their identity while nothing in them changed.

/** Whether two records of the same type hold the same. */
export function isAlike<T extends object>(left: T, right: T | null | undefined): boolean {
  if (!right) return false;
  for (const name in left) if (left[name] !== right[name]) return false;
  return true;
}
