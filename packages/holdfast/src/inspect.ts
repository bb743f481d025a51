// `holdfast/inspect`: explains why the store holds what it holds. For development, tests, and on demand in production.
// Re-exports by name.
export { inspect, Inspector } from './addons/inspect/inspector.ts';
export { mountPanel } from './addons/inspect/mount-panel.ts';
