// The types of the reports of refused rows, and the map of all reports. This file is separate from refusal-reports.ts, so that other
// features can read reports without loading the checks.
import type { Host } from '../../schema/protocol/protocol.ts';

/** How many reports a controller keeps; the oldest are forgotten first. */
export const REFUSED_ROWS_KEPT = 1_000;

/**
 * Why a check refused one field of a row.
 *
 * @example const lineOf = ({ field, message }: getRefused.Field) => `${field}: ${message}`;
 */
export interface RefusedField {
  /**
   * The field's name and the path inside the field, if there is one: `address.street`. Empty if the check concerns the whole row.
   */
  readonly field: string;
  readonly message: string;
}

/**
 * A row that its checks refused.
 *
 * @example
 * const lineOf = ({ entity, pk, fields }: getRefused.Row) =>
 *   `${entity} ${pk ?? '?'}: ${fields.map(({ field }) => field).join()}`;
 */
export interface RefusedRow {
  readonly entity: string;
  /** The row's primary key; undefined if the payload does not give it. */
  readonly pk: string | undefined;
  /**
   * The row's path in the payload, which begins with the name of the endpoint if there is one: `Todo.getList[3]`. Empty if a stored
   * row was refused.
   */
  readonly path: string;
  readonly fields: readonly RefusedField[];
  /**
   * `refused`: the whole payload was refused. `dropped`: the row was left out, or a stored row is not shown. `kept`: the invalid
   * fields kept their stored values. `passed`: the row was stored unchanged.
   */
  readonly outcome: 'refused' | 'dropped' | 'kept' | 'passed';
}

/** The refused rows of one controller, as its checks have reported them. */
export interface RefusedRows {
  /**
   * For each entity, a time on the timeline: lists that were requested before this time may lack a row, or show an old state of a
   * row.
   */
  readonly refusedAt: ReadonlyMap<string, number>;
  readonly listeners: Set<() => void>;
  isEmpty(host: Host): boolean;
  /** All reports, oldest first. */
  read(host: Host): readonly RefusedRow[];
}

/**
 * The reports of each controller. The key is the timeline that all stores of the controller share. An entry is collected together
 * with its timeline.
 */
export const reportsByTimeline = new WeakMap<object, RefusedRows>();

/** Whether the controller of this engine has a report of a row of this store. */
export function hasRefusedRows(engine: Host): boolean {
  return reportsByTimeline.get(engine.store.timeline)?.isEmpty(engine) === false;
}
