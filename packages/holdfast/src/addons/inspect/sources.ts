// Finds which request supplied each field. `copyRowsBefore` notes the rows of a payload before it is applied; afterwards
// `recordSources` finds which incoming fields were stored, and by which rule of the store the others were lost. Called by
// recorder.ts, which keeps one `RowSources` per row in a WeakMap.
import type { Effects } from '../../store/effects.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowPolicy, RowState, Slot } from '../../store/nodes.ts';
import { isMessage, isRead, knowsOfDelete, mayReplace, NEVER, stampOfRead } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import type { ExplainedAnswer, ExplainedField, LostRule } from './explanation.types.ts';
import type { KnownRequest } from './known-request.ts';

/** The request that supplied a field, and how the field arrived. */
export interface FieldSource {
  readonly request: KnownRequest;
  readonly how: ExplainedField['how'];
}

/** An incoming value that was not stored. */
export interface LostField extends LostRule {
  readonly name: string;
  readonly value: unknown;
  readonly from: KnownRequest;
  readonly to: KnownRequest | undefined;
}

/** How many losses are remembered per field, and how many late responses per row and per call. */
export const MOST_LOSSES = 16;

/** The sources and losses of one row. */
export class RowSources {
  /** The source of all fields that are not in `byField`; undefined if it was not recorded, for example with a saved state. */
  defaultSource: FieldSource | undefined = undefined;
  byField: Map<string, FieldSource | undefined> | null = null;
  losses: Map<string, LostField[]> | null = null;
  /** The requests that were sent before the row was deleted, and whose responses contained the row later. */
  responsesAfterDeletion: KnownRequest[] = [];
  deletedBy: KnownRequest | undefined = undefined;

  sourceOf(name: string): FieldSource | undefined {
    return this.byField?.has(name) ? this.byField.get(name) : this.defaultSource;
  }

  addLoss(loss: LostField): void {
    const losses = (this.losses ??= new Map<string, LostField[]>()).get(loss.name) ?? [];
    this.losses.set(loss.name, [loss, ...losses].slice(0, MOST_LOSSES));
  }

  /** Makes `main` the source of all fields. */
  setAll(main: FieldSource): void {
    this.defaultSource = main;
    this.byField = null;
  }

  /** Makes `source` the source of the fields in `names`; the other fields of `base` keep their sources. */
  setFields(source: FieldSource, names: ReadonlySet<string>, base: Fields): void {
    const byField = new Map<string, FieldSource | undefined>();
    for (const name of Object.keys(base)) if (!names.has(name)) byField.set(name, this.sourceOf(name));
    this.defaultSource = source;
    this.byField = byField.size > 0 ? byField : null;
  }
}

/** The state of a row before a payload was applied. */
interface RowBefore {
  readonly base: RowState;
  readonly stamp: Stamp;
  readonly fieldStamps: ReadonlyMap<string, Stamp> | null;
  readonly deletedAt: number;
}

/** The incoming fields of one row, merged from all places of the payload that contain the row. */
interface RowPayload {
  readonly row: Row;
  readonly incoming: Fields;
  readonly origin: Stamp;
  readonly policy: RowPolicy | undefined;
  readonly before: RowBefore;
}

/** Notes the state and the incoming fields of each row of a payload. Called before the payload is applied. */
export function copyRowsBefore({ rows, fields, policies, nested }: Effects, origin: Stamp): RowPayload[] {
  const statements = new Map<Row, RowPayload>();
  for (const [at, row] of rows.entries()) {
    const known = statements.get(row);
    const { base, stamp, fieldStamps, deletedAt } = row;
    statements.set(row, {
      row,
      incoming: known ? { ...known.incoming, ...fields[at] } : fields[at]!, // `rows` and `fields` have the same length
      origin: nested?.has(row) ? stampOfRead(origin) : origin,
      policy: policies?.get(at) ?? known?.policy,
      before: known?.before ?? { base, stamp, fieldStamps, deletedAt },
    });
  }
  return [...statements.values()];
}

/** Whether a write was acknowledged at this time on the store's timeline, or a request was sent. Undefined if it is not known. */
export type FindByMark = (mark: number) => { readonly isWrite: boolean } | undefined;

type LossRule = LostRule['rule'];

