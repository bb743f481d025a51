// What an entity class is told in development about a `static schema` that names no field of it: part of `#env`, so
// production has none of it. Only where another name was meant: a field may be declared without a default.
import { tryRun } from './call-safely.ts';
import type { CodedError } from './check-resource.ts';
import { nearName } from './near-name.ts';

/** What an entity class was compiled to. */
interface Compiled {
  readonly entity: { readonly key: string; readonly schema: object; readonly defaults: object };
}

// keyed by the users' own classes: a memo, not state
const checkedClasses = new WeakSet<object>();

export function checkFields({ entity }: Compiled, Coded: CodedError): void {
  if (checkedClasses.has(entity)) return;
  checkedClasses.add(entity);
  const { key, schema } = entity;
  const fields = Object.keys(tryRun(() => entity.defaults) ?? {}); // a constructor may refuse
  for (const field of Object.keys(schema)) {
    const meant = nearName(field, fields);
    if (meant === undefined || Object.hasOwn(schema, meant)) continue;
    // oxlint-disable-next-line no-console -- a warning of development
    console.warn(new Coded('SCHEMA_FIELD_UNKNOWN', { entity: key, field, meant }).message);
  }
}
