// The order of statements about a row by the version that they carry, for classes with `static version`. Numbers, bigints,
// decimal texts and ISO dates compare by value. Shipped with its import alone.
import { inDevelopment } from '#env';
import { fieldOf } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';
import { toPlain } from '../../store/stored-form.ts';
import type { Host } from '../protocol/protocol.ts';

type Version = readonly [isDate: boolean, value: number | bigint];

/** A version on its own scale; undefined where it is none. */
function read(version: unknown): Version | undefined {
  const text = String(version);
  if (/^-?\d+$/.test(text)) return [false, BigInt(text)];
  const isDate = /^\d{4}-\d\d-\d\d/.test(text);
  const value = isDate ? Date.parse(text) : Number(text || NaN);
  return Number.isNaN(value) ? undefined : [isDate, value];
}

declare const FIELD: unique symbol;

/**
 * The order of statements about a row, made by {@link versionBy}.
 *
 * @example const byRevision: versionBy.Rule<'revision'> = versionBy('revision');
 */
export interface VersionRule<out F extends string = string> {
  readonly [FIELD]: F;
}

/** Below 0 where the incoming version is lower, above 0 where it is higher; undefined where one is missing or they do not compare. */
export interface VersionOrder {
  (existing: Fields, incoming: Fields, entity: string, host: Pick<Host, 'warn'>): number | undefined;
  readonly field: string;
}

/**
 * Tells which statement about a row is newer, by a field in which the server counts versions: a number, a decimal text or an ISO
 * date. For `static version` of an entity.
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
  return compareVersions(field) as unknown as VersionRule<F>; // cast: opaque to classes
}

export function compareVersions(field: string): VersionOrder {
  const compare = (...[existing, incoming, entity, host]: Parameters<VersionOrder>): number | undefined => {
    const valueOf = (fields: Fields): unknown => toPlain(fieldOf(fields, field));
    const [old, now] = [existing, incoming].map((fields) => read(valueOf(fields)));
    if (old && now && old[0] === now[0]) return now[1] < old[1] ? -1 : Number(now[1] > old[1]);
    inDevelopment(() => {
      const [before, after] = [existing, incoming].map(valueOf);
      if (before !== undefined && after !== undefined && before !== after)
        host.warn('VERSIONS_INCOMPARABLE', entity, { entity, field });
    });
    return undefined;
  };
  return Object.assign(compare, { field });
}

export declare namespace versionBy {
  export type { VersionRule as Rule };
}
