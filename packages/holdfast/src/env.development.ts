// The development version of `#env`. The condition `development` in package.json selects this file; without the condition
// env.production.ts is used, so that development messages never reach a production bundle.
export { createInterference } from './addons/inspect/interference.ts';
export { noteOwner } from './addons/inspect/name-readers.ts';
export { checkArguments } from './support/check-arguments.ts';
export { checkChanges } from './support/check-changes.ts';
export { checkResource } from './support/check-resource.ts';
export { checkToken } from './support/check-token.ts';
export { checkRoles } from './support/check-roles.ts';
export { checkRows } from './support/check-rows.ts';
export { checkFields } from './support/check-fields.ts';
export { deepFreeze, freezePlain } from './support/deep-freeze.ts';
export { messages } from './support/messages.ts';
export { printOnce } from './support/print-once.ts';

/** Calls `run`, which is only for development, such as a check or a warning. The production version does not call it. */
export function inDevelopment(run: () => void): void {
  run();
}

/** True in development builds: values are frozen, errors have full messages, warnings are printed. */
export const DEV: boolean = true;
