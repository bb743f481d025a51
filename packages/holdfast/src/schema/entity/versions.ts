// Compares two records of a row by their version field, for classes with `static version`. Numbers, bigints, decimal strings and
// ISO dates compare by value. This file is shipped only with `versionBy` and with saved states.
import { inDevelopment } from '#env';
import { fieldOf } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { toPlain } from '../../store/stored-form.ts';
import { warnOnce } from '../../support/errors.ts';

type Version = readonly [isDate: boolean, value: number | bigint];

/** Parses a version: a number, a bigint, a decimal string or an ISO date. Undefined for a value that cannot be compared. */
function parseVersion(version: unknown): Version | undefined {
  const text = String(version);
  if (/^-?\d+$/.test(text)) return [false, BigInt(text)];
  const isDate = /^\d{4}-\d\d-\d\d/.test(text);
  const value = isDate ? Date.parse(text) : Number(text || NaN);
  return Number.isNaN(value) ? undefined : [isDate, value];
}

declare const FIELD: unique symbol;

/**
 * The value of `static version`, made by {@link versionBy}.
 *
 * @example const byRevision: versionBy.Rule<'revision'> = versionBy('revision');
 */
export interface VersionRule<out F extends string = string> {
  readonly [FIELD]: F;
}

/**
 * Returns a number below 0 when the incoming version is lower, and above 0 when it is higher; undefined when a version is missing
 * or not comparable.
 */
export interface VersionComparator {
  (existing: Fields, incoming: Fields, entity: string, host: object): number | undefined;
  readonly field: string;
}

/**
 * Declares the field in which the server counts the versions of a row: a number, a bigint, a decimal string or an ISO date. Assign
 * the result to `static version` of an entity: a payload with a lower version then does not change the row.
 *
 * @example
 * class Article extends Entity {
 *   id = '';
 *   title = '';
 *   updatedAt = '';
 *   static override key = 'Article';
 *   static override version = versionBy('updatedAt');
 * }
 */
export function versionBy<const F extends string>(field: F): VersionRule<F> {
  return createVersionComparator(field) as VersionComparator & VersionRule<F>; // cast: users do not call it, so its type hides the function
}

export function createVersionComparator(field: string): VersionComparator {
  const compare = (
    ...[existing, incoming, entity, host]: Parameters<VersionComparator>
  ): number | undefined => {
    const valueOf = (fields: Fields): unknown => toPlain(fieldOf(fields, field));
    const [old, now] = [existing, incoming].map((fields) => parseVersion(valueOf(fields)));
    if (old && now && old[0] === now[0]) return now[1] < old[1] ? -1 : Number(now[1] > old[1]);
    inDevelopment(() => {
      const [before, after] = [existing, incoming].map(valueOf);
      if (before !== undefined && after !== undefined && before !== after)
        warnOnce(host, 'VERSIONS_INCOMPARABLE', entity, { entity, field });
    });
    return undefined;
  };
  return Object.assign(compare, { field });
}

export declare namespace versionBy {
  export type { VersionRule as Rule };
}
