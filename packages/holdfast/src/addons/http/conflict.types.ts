// The types of conflicts, and of the rules by which conflicts are resolved: the option `conflicts` of HttpSemantics. The error is
// in conflict-error.ts.
import type { Pending } from '../../controller/state/core.ts';
import type { HttpError } from '../../support/network-errors.ts';

/**
 * One field that a mutation changes and that another client has changed since the call. After the last refusal, every field that
 * the mutation would still send counts as changed. Values are in the form of the wire; a nested row is its id. When the mutation
 * concerns the whole row, such as a DELETE, `field` is empty.
 *
 * @example const lineOf = ({ field, mine, theirs }: Conflict) => `${field}: ${String(mine)} or ${String(theirs)}?`;
 */
export interface Conflict {
  /** The key of the entity class. */
  readonly entity: string;
  readonly pk: string;
  readonly field: string;
  /**
   * The value before the mutation: the value that was stored at the time of the call, with later changes by earlier mutations of
   * this client. When a mutation is compared again, it is the value with which the mutation was compared before. Undefined if the
   * value is unknown, for example after the refusal of a mutation whose row was not stored.
   */
  readonly 'base': unknown; // a text, because the build shortens the `base` of rows
  readonly mine: unknown;
  readonly theirs: unknown;
}

/**
 * A conflict about which a person decides.
 *
 * @example const keepMine = (open: readonly OpenConflict[]) => open.forEach(({ take, mine }) => take(mine));
 */
export interface OpenConflict extends Conflict {
  /** Decides for this value. The mutation continues when all of its conflicts are decided. */
  readonly take: (value: unknown) => void;
  /** Ends the mutation: it fails with the {@link ConflictError}. */
  readonly cancel: () => void;
}

/**
 * How the conflicts of a mutation end: with its own values, with the server's values, with a {@link ConflictError}, or with a value
 * for each field.
 *
 * @example const newest: Resolution = { title: 'both' };
 */
export type Resolution = 'mine' | 'theirs' | 'fail' | Readonly<Record<string, unknown>>;

/**
 * Decides about the conflicts of one mutation.
 *
 * @example const resolve: Resolve = (conflicts) => (conflicts.some(({ field }) => field === 'title') ? 'fail' : 'mine');
 */
export type Resolve = (conflicts: readonly Conflict[], write: Pending) => Resolution | Promise<Resolution>;

/**
 * Joins two changes of one field; `base` is the value before both.
 *
 * @example const longer: MergeField = (_base, mine, theirs) => (String(mine) > String(theirs) ? mine : theirs);
 */
export type MergeField = (base: unknown, mine: unknown, theirs: unknown) => unknown;

/**
 * The rules for a mutation whose row another client has changed.
 *
 * @example
 * const conflicts: HttpSemantics.Conflicts = { merge: [[Todo, { votes: count }]], resolve: 'theirs' };
 * new HttpSemantics({ preconditions: 'known', conflicts });
 */
export interface ConflictRules {
  /** The statuses by which the server refuses a mutation of an outdated version of the row. Default: 409 and 412. */
  readonly statuses?: readonly number[];
  /** How many times a refused mutation is sent again at most, apart from once after a 428. Default: 3. */
  readonly rounds?: number;
  /** How two changes of one field join, by entity class. Two different changes of a field that is not listed are a conflict. */
  readonly merge?: readonly (readonly [entity: object, fields: Readonly<Record<string, MergeField>>])[];
  /**
   * Returns the row from the body of a refusal, so that the row need not be read; undefined if the body does not contain the row.
   * The function is not called if the mutation was sent with a precondition.
   */
  readonly current?: (error: HttpError) => unknown;
  /** Reads the row into the store, instead of a GET of the mutation's address. Set it if an address has no GET of the row. */
  readonly read?: (write: Pending) => Promise<unknown>;
  /**
   * Decides about the conflicts that `merge` does not resolve. `'ask'`: a person decides, through the manager's method `conflicts`.
   * Default: `'fail'`.
   */
  readonly resolve?: 'ask' | 'mine' | 'theirs' | 'fail' | Resolve;
}
