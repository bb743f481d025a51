// Runs a user's merge or filter while a payload is written. An error of the merge or filter becomes a ValidationError of the
// payload.
import { toError, ValidationError } from '../../support/errors.ts';
import { ensure } from '../../support/ensure.ts';

export function runHook<T>(entity: string, hook: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof ValidationError) throw thrown;
    const { message } = toError(thrown);
    throw new ValidationError('HOOK_THREW', { entity, hook, reason: message }, { cause: thrown });
  }
}

type MergeHook<Rest extends readonly unknown[]> = (
  present: readonly unknown[],
  ...rest: Rest
) => readonly unknown[];

/**
 * Returns the merge with a memo by the present members. `rehearse` in store/apply-effects.ts calls the merge before anything is
 * written; if the members are still the same at the write, it gets the result from the memo.
 */
export function memoizeMerge<Rest extends readonly unknown[]>(merge: MergeHook<Rest>): MergeHook<Rest> {
  const merged = new WeakMap<readonly unknown[], readonly unknown[]>();
  return (present, ...rest) => ensure(merged, present, () => merge(present, ...rest));
}
