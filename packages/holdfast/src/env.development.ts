// The development version of `#env`. A package import condition selects this file or env.production.ts, so that development
// messages never reach a production bundle. Imported wherever code runs in development only.
export { checkResource } from './support/check-resource.ts';
export { checkFields } from './support/check-fields.ts';
export { deepFreeze, freezePlain } from './support/deep-freeze.ts';
export { messages } from './support/messages.ts';

/** Runs a check, or prints a warning, in development only. */
export function inDevelopment(run: () => void): void {
  run();
}

/** True in development builds: values are frozen, errors have full messages, warnings are printed. */
export const DEV: boolean = true;
