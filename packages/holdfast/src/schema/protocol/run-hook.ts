// Runs a user's own merge or filter: what it throws becomes a coded refusal of the payload that is being written.
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

/** A merge for one payload, run once for each array of members: what was rehearsed before the write is what is written. */
export function runOnce<Rest extends readonly unknown[]>(merge: MergeHook<Rest>): MergeHook<Rest> {
  const merged = new WeakMap<readonly unknown[], readonly unknown[]>();
  return (present, ...rest) => ensure(merged, present, () => merge(present, ...rest));
}
