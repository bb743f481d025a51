// Options win over class fields. A subclass's fields are set after the base constructor has run and would win, so the
// options are kept and laid over the finished instance before the library first looks at it.

type Options = Readonly<Record<string, unknown>>;

/** What an endpoint keeps beside its options: see {@link Kept}. */
export const KEPT: unique symbol = Symbol('holdfast.kept');
/** Fills in what the options left open. Runs once, when the instance is finished. */
export const FINISH: unique symbol = Symbol('holdfast.finish');

/** The options that an endpoint was made with, for `extend`, and what a class has made of them. */
export interface Kept {
  readonly options: Options;
  isFinished: boolean;
}

interface Finishable {
  readonly [KEPT]?: Kept;
  [FINISH]?(): void;
}

export function setOwn(target: object, name: PropertyKey, value: unknown, enumerable: boolean = true): void {
  Object.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}

/** Puts options on an instance as own properties, whatever accessors its prototypes have. */
function layOptions(endpoint: object, options: Options): void {
  for (const name of Object.keys(options)) setOwn(endpoint, name, options[name]);
}

/** Called by the base constructor. */
export function keepOptions(endpoint: object, options: Options): void {
  layOptions(endpoint, options);
  setOwn(endpoint, KEPT, { options, isFinished: false } satisfies Kept, false);
}

/** Finishes an endpoint, once: options over class fields, then defaults. Called before the library reads an option. */
export function settle<E extends object>(endpoint: E): E {
  const { [KEPT]: kept, [FINISH]: finish } = endpoint as Finishable; // cast: asking is the check
  if (!kept || kept.isFinished) return endpoint;
  kept.isFinished = true;
  layOptions(endpoint, kept.options);
  finish?.call(endpoint);
  return endpoint;
}
