// `holdfast/http`: obeys the headers for caching and `Retry-After`, reads links to other pages from headers, sends preconditions, and
// finds and resolves conflicts.
export { ConflictError } from './addons/http/conflict-error.ts';
export type {
  Conflict,
  MergeField,
  OpenConflict,
  Resolution,
  Resolve,
} from './addons/http/conflict.types.ts';
export { count, set } from './addons/http/merges.ts';
export { HttpSemantics } from './addons/http/semantics.ts';
export { linkToken } from './addons/http/link-token.ts';
export { linked } from './addons/http/linked.ts';
