// `holdfast/edit`: saving while the user types, changes that belong together, many calls in one request, and undo.
export { BatchManager } from './addons/edit/batch-manager.ts';
export { failure, success } from './addons/edit/batch-results.ts';
export { edit } from './addons/edit/edit.ts';
export { history } from './addons/edit/history.ts';
export { transaction, TransactionError } from './addons/edit/transaction.ts';
