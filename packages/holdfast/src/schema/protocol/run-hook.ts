// Runs a user's own merge or filter: what it throws becomes a coded refusal of the payload that is being written.
import { toError, ValidationError } from '../../support/errors.ts';

export function runHook<T>(entity: string, hook: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof ValidationError) throw thrown;
    const { message } = toError(thrown);
    throw new ValidationError('HOOK_THREW', { entity, hook, reason: message }, { cause: thrown });
  }
}
