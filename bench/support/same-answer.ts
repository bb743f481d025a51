// Says whether a contestant's answer holds the expected one. Contestants add fields of their own (__typename,
// virtual columns) and classes of their own, so the expected fields decide and nothing else does.

/** The path of the first difference, or undefined when every expected value is there. */
export function findDifference(actual: unknown, expected: unknown, path = '$'): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  if (typeof expected !== 'object' || expected === null) {
    return `${path}: expected ${String(expected)}, found ${String(actual)}`;
  }
  if (typeof actual !== 'object' || actual === null)
    return `${path}: expected an object, found ${String(actual)}`;
  if (Array.isArray(expected)) {
    const length = Array.isArray(actual) ? actual.length : undefined;
    if (length !== expected.length) return `${path}: expected ${expected.length} members, found ${length}`;
  }
  for (const [key, value] of Object.entries(expected)) {
    const difference = findDifference((actual as Record<string, unknown>)[key], value, `${path}.${key}`); // cast: read by name
    if (difference !== undefined) return difference;
  }
  return undefined;
}

export function assertSame(actual: unknown, expected: unknown, subject: string): void {
  const difference = findDifference(actual, expected);
  if (difference !== undefined) throw new Error(`${subject} gave a wrong answer at ${difference}`);
}
