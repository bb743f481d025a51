// Schemas of other libraries: the types of Standard Schema 1, and the only function that calls such a schema. The endpoint option
// `errors` uses the types; `holdfast/validate` uses the whole file.
import { DEV } from '#env';
import { isEqual } from '../../store/fields.ts';
import { HoldfastError, toError } from '../../support/errors.ts';
import { copyPlain } from '../../support/plain.ts';

/**
 * A schema of any library that implements Standard Schema 1: zod, valibot, arktype and others.
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
 * The result of a validation: the parsed value, or the issues.
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
  /** The path to the faulty part; absent or empty for the value itself. */
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
 * Validates a value. Throws a coded error when the schema throws, is asynchronous or, in development, modifies an array or a plain
 * object of the value. `of` is the name of the schema's owner in the error.
 */
export function validateStandard(
  schema: StandardSchema,
  value: unknown,
  of: string,
): StandardResult<unknown> {
  // In development the schema gets a copy, so that a modified input is detected.
  const given = DEV ? copyPlain(value) : value;
  let result: StandardResult<unknown> | Promise<StandardResult<unknown>>;
  try {
    result = schema['~standard'].validate(given);
  } catch (thrown) {
    throw new HoldfastError('SCHEMA_THREW', { of, reason: toError(thrown).message }, { cause: thrown });
  }
  if (isPromise(result)) {
    result.then(undefined, () => undefined); // avoids an unhandled rejection
    throw new HoldfastError('SCHEMA_ASYNC', { of });
  }
  if (DEV && given !== value && !isEqual(copyPlain(value), given))
    throw new HoldfastError('SCHEMA_CHANGED_INPUT', { of });
  return result;
}

function isPromise(result: object): result is Promise<unknown> {
  return 'then' in result && typeof result.then === 'function';
}

/** The path of an issue as a string: `address.street`; empty for the value itself. */
export function issuePath({ path = [] }: StandardIssue): string {
  // `path.map` is not used: the path may be an instance of a subclass of Array, whose `map` returns that subclass.
  return Array.from(path, (step) => String(typeof step === 'object' ? step.key : step)).join('.');
}

export declare namespace StandardSchema {
  export type { StandardIssue as Issue, StandardResult as Result };
}
