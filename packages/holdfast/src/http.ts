// `holdfast/http`: what servers say in headers about their answers, obeyed. Re-exports by name.
export { HttpSemantics } from './addons/http/semantics.ts';
export { linked } from './addons/http/linked.ts';
