// What an endpoint says of its failures: a schema by status. Types alone; `holdfast/validate` reads the option.
import type { AnswerSchema } from '../schema/protocol/schema.types.ts';
import type { StandardSchema } from '../schema/protocol/standard-schema.ts';

/**
 * What the bodies of failures are, by status: a schema of another library, or one of this. Read by `attempt`, `failureOf` and
 * `failedWith` of `holdfast/validate`.
 *
 * @example
 * const errors = { 409: Todo } satisfies Endpoint.ErrorSchemas;
 * const save = TodoResource.partialUpdate.extend({ errors });
 */
export interface ErrorSchemas {
  readonly [status: number]: StandardSchema | AnswerSchema;
}

/** What the bodies of failures are; undefined where nothing says it. */
export type ErrorsIn<More> = More extends { readonly errors: infer T extends ErrorSchemas } ? T : undefined;
