// The errors of the server about a form that it refuses (422): a message for each field.
import * as v from 'valibot';

export const FIELD_ERRORS = v.object({
  detail: v.optional(v.string()),
  errors: v.array(v.object({ field: v.string(), message: v.string() })),
});
export type FieldErrors = v.InferOutput<typeof FIELD_ERRORS>;

/** The message for one field; an error inside a field (`labels.2`) is part of it. */
export function messageFor(body: FieldErrors | undefined, field: string): string | undefined {
  return body?.errors.find((error) => error.field === field || error.field.startsWith(`${field}.`))?.message;
}
