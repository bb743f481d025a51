// Checks the options of createResource in development: it throws an error if there is no schema, and warns of an option that is
// probably a mistake. This file is part of `#env`, so that production does not ship it.
import { nearName } from './near-name.ts';
import { ENDPOINT_OPTIONS, RESOURCE_OPTIONS } from './option-names.ts';

/** The class of an error with a code, whose message is the text for that code. */
export type CodedError = new (code: string, params: Readonly<Record<string, unknown>>) => Error;

const knownOptions: readonly string[] = [...ENDPOINT_OPTIONS, ...RESOURCE_OPTIONS];

type CheckedEndpointClass = new (options: object) => { readonly urlPrefix: string };

/**
 * Throws if there is no schema. Warns of a path without a parameter, of a relative path without a prefix, and of options whose
 * names are probably misspelled. `names` are the parameters of the path; `Endpoint` is the class of the resource's endpoints, which
 * may have its own prefix.
 */
export function checkResource(
  options: object,
  names: readonly string[],
  Endpoint: CheckedEndpointClass,
  Coded: CodedError,
): void {
  const { path, schema } = options as { readonly path: string; readonly schema?: unknown }; // cast: createResource parsed the path
  const warn = (code: string, params: object): void =>
    // oxlint-disable-next-line no-console -- a warning of development
    console.warn(new Coded(code, { path, ...params }).message);
  const hasSchema = typeof schema === 'function' || (typeof schema === 'object' && schema !== null);
  if (!hasSchema) throw new Coded('RESOURCE_WITHOUT_SCHEMA', { path });
  if (names.length === 0) warn('RESOURCE_WITHOUT_PARAMETER', {});
  const isAddress = /^(\/|[a-z][a-z0-9+.-]*:)/i.test(path);
  if (!isAddress && !new Endpoint({ ...options }).urlPrefix) warn('PATH_RELATIVE', {});
  for (const option of Object.keys(options)) {
    const meant = nearName(option, knownOptions);
    if (meant !== undefined) warn('OPTION_UNKNOWN', { option, meant });
  }
}
