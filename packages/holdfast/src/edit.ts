// `holdfast/edit`: saving while the user types, and many calls in one request.
export { BatchManager } from './addons/edit/batch-manager.ts';
export { failure, success } from './addons/edit/batch-results.ts';
export { edit } from './addons/edit/edit.ts';
