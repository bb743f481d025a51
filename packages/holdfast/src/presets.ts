// `holdfast/presets`: options of resources for widely used servers.
export { djangoRest } from './addons/presets/django-rest.ts';
export { feathers } from './addons/presets/feathers.ts';
export { github } from './addons/presets/github.ts';
export { jsonServer017 } from './addons/presets/json-server-017.ts';
export { jsonServer1 } from './addons/presets/json-server-1.ts';
export type { Preset } from './addons/presets/preset.ts';
