// Promises that say how they ended, as React's `use` reads them: one that is settled does not suspend again.

interface Tagged<T> extends Promise<T> {
  status?: 'pending' | 'fulfilled' | 'rejected';
  value?: T;
  reason?: unknown;
}

/** The same promise, which will carry `status` and `value` or `reason` once it has settled. */
export function tag<T>(promise: Promise<T>): Promise<T> {
  const tagged = promise as Tagged<T>; // cast: the members are optional
  tagged.status = 'pending';
  promise.then(
    (value) => {
      tagged.status = 'fulfilled';
      tagged.value = value;
    },
    (error: unknown) => {
      tagged.status = 'rejected';
      tagged.reason = error;
    },
  );
  return tagged;
}

/** A promise that is fulfilled already, also for a reader that looks at once. */
export function fulfilled<T>(value: T): Promise<T> {
  return Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
}

/** A promise that is rejected already; it reports no unhandled rejection. */
export function rejected(error: Error): Promise<never> {
  const promise: Promise<never> = Promise.reject(error);
  promise.catch(() => undefined);
  return Object.assign(promise, { status: 'rejected', reason: error });
}
