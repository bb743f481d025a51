// Compares a mutation with the row that another client has changed, field by field. The ancestor is the value before the mutation, mine
// is the value that the mutation sends, and theirs is the stored value. A field for which the comparison decides nothing is a conflict.
// This file changes nothing.
//
//   theirs = ancestor ───▶ mine is sent        theirs = mine ─────▶ not sent (a PUT sends it)
//   merge of the field ──▶ its value is sent   mine = ancestor ───▶ theirs stays (a PUT sends it)
//                                              else ──────────────▶ conflict
import type { Core } from '../../controller/state/core.ts';
import { normalizeSentRows } from '../../controller/request/keep-acknowledged.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { rowsAmong, targetsOfArgs, targetsOfCall } from '../../dispatch/write-queues.ts';
import { sentFields } from '../../endpoint/row-name.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowState } from '../../store/nodes.ts';
import { rowOf, toPlain } from '../../store/stored-form.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isPlain, isRecord } from '../../support/plain.ts';
import type { Conflict, MergeField } from './conflict.types.ts';

/** One row of a mutation, with the part of the body that contains the row's fields. */
export interface JudgedRow {
  readonly row: Row;
  /**
   * The fields of the row in the body. Undefined if the mutation concerns the whole row: a DELETE, or a mutation that was not
   * called with a plain object as its body.
   */
  readonly body: Fields | undefined;
}

/** The decision about one item of a mutation: the values and fields that are sent, and the conflicts. */
export interface Verdict {
  readonly item: JudgedRow;
  /** The values that replace values in the body. */
  readonly changed: Map<string, unknown>;
  /** The fields that another client has changed and whose stored value stays: a PATCH omits them, a PUT sends the stored value. */
  readonly settled: Set<string>;
  /** The fields that change something if they are sent; `''` stands for the mutation as a whole. */
  left: Set<string>;
  readonly conflicts: Conflict[];
}

interface JudgeParts {
  readonly core: Core;
  readonly flight: Flight;
  readonly mergeOf: (row: Row, field: string) => MergeField | undefined;
  readonly seen: ReadonlyMap<Row, RowState>;
  /** Whether this client has sent the value and does not know whether the server has stored it. */
  readonly isOwn: (row: Row, field: string, stored: unknown) => boolean | undefined;
  /** Whether the server has refused the mutation. A field without a known ancestor then counts as changed by another client. */
  readonly isRefused: boolean;
}

/**
 * The stored rows that the mutation concerns, each with its part of the body. Empty for a POST, and for a call that identifies
 * several rows without an array as its body.
 */
export function judgedRowsOf({ engine }: Core, { call }: Flight): readonly JudgedRow[] {
  const { endpoint, args, sourceKind } = call;
  const { body } = endpoint.splitArgs(args);
  if (endpoint.method === 'POST') return [];
  if (Array.isArray(body))
    return body.flatMap((item: unknown) => {
      const [row] = rowsAmong(targetsOfArgs(engine, sourceKind, [[item]]));
      return row && isRecord(item) ? [{ row, body: item }] : [];
    });
  const [row, other] = rowsAmong(targetsOfCall(engine, call));
  const isWhole = endpoint.method === 'DELETE' || !isPlain(body) || !args.includes(body);
  return row && !other ? [{ row, body: isWhole ? undefined : (body as Fields) }] : []; // cast: tested
}

/** Whether the mutation must be changed before it is sent. */
export function mustChange({ changed, settled, conflicts }: Verdict): boolean {
  return changed.size + settled.size + conflicts.length > 0;
}

