// Finds which request supplied each field. `copyRowsBefore` notes the rows of a payload before it is applied; afterwards
// `recordSources` finds which incoming fields were stored, and by which rule of the store the other fields were lost. recorder.ts
// calls these functions, and keeps one `RowSources` per row in a WeakMap.
import type { Effects } from '../../store/effects.ts';
import { isEqual } from '../../store/fields.ts';
import type { Fields, Row, RowPolicy, RowState } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { isRead, knowsOfDelete, mayReplace, NO_STAMP, stampOfRead } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import type { ExplainedAnswer, ExplainedField, LostRule } from './explanation.types.ts';
import type { KnownRequest, LossTo } from './known-request.ts';

/** The request that supplied a field, and how the field arrived. */
export interface FieldSource {
  readonly request: KnownRequest;
  readonly how: ExplainedField['how'];
}

/** An incoming value that was not stored. */
export interface LostField extends LossTo {
  readonly name: string;
  readonly value: unknown;
  readonly from: KnownRequest;
}

/** A value of a field that a later value has replaced. */
export interface EarlierField {
  readonly value: unknown;
  readonly source: FieldSource | undefined;
}

/** How many losses are remembered per field, and how many late responses per row and per call. */
export const MOST_LOSSES = 16;

/** How many replaced values are remembered per field. */
const MOST_EARLIER = 8;

/** A source for each field of a row. Most fields of a row share one source, which is stored once. */
class SourceMap {
  /** The source of all fields that are not in `byField`; undefined if it was not recorded, for example with a saved state. */
  #default: FieldSource | undefined = undefined;
  #byField: Map<string, FieldSource | undefined> | null = null;

  of(name: string): FieldSource | undefined {
    return this.#byField?.has(name) ? this.#byField.get(name) : this.#default;
  }

  /** Forgets all sources, and makes `main` the source of all fields. */
  setAll(main: FieldSource): void {
    this.#default = main;
    this.#byField = null;
  }

  /** Makes `main` the source of the fields in `names`; all other fields of `base` keep their sources. */
  setFields(main: FieldSource, names: ReadonlySet<string>, base: Fields): void {
    const byField = new Map<string, FieldSource | undefined>();
    for (const name of Object.keys(base)) if (!names.has(name)) byField.set(name, this.of(name));
    this.#default = main;
    this.#byField = byField.size > 0 ? byField : null;
  }

  setField(name: string, source: FieldSource): void {
    (this.#byField ??= new Map<string, FieldSource | undefined>()).set(name, source);
  }
}

/** The memory of one row: the source of each field, the values that the field had before, and the values that were not stored. */
export class RowSources {
  /** For each field, the payload that was stored last. */
  readonly last: SourceMap = new SourceMap();
  /** For each field, the payload that gave the field its present value. Later payloads may have confirmed the value. */
  readonly made: SourceMap = new SourceMap();
  #losses: Map<string, LostField[]> | null = null;
  #history: Map<string, EarlierField[]> | null = null;
  /** For each field, the requests that came too late to be stored, and whose value for the field equals the stored value. */
  #late: Map<string, KnownRequest[]> | null = null;
  /** The requests that were sent before the row was deleted, and whose responses contained the row later. */
  responsesAfterDeletion: KnownRequest[] = [];
  deletedBy: KnownRequest | undefined = undefined;

  /**
   * Forgets all records of a row that a payload has created, created again or deleted, and makes `main` the source of all fields.
   */
  begin(main: FieldSource): void {
    this.#losses = this.#history = this.#late = null;
    this.responsesAfterDeletion = [];
    this.deletedBy = undefined;
    this.last.setAll(main);
    this.made.setAll(main);
  }