/** Called after a payload is applied: records which incoming fields were stored or lost. Returns whether the row changed. */
export function recordSources(
  sources: RowSources,
  statement: RowPayload,
  request: KnownRequest,
  findByMark: FindByMark,
  howOf: (name: string) => ExplainedField['how'],
): boolean {
  const { row, incoming, origin, policy, before } = statement;
  if (!knowsOfDelete(origin.sent, before)) {
    sources.responsesAfterDeletion = [request, ...sources.responsesAfterDeletion].slice(0, MOST_LOSSES);
    return false;
  }
  const after = row.base;
  const names = Object.keys(incoming);
  const responded: FieldSource = { request, how: howOf('') };
  const sourceOf = (name: string): FieldSource => {
    const how = howOf(name);
    return how === responded.how ? responded : { request, how };
  };
  if (!before.base || !after) {
    sources.losses = null;
    sources.responsesAfterDeletion = [];
    sources.deletedBy = undefined;
    sources.setAll(responded);
    for (const name of names)
      if (sourceOf(name) !== responded)
        (sources.byField ??= new Map<string, FieldSource | undefined>()).set(name, sourceOf(name));
    return before.base !== after;
  }
  // a message that repeats the fields of a row changes no stamp unless the row is stale: it is then the source of no field
  const isRepetition = before.base === after && before.stamp.fence === row.stamp.fence;
  if (isRepetition && isMessage(origin) && !isRead(origin)) return false;
  const taken = new Set<string>();
  for (const name of names) {
    const rule = lossRuleOf(name, statement, findByMark);
    if (rule === undefined) {
      taken.add(name);
      continue;
    }
    const to = rule === 'cannot-tell' ? undefined : sources.sourceOf(name)?.request;
    sources.addLoss({ name, value: incoming[name], from: request, to, rule });
  }
  const order = policy?.byVersion(before.base, incoming);
  // the fields that the payload omits and that the class's own merge has changed
  const made = policy?.merge && order !== -1 ? changedOmittedFields(before.base, after, incoming) : [];
  for (const name of made) taken.add(name);
  if (taken.size > 0) {
    sources.setFields(responded, taken, after);
    for (const name of taken) {
      const source = made.includes(name) ? { request, how: 'made-by-the-class' as const } : sourceOf(name);
      if (source !== responded)
        (sources.byField ??= new Map<string, FieldSource | undefined>()).set(name, source);
    }
  }
  return before.base !== after;
}

function changedOmittedFields(before: Fields, after: Fields, incoming: Fields): string[] {
  return Object.keys(after).filter(
    (name) => !Object.hasOwn(incoming, name) && !isEqual(before[name], after[name]),
  );
}

/** The rule by which the field lost; undefined if it was stored. */
function lossRuleOf(name: string, statement: RowPayload, findByMark: FindByMark): LossRule | undefined {
  const { row, incoming, before, policy, origin } = statement;
  const base = before.base as Fields; // cast: checked by the caller
  const after = row.base as Fields; // cast: as above
  const isIn = Object.hasOwn(after, name) && isEqual(after[name], incoming[name]);
  const order = policy?.byVersion(base, incoming);
  if (order !== undefined && order < 0) return 'lower-version';
  if (policy?.merge) {
    const isNewer = row.stamp.sent === origin.sent;
    const wasIn = Object.hasOwn(base, name) && isEqual(base[name], incoming[name]);
    return isIn && (isNewer || !wasIn) ? undefined : 'hook-of-the-class';
  }
  const hasOwnPlace = before.fieldStamps?.has(name) === true;
  const known = Object.hasOwn(base, name) ? (before.fieldStamps?.get(name) ?? before.stamp) : NEVER;
  const isOld = !(order! > 0) && !mayReplace(origin, known) && !(order === 0 && hasOwnPlace);
  // the store decided differently from these rules: report no rule rather than a wrong one
  if (isOld === isIn && !isEqual(base[name], incoming[name])) return isIn ? undefined : 'cannot-tell';
  if (!isOld) return undefined;
  if (!isRead(origin)) return 'write-sent-before-later-write';
  const fencedBy = findByMark(known.fence);
  if (!fencedBy) return 'older-than-what-is-stored';
  return fencedBy.isWrite ? 'read-sent-before-write-was-answered' : 'read-sent-before-later-read';
}

/** The rule by which a late response is not stored in its slot; undefined if it is stored. */
export function lateResponseRule(
  slot: Slot,
  isPage: boolean,
  origin: Stamp,
): ExplainedAnswer['lost'][number] | undefined {
  if (!slot.hasResult) return undefined;
  if (!mayReplace(origin, slot.stamp)) return { rule: 'read-sent-before-later-read' };
  return isPage && slot.page && !mayReplace(origin, slot.page)
    ? { rule: 'page-asked-for-before-another' }
    : undefined;
}
