// `holdfast/react/server`, for servers that render React: one controller per request, whose data is written into the page.
// Re-exports by name.
export { createServerRender } from './addons/server/render.ts';
