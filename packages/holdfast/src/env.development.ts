// The development half of `#env`: a package import condition picks this file or its production twin,
// so development texts never reach a production bundle. Read by support/errors.ts and by dev-only checks.
export { checkResource } from './support/check-resource.ts';
export { checkFields } from './support/check-fields.ts';
export { deepFreeze, freezePlain } from './support/deep-freeze.ts';
export { messages } from './support/messages.ts';

/** Runs a check, or a warning, that only development has. */
export function inDevelopment(run: () => void): void {
  run();
}

/** True in development builds: values are frozen, errors speak in sentences, warnings print. */
export const DEV: boolean = true;
