// The entry for servers that render React: one controller per request, and its data in the page. Re-exports by name.
export { createServerRender } from './addons/server/render.ts';
