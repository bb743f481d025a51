// Checks without another library, for the model of local queries.
import type { StandardSchema } from 'holdfast';

function checkOf<T>(isValid: (value: unknown) => value is T): StandardSchema<T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'model',
      validate: (value) => (isValid(value) ? { value } : { issues: [{ message: 'is of another type' }] }),
    },
  };
}

export const word = checkOf((value): value is string => typeof value === 'string');
export const maybeFlag = checkOf(
  (value): value is boolean | undefined => value === undefined || typeof value === 'boolean',
);
export const count = checkOf((value): value is number => typeof value === 'number');
