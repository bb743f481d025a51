// The types of an endpoint's `errors` option: a schema for each error status. `holdfast/validate` reads the option.
import type { AnswerSchema } from '../schema/protocol/schema.types.ts';
import type { StandardSchema } from '../schema/protocol/standard-schema.ts';

/**
 * The schema of the response body for each error status: a schema of this library or of another library. `attempt`, `failureOf` and
 * `failedWith` of `holdfast/validate` read these schemas.
 *
 * @example
 * const errors = { 409: Todo } satisfies Endpoint.ErrorSchemas;
 * const save = TodoResource.partialUpdate.extend({ errors });
 */
export interface ErrorSchemas {
  readonly [status: number]: StandardSchema | AnswerSchema;
}

/** The `errors` among an endpoint's options; undefined when the option is not given. */
export type ErrorsIn<More> = More extends { readonly errors: infer T extends ErrorSchemas } ? T : undefined;
