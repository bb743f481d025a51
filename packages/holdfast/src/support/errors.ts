// The base class of the library's errors with a code, and the function that turns any thrown value into an Error. The texts of
// development come through `#env`.
import { DEV, inDevelopment, messages, printOnce } from '#env';

/** The page that documents all codes, a file of the package. */
const PAGE = 'holdfast/dist/docs/errors.md';

/**
 * An error with a stable `code` and the `params` that tell where it happened. In development the message is a sentence that also
 * tells how to correct the cause. In production it is the code and the parameters. The message of a failed request is the same
 * short sentence in development and in production.
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
    /**
     * The message, if it is not the text of the code. A failed request has its own message, because it is not a mistake of the
     * program.
     */
    message: string = describe(code, params),
  ) {
    super(message, options);
    this.code = code;
    this.params = params;
  }
}

/**
 * A schema refused a payload, and nothing of the payload was stored. `params` have the path in the payload or the entity, or both.
 *
 * @example const describe = (error: unknown) => (error instanceof ValidationError ? error.params : undefined);
 */
export class ValidationError extends HoldfastError {
  override name = 'ValidationError';
}

/**
 * The store was reset before the call ended, so nothing of its response was stored. The `receive` of a StreamManager gets this
 * error too, if it uses its controller after a reset.
 *
 * @example const isReset = (error: unknown) => error instanceof ResetError;
 */
export class ResetError extends HoldfastError {
  override name = 'ResetError';
  constructor() {
    super('STORE_RESET');
  }
}

/** The message of a coded error or warning. */
export function describe(code: string, params: Readonly<Record<string, unknown>>): string {
  // A reason may end in a full stop, to which the text adds its own, so two full stops become one.
  if (DEV && messages?.[code])
    return `[${code}] ${messages[code](params).replaceAll('..', '.')} See ${PAGE}#${code.toLowerCase()}`;
  return `[${code}] ${printParams(params)} See ${PAGE}`;
}

/** Converts any thrown value to an Error, because a rejection may be undefined, a string or a foreign object. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : `Thrown: ${describeType(thrown)}`, {
    cause: thrown,
  });
}

/**
 * Passes an error that no caller can catch to `reportError`, so that `window.onerror` and monitoring tools receive it. Prints the
 * error if the platform lacks that function.
 */
export function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else console.error(error);
}

/**
 * The type of a value in a few words, for error parameters. The content is not named, because the content of a string or an object
 * may be large or secret.
 */
export function describeType(value: unknown): string {
  const hasNoForm = typeof value === 'number' && !Number.isFinite(value);
  if (value === null || value === undefined || hasNoForm) return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return value === '' ? 'an empty string' : `a ${typeof value}`;
}

/** Prints a coded warning once per owner, code and subject, in development. */
export function warnOnce(
  owner: object,
  code: string,
  subject: string,
  params: Record<string, unknown>,
): void {
  inDevelopment(() => printOnce(owner, `${code} ${subject}`, () => describe(code, params)));
}

function printParams(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? describeType(value) : String(value)}`)
    .join(' ');
}
