// The header that lets a server recognise a repeated mutation. A manager that repeats requests makes it once per
// mutation and hands it to every attempt; a direct call makes its own.

interface Keyed {
  readonly sideEffect?: boolean | undefined;
  readonly idempotencyKey?: boolean | string | ((...args: never) => string);
}

/** The header for one mutation; nothing when the endpoint asks for none. */
export function createIdempotencyHeaders(
  endpoint: Keyed,
  args: readonly unknown[],
  random: () => number,
): Readonly<Record<string, string>> {
  const { idempotencyKey } = endpoint;
  if (!idempotencyKey || !endpoint.sideEffect) return {};
  if (typeof idempotencyKey === 'function') {
    return { 'Idempotency-Key': String(Reflect.apply(idempotencyKey, endpoint, args)) };
  }
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return { [idempotencyKey === true ? 'Idempotency-Key' : idempotencyKey]: digits };
}

/** The init with further headers, where it does not have them already. */
export function withHeaders(init: RequestInit, headers: Readonly<Record<string, string>>): RequestInit {
  const names = Object.keys(headers);
  if (names.length === 0) return init;
  const all = new Headers(init.headers);
  for (const name of names) if (!all.has(name)) all.set(name, headers[name] ?? '');
  return { ...init, headers: all };
}
