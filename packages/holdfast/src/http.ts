// `holdfast/http`: what servers say in headers about their answers, obeyed. Re-exports by name.
export { DEFAULT_LONGEST_WAIT_MS } from './addons/http/options.ts';
export type { HttpOptions } from './addons/http/options.ts';
export { HttpSemantics } from './addons/http/semantics.ts';
export { linked } from './addons/http/linked.ts';
export type { LinkedEndpoint, LinkedOptions, LinkedPage } from './addons/http/linked.ts';
