// Warns in development about rows of a payload that do not fit the fields of their entity class: a field under another name, a text
// or a number where the class has an instance such as a date, null where the class has an object. This file is part of `#env`, so
// that production does not ship it. Each class and field is reported once.
import { tryRun } from './call-safely.ts';
import type { CodedError } from './check-resource.ts';
import { ensure } from './ensure.ts';
import { distanceOf } from './near-name.ts';
import { isObject, isPlain } from './plain.ts';

export interface CheckedClass {
  readonly key: string;
  readonly schema: object;
  readonly defaults: object;
}
type SentRow = Readonly<Record<string, unknown>>;

/** At most this many rows of a table are checked in one payload. */
const MOST_ROWS = 100;
/** Names with fewer letters are not compared letter by letter, because too many of them differ by one letter only. */
const SHORTEST_NEAR_NAME = 5;

// The fields that were reported, by users' classes.
const reportedFields = new WeakMap<object, Set<string>>();

export function checkRows(entity: CheckedClass, given: readonly SentRow[], Coded: CodedError): void {
  const { key, schema } = entity;
  const rows = given.slice(0, MOST_ROWS);
  const defaults = (tryRun(() => entity.defaults) ?? {}) as SentRow; // a constructor may throw; cast: read by name
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const unknown = [...names].filter((name) => !Object.hasOwn(defaults, name) && !Object.hasOwn(schema, name));
  const reported = ensure(reportedFields, entity, () => new Set<string>());
  const warn = (code: string, field: string, params: object): void => {
    if (reported.has(field)) return;
    reported.add(field);
    // oxlint-disable-next-line no-console -- a warning of development
    console.warn(new Coded(code, { entity: key, field, ...params }).message);
  };
  for (const [field, value] of Object.entries(defaults)) {
    const found = rows.map((row) => row[field]);
    const other = names.has(field) ? undefined : unknown.find((name) => isSimilarSpelling(name, field));
    if (other !== undefined) warn('FIELD_RENAMED', field, { found: other });
    if (!isObject(value)) continue;
    if (found.includes(null)) warn('FIELD_NULL', field, {});
    const sent = found.find((each) => typeof each === 'string' || typeof each === 'number');
    if (isPlain(value) || Object.hasOwn(schema, field) || sent === undefined) continue;
    const { name: type } = (value as object).constructor;
    warn('FIELD_NOT_PARSED', field, { type, found: `a ${typeof sent}` });
  }
}

/**
 * Whether two names differ only by case, underscores and hyphens. Long names are also alike if their distance (`distanceOf`) is one
 * letter, unless this letter is a plural `s`.
 */
function isSimilarSpelling(left: string, right: string): boolean {
  const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();
  if (plain(left) === plain(right)) return true;
  const isPlural = `${left}s` === right || `${right}s` === left;
  const isLong = Math.min(left.length, right.length) >= SHORTEST_NEAR_NAME;
  return isLong && !isPlural && distanceOf(left.toLowerCase(), right.toLowerCase()) === 1;
}
