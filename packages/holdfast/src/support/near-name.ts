// Finds the correct spelling of a misspelled name, for warnings and errors.

/**
 * The nearest known name. It differs by at most two letters (one if `name` has fewer than four letters), and by fewer than half of
 * the known name's letters. Letter case does not count. Undefined if no name is near, or if `name` itself is known.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const limit = name.length < 4 ? 1 : 2;
  const near = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= limit && distance < each.length / 2)
    .sort((left, right) => left.distance - right.distance);
  return near[0]?.each;
}

/** How many letters were added, left out, mistaken or swapped with their neighbour. */
export function distanceOf(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[right.length] ?? 0;
}
