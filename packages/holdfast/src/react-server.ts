// `holdfast/react/server`: renders React on a server, with one controller per request, and writes its data into the page.
export { createServerRender } from './addons/server/render.ts';
