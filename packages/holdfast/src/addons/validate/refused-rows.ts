// The reports of refused rows as others read them. On its own, so that an inspector can look without bringing the checks along.
import type { Host } from '../../schema/protocol/protocol.ts';

/** How many reports a controller keeps: the newest ones. */
export const REFUSED_ROWS_KEPT = 1_000;

/**
 * What is wrong with one field of a row.
 *
 * @example const lineOf = ({ field, message }: getRefused.Field) => `${field}: ${message}`;
 */
export interface RefusedField {
  /** The field, with the place inside it where there is one: `address.street`. Empty for the row as a whole. */
  readonly field: string;
  readonly message: string;
}

/**
 * A row that its checks refused.
 *
 * @example
 * const lineOf = ({ entity, pk, path, fields }: getRefused.Row) =>
 *   `${entity} ${pk ?? '?'} of ${path}: ${fields.map(({ field }) => field).join()}`;
 */
export interface RefusedRow {
  readonly entity: string;
  /** Its primary key; undefined where it has none that can be read. */
  readonly pk: string | undefined;
  /** The endpoint's name, and where in its answer the row stands: `Todo.getList[3]`. Empty for what a saved state brought. */
  readonly path: string;
  readonly fields: readonly RefusedField[];
  /** What became of it: the payload was refused, the row was left out, its fields kept what was stored, or it was stored as it came. */
  readonly outcome: 'refused' | 'dropped' | 'kept' | 'passed';
}

/** The reports of one controller. */
export interface RefusedRows {
  /** All reports, oldest first. */
  read(host: Host): readonly RefusedRow[];
}

/** One for all stores of a controller, which have one line of stamps: keyed by that line, no state of its own. */
export const quarantines = new WeakMap<object, RefusedRows>();
