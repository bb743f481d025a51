// What the two forms edit: form-edit.tsx and form-react-hook-form.tsx. The
// server answers 422 with a text for each field it refuses.
import { createResource, Entity, isHttpError } from 'holdfast';

export class Contact extends Entity {
  id = '';
  name = '';
  email = '';
  address = { city: '' };
  static override key = 'Contact';
}

export const ContactResource = createResource({
  path: '/contacts/:id',
  schema: Contact,
  optimistic: true,
});

/**
 * `{ email: 'is taken' }` of an answer 422
 * `{ "errors": { "email": "is taken" } }`; empty for every other failure.
 */
export function readFieldErrors(error: unknown): Record<string, string> {
  return (
    (isHttpError(error, 422) &&
      (error.problem?.['errors'] as Record<string, string>)) ||
    {}
  );
}
