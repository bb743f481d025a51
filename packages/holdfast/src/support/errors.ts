// The base of every error the library throws, and the one place that turns any thrown value into an Error.
// Imported by all folders; imports only the development text through `#env`.
import { DEV, inDevelopment, messages } from '#env';

/** The page about all codes: a file of the package. */
const PAGE = 'holdfast/dist/docs/errors.md';

/**
 * An error with a stable `code` and the `params` that say where it happened. In development the message is a
 * sentence with the cure; in production it is the code and the parameters, or words where a request has failed.
 *
 * @example
 * try {
 *   await controller.fetch(UserResource.get, { id: '1' });
 * } catch (error) {
 *   if (error instanceof HoldfastError && error.code === 'ENTITY_WITHOUT_PK') console.log(error.params);
 * }
 */
export class HoldfastError extends Error {
  override name = 'HoldfastError';
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    params: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
    /** What production says in place of code and parameters: for failures that people see. */
    words?: string,
  ) {
    super(describe(code, params, words), options);
    this.code = code;
    this.params = params;
  }
}

/**
 * A payload that a schema refused: nothing of it was stored. `params` name the entity and the path in the payload.
 *
 * @example const describe = (error: unknown) => (error instanceof ValidationError ? error.params : undefined);
 */
export class ValidationError extends HoldfastError {
  override name = 'ValidationError';
}

/**
 * The store was reset while this was under way: nothing of it was stored.
 *
 * @example const isReset = (error: unknown) => error instanceof ResetError;
 */
export class ResetError extends HoldfastError {
  override name = 'ResetError';
  constructor() {
    super('STORE_RESET');
  }
}

/** The text of a coded error or warning. */
export function describe(code: string, params: Readonly<Record<string, unknown>>, words?: string): string {
  // a reason that ends in a full stop stands before another one
  if (DEV && messages?.[code])
    return `[${code}] ${messages[code](params).replaceAll('..', '.')} See ${PAGE}#${code.toLowerCase()}`;
  return words ?? `[${code}] ${printParams(params)} See ${PAGE}`;
}

/** Whatever was thrown, as an Error: a rejection may carry undefined, a string or a foreign object. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : `Thrown: ${nameOf(thrown)}`, { cause: thrown });
}

/** Tells the platform of an error that has no caller: `window.onerror` and monitors hear of it. */
export function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else console.error(error);
}

/** What a value is, in a word, for error parameters: never the value's own text, which may be large or secret. */
export function nameOf(value: unknown): string {
  const hasNoForm = typeof value === 'number' && !Number.isFinite(value);
  if (value === null || value === undefined || hasNoForm) return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return value === '' ? 'an empty string' : `a ${typeof value}`;
}

/** Prints a coded warning once per subject in development. `seen` belongs to the caller: no module state. */
export function warnOnce(
  seen: Set<string>,
  code: string,
  subject: string,
  params: Record<string, unknown>,
): void {
  inDevelopment(() => {
    if (seen.has(`${code} ${subject}`)) return;
    seen.add(`${code} ${subject}`);
    console.warn(describe(code, params));
  });
}

function printParams(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? nameOf(value) : String(value)}`)
    .join(' ');
}
