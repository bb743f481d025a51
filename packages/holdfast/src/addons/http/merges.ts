// `count` and `set`: each joins this client's change of a field with the change of another client. They are for `conflicts.merge`
// of HttpSemantics.
import { isEqual } from '../../store/fields.ts';
import { HoldfastError, describeType } from '../../support/errors.ts';

/**
 * Joins two changes of a number: both differences are added.
 *
 * @example new HttpSemantics({ conflicts: { merge: [[Todo, { votes: count }]] } });
 */
export function count(base: unknown, mine: unknown, theirs: unknown): number {
  const [before, left, right] = [base ?? 0, mine, theirs].map((value) => {
    if (typeof value !== 'number')
      throw new HoldfastError('MERGE_INVALID', { merge: 'count', found: describeType(value) });
    return value;
  }) as [number, number, number]; // cast: three numbers
  return right + left - before;
}

/**
 * Joins two changes of an array without order: the result has every item that either change has added, and no item that either
 * change has removed.
 *
 * @example new HttpSemantics({ conflicts: { merge: [[Todo, { tags: set }]] } });
 */
export function set(base: unknown, mine: unknown, theirs: unknown): unknown[] {
  const [before, left, right] = [base ?? [], mine, theirs].map((value) => {
    if (!Array.isArray(value))
      throw new HoldfastError('MERGE_INVALID', { merge: 'set', found: describeType(value) });
    return value;
  }) as [unknown[], unknown[], unknown[]]; // cast: three arrays
  const has = (items: readonly unknown[], item: unknown): boolean =>
    items.some((each) => isEqual(each, item));
  const kept = before.filter((item) => has(left, item) && has(right, item));
  const added = [...right, ...left].filter((item) => !has(before, item));
  return [...kept, ...added.filter((item, at) => !has(added.slice(0, at), item))];
}
