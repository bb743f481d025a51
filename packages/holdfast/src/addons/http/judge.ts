// Compares a mutation with the row as another client has left it, field by field: the ancestor (what was shown at the call), mine
// (what the mutation sends) and theirs (what is stored). Decides for each field; what it cannot decide is a conflict. Changes
// nothing. Called by write-sender.ts.
//
//   theirs = ancestor ─▶ mine is sent          merge of the field ─▶ the merged value is sent
//   theirs = mine ─────▶ not sent              mine = ancestor ───▶ theirs stays (a PUT sends it)
//                                              else ──────────────▶ conflict
import type { Core } from '../../controller/state/core.ts';
import { normalizeSentRows } from '../../controller/request/keep-acknowledged.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { rowsAmong, targetsOfArgs, targetsOfCall } from '../../dispatch/write-queues.ts';
import { sentFields } from '../../endpoint/row-name.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowState } from '../../store/nodes.ts';
import { plainFields, rowOf, toPlain } from '../../store/stored-form.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isPlain, isRecord } from '../../support/plain.ts';
import type { Conflict, MergeField } from './conflict.types.ts';

/** One row of a mutation, with the part of the body that is about the row. */
export interface JudgedRow {
  readonly row: Row;
  /** Undefined where the mutation is about the whole row: a DELETE, or a body that is no object. */
  readonly body: Fields | undefined;
}

/** What is sent for one item. */
export interface Verdict {
  readonly item: JudgedRow;
  /** Values that are sent in place of those in the body. */
  readonly changed: Map<string, unknown>;
  /** Fields that need not be sent. */
  readonly settled: Set<string>;
  /** Fields whose sending changes something. */
  left: Set<string>;
  readonly conflicts: Conflict[];
}

interface JudgeParts {
  readonly core: Core;
  readonly flight: Flight;
  readonly mergeOf: (row: Row, field: string) => MergeField | undefined;
  readonly seen: ReadonlyMap<Row, RowState>;
  /** Whether this client has sent the value, and does not know whether the server has stored it. */
  readonly isOwn: (row: Row, field: string, stored: unknown) => boolean;
  /** Whether the server has refused the mutation: then a field of which no ancestor is known is in conflict. */
  readonly isRefused: boolean;
}

/** The rows that the mutation is about. */
export function itemsOf({ engine }: Core, { call }: Flight): readonly JudgedRow[] {
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

/** Whether the mutation must not be sent as it is. */
export function isToChange({ changed, settled, conflicts }: Verdict): boolean {
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
    left: new Set(names.length > 0 ? names : ['']), // without a field, the mutation itself is what is sent
    conflicts: [],
  };
  const [ancestor, theirs] = [parts.seen.get(row), row.base];
  if (!theirs || (!ancestor && !isRefused)) return verdict;
  const sent = normalizeSentRows(core, flight).find((each) => rowOf(each.row) === row)?.fields ?? {};
  const compared = names.filter((name) => Object.hasOwn(sent, name) && Object.hasOwn(theirs, name));
  if (compared.length === 0) {
    verdict.left = new Set(['']); // who decides, decides about the whole mutation
    const [base, other] = [ancestor && plainFields(ancestor), plainFields(theirs)];
    const isSame = (name: string): boolean =>
      !Object.hasOwn(other, name) || isEqual(base![name], other[name]); // called with names of the ancestor
    if (!base || !Object.keys(base).every(isSame))
      verdict.conflicts.push(conflictOf(row, '', [base, body, other]));
  }
  for (const field of compared) {
    const before = parts.isOwn(row, field, theirs[field]) ? theirs : ancestor;
    const stored = [before?.[field], sent[field], theirs[field]];
    const values = stored.map(toPlain) as [unknown, unknown, unknown]; // cast: three values
    const [base, mine, other] = values;
    const isKnown = !!before && Object.hasOwn(before, field);
    const isMoved = isKnown ? !isEqual(base, other) : isRefused;
    const merge = parts.mergeOf(row, field);
    if (isEqual(mine, other)) {
      if (hasNestedFields(sent[field], body?.[field])) continue;
      verdict.left.delete(field);
      if (isMoved) verdict.settled.add(field);
    } else if (isMoved && isKnown && merge) {
      const value = runRule(merge, values, conflictOf(row, field, values));
      verdict.changed.set(field, value);
      if (isEqual(value, other)) verdict.left.delete(field);
    } else if (isMoved && isKnown && isEqual(base, mine)) {
      verdict.left.delete(field);
      verdict.settled.add(field);
      verdict.changed.set(field, toBody(theirs[field], body?.[field]));
    } else if (isMoved) verdict.conflicts.push(conflictOf(row, field, values));
  }
  return verdict;
}

export function conflictOf(
  { table, pk }: Row,
  field: string,
  [base, mine, theirs]: readonly [base: unknown, mine: unknown, theirs: unknown],
): Conflict {
  return { entity: table.key, pk, field, 'base': base, mine, theirs };
}

/** The result of a function that the application gives in its rules. */
export function runRule<A extends readonly unknown[]>(
  rule: (...args: A) => unknown,
  args: A,
  conflict: Conflict,
): unknown {
  try {
    return rule(...args);
  } catch (cause) {
    throw resolutionInvalid(conflict, cause);
  }
}

/** The error has both values, so that the edit is not lost. */
export function resolutionInvalid({ 'base': _base, ...params }: Conflict, cause?: unknown): HoldfastError {
  return new HoldfastError('RESOLUTION_INVALID', params, { cause });
}

/** Whether the body has fields of nested rows, which are not compared: two values are equal when the ids of their rows are. */
function hasNestedFields(stored: unknown, given: unknown): boolean {
  const [rows, values] = [[stored].flat(), [given].flat()];
  return rows.some((each) => rowOf(each)) && values.some(isRecord);
}

/** A stored value for a body: a nested row is an object where the body has had one, else its id. */
function toBody(stored: unknown, given: unknown): unknown {
  const base = isRecord(given) && rowOf(stored)?.base;
  return base ? plainFields(base) : toPlain(stored);
}
