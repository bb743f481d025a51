// The entry for failures that have types. Re-exports by name.
export { attempt, failedWith, failureOf } from './addons/attempt.ts';
export type {
  Attempted,
  DeclaredFailure,
  FailedWith,
  Failure,
  FailureBody,
  UndeclaredFailure,
} from './addons/attempt.ts';
