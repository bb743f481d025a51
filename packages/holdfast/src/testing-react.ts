// `holdfast/testing/react`: a component that gives its children fixtures, and a function that renders one hook.
export { MockResolver } from './addons/testing/mock-resolver.ts';
export { renderDataHook } from './addons/testing/render-data-hook.ts';
