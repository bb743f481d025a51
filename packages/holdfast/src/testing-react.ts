// The testing entry for React: fixtures below a component, and one hook rendered by itself. Re-exports by name.
export { MockResolver } from './addons/testing/mock-resolver.ts';
export { renderDataHook } from './addons/testing/render-data-hook.ts';
