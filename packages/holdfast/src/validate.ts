// The entry for data that is checked and failures that have types. Re-exports by name.
export { attempt, failedWith, failureOf } from './addons/attempt.ts';
export type {
  Attempted,
  DeclaredFailure,
  FailedWith,
  Failure,
  FailureBody,
  UndeclaredFailure,
} from './addons/attempt.ts';
export { getRefused, watchRefused } from './addons/watch-refused.ts';
export type { RefusedObserver } from './addons/watch-refused.ts';
export type { OnInvalid } from './schema/checked/checks.ts';
export { check, EntityOf, Looked } from './schema/checked/entity-of.ts';
export type {
  CheckedEntity,
  CheckedInstance,
  EntityOfOptions,
  FieldSchemas,
  FieldValue,
} from './schema/checked/entity-of.ts';
export { optional, Optional } from './schema/checked/optional.ts';
export { REFUSED_ROWS_KEPT } from './schema/checked/quarantine.ts';
export type { RefusedField, RefusedRow } from './schema/checked/refused-rows.ts';
