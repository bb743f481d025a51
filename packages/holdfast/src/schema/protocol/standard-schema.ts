// Schemas of other libraries: what Standard Schema 1 says that they are, and the one place that calls them. Types for the
// endpoint option `errors`; called by the addons of `holdfast/validate` and the kinds behind them.
import { DEV } from '#env';
import { isEqual } from '../../store/fields.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { copyPlain } from '../../support/plain.ts';

/**
 * A schema of any library that keeps to Standard Schema 1: zod, valibot, arktype and others.
 *
 * @example
 * function isFit(schema: StandardSchema, value: unknown) {
 *   const result = schema['~standard'].validate(value);
 *   return !(result instanceof Promise) && !result.issues;
 * }
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/**
 * What a schema says of a value: what it makes of it, or what is wrong.
 *
 * @example const messages = (result: StandardSchema.Result<unknown>) => result.issues?.map(({ message }) => message) ?? [];
 */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/**
 * One thing that is wrong with a value.
 *
 * @example const textOf = ({ message }: StandardSchema.Issue) => message;
 */
export interface StandardIssue {
  readonly message: string;
  /** Where in the value; absent or empty for the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** StandardOutput<z.ZodNumber>  →  number */
export type StandardOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

export function isStandard(schema: unknown): schema is StandardSchema {
  return (
    (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema
  );
}

/**
 * What a schema says of a value. A schema that throws, answers later or, in development, writes into the value is an error with
 * a code: `of` says whose schema it is.
 */
export function consult(schema: StandardSchema, value: unknown, of: string): StandardResult<unknown> {
  // development hands out a copy, to see what became of it
  const given = DEV ? copyPlain(value) : value;
  let result: StandardResult<unknown> | Promise<StandardResult<unknown>>;
  try {
    result = schema['~standard'].validate(given);
  } catch (thrown) {
    throw new HoldfastError('SCHEMA_THREW', { of, reason: toError(thrown).message }, { cause: thrown });
  }
  if (isPromise(result)) {
    result.then(undefined, () => undefined); // nobody waits for it
    throw new HoldfastError('SCHEMA_ASYNC', { of });
  }
  if (DEV && given !== value && !isEqual(copyPlain(value), given))
    throw new HoldfastError('SCHEMA_CHANGED_INPUT', { of });
  return result;
}

function isPromise(result: object): result is Promise<unknown> {
  return 'then' in result && typeof result.then === 'function';
}

/** Where in a value an issue is: `address.street`; empty for the value itself. */
export function issuePath({ path = [] }: StandardIssue): string {
  // a path may be of a class of its own, whose `map` makes another such
  return Array.from(path, (step) => String(typeof step === 'object' ? step.key : step)).join('.');
}

export declare namespace StandardSchema {
  export type { StandardIssue as Issue, StandardResult as Result };
}
