// `holdfast/validate`: checks incoming data against schemas, and gives the failures of calls a type.
export { attempt, failedWith, failureOf } from './addons/validate/attempt.ts';
export type { Failure } from './addons/validate/attempt.ts';
export { getRefused, watchRefused } from './addons/validate/watch-refused.ts';
export { check, EntityOf } from './addons/validate/entity-of.ts';
export { optional } from './addons/validate/optional.ts';
