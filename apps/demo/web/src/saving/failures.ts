// Every change that did not get through, until it is repeated or dismissed. Holdfast keeps them.
import { FailedManager } from 'holdfast';

export const failures = new FailedManager();

/** For a failure that is shown where it happened: a form has its own words for it. */
export function forgetFailure(error: Error): void {
  failures
    .get()
    .find((failed) => failed.error === error)
    ?.forget();
}

const keys = new WeakMap<object, string>();

/** A name for each failure, for lists of them: nothing in two equal failures tells them apart. */
export function keyOf(failed: object): string {
  const key = keys.get(failed) ?? crypto.randomUUID();
  keys.set(failed, key);
  return key;
}