  /**
   * Notes a value that was not stored. Returns the rule, and the request whose value counts instead. A value that equals the stored
   * value is not lost: it confirms the stored value.
   */
  addLate(late: Omit<LostField, 'to'>, base: RowState): LostField | undefined {
    const { name, value, from, rule } = late;
    if (base && Object.hasOwn(base, name) && isEqual(base[name], value)) {
      addFirst((this.#late ??= new Map<string, KnownRequest[]>()), name, from, MOST_LOSSES);
      return undefined;
    }
    const loss = { ...late, to: this.#winnerOf(name, rule) };
    this.addLoss(loss);
    return loss;
  }

  addLoss(loss: LostField): void {
    addFirst((this.#losses ??= new Map<string, LostField[]>()), loss.name, loss, MOST_LOSSES);
  }

  /** Notes that a payload has replaced this value of the field. */
  addEarlier(name: string, value: unknown): void {
    const earlier = { value, source: this.made.of(name) };
    addFirst((this.#history ??= new Map<string, EarlierField[]>()), name, earlier, MOST_EARLIER);
    this.#late?.delete(name);
  }

  /** The request to which the rule refers: the last or the first request that contained the stored value. */
  #winnerOf(name: string, rule: LossRule): KnownRequest | undefined {
    const last = this.last.of(name)?.request;
    const made = this.made.of(name)?.request;
    const isMatch = (request: KnownRequest | undefined): boolean =>
      !!request && (request.kind !== 'read') === rule.includes('write');
    return !isMatch(last) && isMatch(made) ? made : last;
  }

  /** The names of the fields of which an incoming value was not stored. The row may have no such field. */
  lostNames(): Iterable<string> {
    return this.#losses?.keys() ?? [];
  }

  lossesOf(name: string): readonly LostField[] {
    return this.#losses?.get(name) ?? [];
  }

  historyOf(name: string): readonly EarlierField[] {
    return this.#history?.get(name) ?? [];
  }

  /**
   * The requests that repeated the stored value of the field: the last request that was stored, and the requests that came too late
   * to be stored. The request that was sent last comes first.
   */
  confirmationsOf(name: string): KnownRequest[] {
    const made = this.made.of(name)?.request;
    const all = new Set([this.last.of(name)?.request, ...(this.#late?.get(name) ?? [])]);
    return [...all]
      .filter((request) => request !== undefined)
      .filter((request) => request !== made)
      .sort((one, other) => other.id - one.id);
  }
}

function addFirst<T>(lists: Map<string, T[]>, name: string, item: T, most: number): void {
  lists.set(name, [item, ...(lists.get(name) ?? [])].slice(0, most));
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

/** Called before a payload is applied: notes the state and the incoming fields of each row of the payload. */
export function copyRowsBefore({ rows, fields, policies, rowsAsRead }: Effects, origin: Stamp): RowPayload[] {
  const rowPayloads = new Map<Row, RowPayload>();
  for (const [at, row] of rows.entries()) {
    const known = rowPayloads.get(row);
    const { base, stamp, fieldStamps, deletedAt } = row;
    rowPayloads.set(row, {
      row,
      incoming: known ? { ...known.incoming, ...fields[at] } : fields[at]!, // `rows` and `fields` have the same length
      origin: rowsAsRead?.has(row) ? stampOfRead(origin) : origin,
      policy: policies?.get(at) ?? known?.policy,
      before: known?.before ?? { base, stamp, fieldStamps, deletedAt },
    });
  }
  return [...rowPayloads.values()];
}

/** Whether a write was acknowledged at this time on the store's timeline, or a request was sent. Undefined if it is not known. */
export type FindByMark = (mark: number) => { readonly isWrite: boolean } | undefined;

type LossRule = LostRule['rule'];

/** What a payload has changed in a row. */
export interface PayloadResult {
  /** The names of the changed fields. */
  readonly changed: ReadonlySet<string>;
  /** Why a value of the payload was not stored. Undefined if the payload has changed any field, or if no value was lost. */
  readonly loss: LossTo | undefined;
}

/** Called after a payload is applied: records which incoming fields were stored or lost. */
export function recordSources(
  sources: RowSources,
  rowPayload: RowPayload,
  request: KnownRequest,
  findByMark: FindByMark,
  howOf: (name: string) => ExplainedField['how'],
): PayloadResult {
  const { row, incoming, origin, policy, before } = rowPayload;
  if (!knowsOfDelete(origin.sent, before)) {
    sources.responsesAfterDeletion = [request, ...sources.responsesAfterDeletion].slice(0, MOST_LOSSES);
    return { changed: new Set(), loss: { rule: 'row-was-deleted', to: sources.deletedBy } };
  }
  const after = row.base;
  const names = Object.keys(incoming);
  const responded: FieldSource = { request, how: howOf('') };
  const sourceOf = (name: string): FieldSource => {
    const how = howOf(name);
    return how === responded.how ? responded : { request, how };
  };
  const maps = [sources.last, sources.made];
  if (!before.base || !after) {
    sources.begin(responded);
    for (const name of names)
      if (sourceOf(name) !== responded) for (const map of maps) map.setField(name, sourceOf(name));
    return { changed: new Set(before.base === after ? [] : names), loss: undefined };
  }
  const taken = new Set<string>();
  let loss: LossTo | undefined;
  for (const name of names) {
    const rule = lossRuleOf(name, rowPayload, findByMark);
    if (rule === undefined) taken.add(name);
    else loss = sources.addLate({ name, value: incoming[name], from: request, rule }, after) ?? loss;
  }
  const order = policy?.compareVersions(before.base, incoming);
  // The fields that the payload omits and that the class's own merge has changed.
  const made = policy?.merge && order !== -1 ? changedOmittedFields(before.base, after, incoming) : [];
  for (const name of made) taken.add(name);
  const changed = new Set<string>();
  for (const name of taken) {
    const isNew = !Object.hasOwn(before.base, name);
    if (!isNew && isEqual(before.base[name], after[name])) continue;
    changed.add(name);
    if (!isNew) sources.addEarlier(name, before.base[name]);
  }
  for (const [map, fields] of [
    [sources.last, taken],
    [sources.made, changed],
  ] as const) {
    if (fields.size > 0) map.setFields(responded, fields, after);
    for (const name of fields) {
      const source = made.includes(name) ? { request, how: 'made-by-the-class' as const } : sourceOf(name);
      if (source !== responded) map.setField(name, source);
    }
  }
  return { changed, loss: changed.size > 0 ? undefined : loss };
}

function changedOmittedFields(before: Fields, after: Fields, incoming: Fields): string[] {
  return Object.keys(after).filter(
    (name) => !Object.hasOwn(incoming, name) && !isEqual(before[name], after[name]),
  );
}

/** The rule by which the field was lost; undefined if the field was stored. */
function lossRuleOf(name: string, rowPayload: RowPayload, findByMark: FindByMark): LossRule | undefined {
  const { row, incoming, before, policy, origin } = rowPayload;
  const base = before.base as Fields; // cast: checked by the caller
  const after = row.base as Fields; // cast: as above
  const isIn = Object.hasOwn(after, name) && isEqual(after[name], incoming[name]);
  const order = policy?.compareVersions(base, incoming);
  if (order !== undefined && order < 0) return 'lower-version';
  if (policy?.merge) {
    const isNewer = row.stamp.sent === origin.sent;
    const wasIn = Object.hasOwn(base, name) && isEqual(base[name], incoming[name]);
    return isIn && (isNewer || !wasIn) ? undefined : 'hook-of-the-class';
  }
  const hasOwnPlace = before.fieldStamps?.has(name) === true;
  const known = Object.hasOwn(base, name) ? (before.fieldStamps?.get(name) ?? before.stamp) : NO_STAMP;
  const isOld = !(order! > 0) && !mayReplace(origin, known) && !(order === 0 && hasOwnPlace);
  // The store has decided differently from these rules: no rule is reported rather than a wrong rule.
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
  return isPage && slot.pageStamp && !mayReplace(origin, slot.pageStamp)
    ? { rule: 'page-asked-for-before-another' }
    : undefined;
}
