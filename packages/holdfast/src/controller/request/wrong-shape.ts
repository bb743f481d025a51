// Refuses values that are not what a schema is about, with one coded error for answers and direct writes.
import type { Ask } from '../../dispatch/ask.ts';
import { nameOf, ValidationError } from '../../support/errors.ts';

/** An answer to an endpoint with a schema must have a body. */
export function checkBody({ endpoint, hasSchema }: Ask, value: unknown): void {
  if (hasSchema && (value === null || value === undefined)) refuse(value, endpoint.name, 'a body');
}

export function refuse(
  value: unknown,
  path: string,
  expected: string = 'an object',
  found: string = nameOf(value),
): never {
  throw new ValidationError('WRONG_SHAPE', { expected, found, path });
}
