// `holdfast/inspect/react`: a component that mounts the inspector's panel in development.
'use client';
export { InspectorPanel } from './addons/inspect/inspector-panel.ts';