export function judgeItem(parts: JudgeParts, item: JudgedRow): Verdict {
  const { core, flight, isRefused } = parts;
  const { row, body } = item;
  const names = Object.keys(sentFields(body));
  const verdict: Verdict = {
    item,
    changed: new Map(),
    settled: new Set(),
    left: new Set(names.length ? names : ['']), // without a field, the mutation itself is what is sent
    conflicts: [],
  };
  const [ancestor, theirs] = [parts.seen.get(row), row.base];
  if (!theirs || (!ancestor && !isRefused)) return verdict;
  const sent = sentFieldsOf(core, flight, row);
  const compared = names.filter((name) => Object.hasOwn(sent, name) && Object.hasOwn(theirs, name));
  if (!compared.length) {
    verdict.left = new Set(['']); // the decision is about the whole mutation
    const isSame = (name: string): boolean =>
      !Object.hasOwn(theirs, name) || isEqual(toPlain(ancestor![name]), toPlain(theirs[name])); // called with names of the ancestor
    if (!ancestor || !Object.keys(ancestor).every(isSame))
      verdict.conflicts.push(conflictOf(row, '', [ancestor, body, theirs]));
  }
  for (const field of compared) {
    const before = parts.isOwn(row, field, theirs[field]) ? theirs : ancestor;
    const conflict = conflictOf(row, field, [before?.[field], sent[field], theirs[field]]);
    const { 'base': earlier, mine, theirs: other } = conflict;
    const isKnown = !!before && Object.hasOwn(before, field);
    const isChanged = isKnown ? !isEqual(earlier, other) : isRefused;
    const merge = isChanged && isKnown && parts.mergeOf(row, field);
    const merged = merge ? runRule(merge, [earlier, mine, other], conflict) : mine;
    // Two equal changes are one change, unless the merge gives another result: two votes count as two.
    if (isEqual(mine, other) && isEqual(merged, mine)) {
      if (hasNestedFields(sent[field], body?.[field])) continue;
      verdict.left.delete(field);
      if (isChanged) verdict.settled.add(field);
    } else if (merge) {
      verdict.changed.set(field, merged);
      if (isEqual(merged, other)) verdict.left.delete(field);
    } else if (isChanged && isKnown && isEqual(earlier, mine)) {
      verdict.left.delete(field);
      verdict.settled.add(field);
      verdict.changed.set(field, toBody(theirs[field], body?.[field]));
    } else if (isChanged) verdict.conflicts.push(conflict);
  }
  return verdict;
}

/** The fields that a mutation sends of the row, in stored form. */
export function sentFieldsOf(core: Core, flight: Flight, row: Row): Fields {
  return normalizeSentRows(core, flight).find((each) => rowOf(each.row) === row)?.fields ?? {};
}

/** A conflict between the values of ancestor, mine and theirs. The conflict has them in plain form. */
export function conflictOf({ table, pk }: Row, field: string, values: readonly unknown[]): Conflict {
  const [base, mine, theirs] = values.map(toPlain);
  return { entity: table.key, pk, field, 'base': base, mine, theirs };
}

/** Calls a function of the application's rules. If the function throws, throws RESOLUTION_INVALID with the conflict. */
export function runRule<A extends readonly unknown[]>(
  rule: (...args: A) => unknown,
  args: A,
  conflict: Conflict,
): unknown {
  try {
    return rule(...args);
  } catch (cause) {
    throw createResolutionError(conflict, cause);
  }
}

/** The error has both values, so that the edit is not lost. */
export function createResolutionError(
  { 'base': _base, ...params }: Conflict,
  cause?: unknown,
): HoldfastError {
  return new HoldfastError('RESOLUTION_INVALID', params, { cause });
}

/**
 * Whether the body has a nested row as an object. Only the ids of nested rows are compared, so other fields of the object may
 * differ.
 */
function hasNestedFields(stored: unknown, given: unknown): boolean {
  const [rows, values] = [[stored].flat(), [given].flat()];
  return rows.some((each) => rowOf(each)) && values.some(isRecord);
}

/** Converts a stored value for a body. A nested row becomes an object if the body had an object, else its id. */
function toBody(stored: unknown, given: unknown): unknown {
  return toPlain((isRecord(given) && rowOf(stored)?.base) || stored);
}
