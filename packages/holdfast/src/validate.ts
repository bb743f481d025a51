// The entry for data that is checked and failures that have types. Re-exports by name.
export { attempt, failedWith, failureOf } from './addons/validate/attempt.ts';
export type {
  Attempted,
  DeclaredFailure,
  FailedWith,
  Failure,
  FailureBody,
  UndeclaredFailure,
} from './addons/validate/attempt.ts';
export { getRefused, watchRefused } from './addons/validate/watch-refused.ts';
export type { RefusedObserver } from './addons/validate/watch-refused.ts';
export type { OnInvalid } from './addons/validate/checks.ts';
export { check, EntityOf, Looked } from './addons/validate/entity-of.ts';
export type {
  CheckedEntity,
  CheckedInstance,
  EntityOfOptions,
  FieldSchemas,
  FieldValue,
} from './addons/validate/entity-of.ts';
export { optional, Optional } from './addons/validate/optional.ts';
export { REFUSED_ROWS_KEPT } from './addons/validate/quarantine.ts';
export type { RefusedField, RefusedRow } from './addons/validate/refused-rows.ts';
