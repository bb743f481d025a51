// `holdfast/local`: what is known of a list, and queries that are computed from the store.
export { local } from './addons/local/local.ts';
export { watchLocal } from './addons/local/watch-local.ts';
