// `holdfast/local`: classes for rows with some of their fields, inverse fields, and queries that are computed from the store.
export { pick } from './addons/local/pick.ts';
export { local } from './addons/local/local.ts';
export { watchLocal } from './addons/local/watch-local.ts';
export { inverse } from './addons/local/inverse.ts';
export type { Inverse } from './addons/local/inverse.ts';
export { whyComplete } from './addons/local/why-complete.ts';
