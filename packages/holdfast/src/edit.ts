// `holdfast/edit`: saving while the user types.
export { edit } from './addons/edit/edit.ts';
