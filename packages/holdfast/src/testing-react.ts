// The testing entry for React: fixtures below a component, and one hook rendered by itself. Re-exports by name.
export { MockResolver } from './addons/mock-resolver.ts';
export type { MockResolverProps } from './addons/mock-resolver.ts';
export { renderDataHook } from './addons/render-data-hook.ts';
export type { RenderDataHookOptions, RenderedDataHook } from './addons/render-data-hook.ts';
