// Every failed change, until it is repeated or dismissed. Holdfast keeps them.
import { FailedManager } from 'holdfast';

export const failures = new FailedManager();

/** For a failure that is shown where it happened: a form shows it in its own words. */
export function forgetFailure(error: Error): void {
  failures
    .get()
    .find((failed) => failed.error === error)
    ?.forget();
}

const keys = new WeakMap<object, string>();

/** A key for each failure, for lists of them: equal failures have no other difference. */
export function keyOf(failed: object): string {
  const key = keys.get(failed) ?? crypto.randomUUID();
  keys.set(failed, key);
  return key;
}
