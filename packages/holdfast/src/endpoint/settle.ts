// Options win over class fields. A subclass's fields are set after the base constructor has run and would win, so the
// options are kept and laid over the finished instance before the library first looks at it.

/** The options an endpoint was made with, for `extend`. */
export const OPTIONS: unique symbol = Symbol('holdfast.options');
/** Runs once, when the instance is finished. */
export const FINISH: unique symbol = Symbol('holdfast.finish');
const PENDING: unique symbol = Symbol('holdfast.pending');

type Options = Readonly<Record<string, unknown>>;

interface Settling {
  [OPTIONS]?: Options;
  [PENDING]?: boolean;
  [FINISH]?(): void;
}

/** Puts options on an instance as own properties, whatever accessors its prototypes have. */
export function layOptions(endpoint: object, options: Options): void {
  for (const name of Object.keys(options)) setOwn(endpoint, name, options[name]);
}

export function setOwn(target: object, name: PropertyKey, value: unknown, enumerable: boolean = true): void {
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}

/** Called by the base constructor. */
export function keepOptions(endpoint: object, options: Options): void {
  layOptions(endpoint, options);
  setOwn(endpoint, OPTIONS, options, false);
  setOwn(endpoint, PENDING, true, false);
}

/** Finishes an endpoint, once. Whoever takes one in hand calls it before reading its options. */
export function settle<E extends object>(endpoint: E): E {
  const settling = endpoint as E & Settling; // cast: symbols that only this file and the endpoints set
  if (settling[PENDING] !== true) return endpoint;
  settling[PENDING] = false;
  layOptions(endpoint, settling[OPTIONS] ?? {});
  settling[FINISH]?.();
  return endpoint;
}

export function optionsOf(endpoint: object): Options {
  return (endpoint as Settling)[OPTIONS] ?? {}; // cast: as above
}
