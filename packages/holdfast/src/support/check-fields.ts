// Warns in development about a name in `static schema` that is not a field of the entity class. This file is part of `#env`, so
// that production does not ship it. Only a name close to a field's name is reported, because a field may be declared without a
// default.
import { tryRun } from './call-safely.ts';
import type { CodedError } from './check-resource.ts';
import { nearName } from './near-name.ts';

/** The compiled form of an entity class. */
interface Compiled {
  readonly entity: { readonly key: string; readonly schema: object; readonly defaults: object };
}

// The keys are users' classes, so that each class is checked once.
const checkedClasses = new WeakSet<object>();

export function checkFields({ entity }: Compiled, Coded: CodedError): void {
  if (checkedClasses.has(entity)) return;
  checkedClasses.add(entity);
  const { key, schema } = entity;
  const fields = Object.keys(tryRun(() => entity.defaults) ?? {}); // a constructor may throw
  for (const field of Object.keys(schema)) {
    // A field `projectId` does not mean that `project` in the schema is misspelled: responses may contain a `project` although the
    // class declares only `projectId`.
    const isOwnId = (name: string): boolean =>
      /^_?ids?$/i.test(name.slice(field.length)) && name.startsWith(field);
    const meant = nearName(
      field,
      fields.filter((name) => !isOwnId(name)),
    );
    if (meant === undefined || Object.hasOwn(schema, meant)) continue;
    // oxlint-disable-next-line no-console -- a warning of development
    console.warn(new Coded('SCHEMA_FIELD_UNKNOWN', { entity: key, field, meant }).message);
  }
}
