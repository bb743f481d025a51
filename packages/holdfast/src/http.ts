// `holdfast/http`: obeys response headers for caching, `Retry-After` and links to other pages.
export { HttpSemantics } from './addons/http/semantics.ts';
export { linkToken } from './addons/http/link-token.ts';
export { linked } from './addons/http/linked.ts';
