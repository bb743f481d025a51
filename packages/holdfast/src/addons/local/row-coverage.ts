// Some responses declare only some fields of a row (see `pick`). For each row of a table with such responses, this file records
// which fields its responses declare, and how old these fields are. A reader of a field that is not stored, and that no response
// declares, has no data yet.
//
//   detail { id title body }    at 0 s      title, body: as old as the row
//   list   { id title }         at 5 s      title: 5 s;  all others: 0 s
//   a reader of { id title } has data of 5 s, a reader of the whole row data of 0 s
import type { EntityReader } from '../../schema/entity/entity-read.ts';
import { ownersOf } from '../../schema/protocol/protocol.ts';
import type { Kind } from '../../schema/protocol/protocol.ts';
import type { AfterWrite, Effects } from '../../store/effects.ts';
import { hasField } from '../../store/fields.ts';
import { itemsOf } from '../../store/graph.ts';
import { addBeforeRowWrite, Row } from '../../store/nodes.ts';
import type {
  BaseLists,
  BeforeRowWrite,
  Coverage,
  Fields,
  List,
  RowState,
  Table,
  TableCoverage,
} from '../../store/nodes.ts';
import { cameWith, isRead, knowsOfDelete, NO_STAMP } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';

export type FieldNames = ReadonlySet<string>;

/** The fields that a picked class declares, and the coverage of a row that only responses of that class have written. */
export interface PickedFields {
  readonly names: FieldNames;
  readonly alone: Coverage;
}

/** The kind of an entity class. The kind of a picked class reads only the declared fields of a row. */
export interface PickingKind extends EntityReader {
  readonly picked?: PickedFields;
  /** Returns only those fields of a record that the kind declares. */
  project?(fields: Fields): Fields;
}

type Group = Coverage['groups'][number];

/** The state of a stored row before a write. */
interface StoredBefore extends Pick<Row, 'stamp' | 'coverage'> {
  readonly known: Fields;
}

/** A row has at most this many groups; the oldest groups are joined. */
const MOST_GROUPS = 3;

// For each payload, by the index of a row in the payload: the fields that the row's class declares, if the class is a picked one.
const pickedRows = new WeakMap<Effects, PickedFields[]>();

/** Notes that the class of the row at this index of the payload declares only these fields. */
export function notePicked(effects: Effects, at: number, picked: PickedFields): void {
  ensure(pickedRows, effects, () => [])[at] = picked;
}

/** Records from now on which fields responses declare for the rows of this table. `whole` is the class with all fields. */
export function recordCoverage(table: Table, whole: { readonly defaults: object }): void {
  if (table.coverage && !table.coverage.isSaved) return;
  const coverage = new RowCoverage(() => Object.keys(whole.defaults));
  table.coverage = coverage;
  addBeforeRowWrite(table, coverage.beforeRowWrite);
}

class RowCoverage implements TableCoverage {
  readonly #fields: () => readonly string[];
  /** Equal sets of names are one set, which rows share. */
  readonly #sets = new Map<string, FieldNames>();
  /**
   * For each list, by the arrival time of a response: the fields that the page of this response declares, if all its rows have one
   * picked class.
   */
  readonly #pages = new WeakMap<List, Map<number, FieldNames>>();
  /** For each payload, its rows that lack fields of the whole class. */
  readonly #partialRows = new WeakMap<Effects, Set<Row>>();

  constructor(fields: () => readonly string[]) {
    this.#fields = fields;
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  stateOf({ shown, coverage }: Row, kind: PickingKind): RowState {
    const names = coverage?.names;
    const isKnown = !shown || !names || names === kind.picked?.names;
    if (!isKnown && !kind.fieldNames().every((name) => names.has(name) || hasField(shown, name)))
      return undefined;
    return (shown && kind.project?.(shown)) ?? shown;
  }

  stampsOf(part: Row | List, kind: Kind): readonly Stamp[] | undefined {
    const names = this.#namesOf(kind, part.table);
    if (!(part instanceof Row)) {
      // A reader gets no row that lacks a field of the reader's kind, so a list with such a row has expired for the reader. If a
      // page declares all fields, each row is examined, because a row with fewer fields may have entered the list while its request
      // was in flight.
      const known = this.#namesIn(part) ?? part.base.map((member) => rowOf(member)?.coverage?.names);
      const lacks = known.some((one) => one && !isSubset(names, one));
      return lacks ? [{ ...NO_STAMP, fence: Infinity, storedAt: Infinity }] : undefined;
    }
    const { shown, coverage } = part;
    if (!shown || !coverage?.groups.length) return undefined;
    return [
      ...new Set(
        names.filter((name) => hasField(shown, name)).map((name) => groupOf(name, coverage.groups).stamp),
      ),
    ];
  }

  /** The fields of the table's rows that a kind declares; all fields if the kind belongs to no class of the table. */
  #namesOf(kind: Kind, { key }: Table): readonly string[] {
    const owners = ownersOf(kind).filter((owner) => owner.key === key);
    return owners.length > 0 ? owners.flatMap((owner) => owner.fieldNames()) : this.#fields();
  }

  /**
   * The fields that the pages of the list declare, one set for each page; undefined if they are not recorded for each page, as for
   * a page with all fields.
   */
  #namesIn(list: List): FieldNames[] | undefined {
    const known = this.#pages.get(list);
    const names = list.segments.flatMap(({ stamp }) => known?.get(stamp.settled) ?? stamp.fieldNames ?? []);
    return names.length === list.segments.length ? names : undefined;
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  readonly beforeRowWrite: BeforeRowWrite = (lists, row, payload, at = 0) => {
    if (!lists.origin) return undefined; // an optimistic update
    const effects = payload as Effects | undefined; // cast: it has the form of effects
    if (!effects) {
      if (row.coverage) row.coverage = undefined; // the row is deleted
      return undefined;
    }
    const picked = pickedRows.get(effects)?.[at];
    if (!picked && !row.coverage) return undefined;
    // The response to a request that was sent before the row was deleted is not stored.
    if (!knowsOfDelete(lists.origin.sent, row)) return undefined;
    const { base, stamp, coverage } = row;
    // In the usual case nothing is compared: the row is new, or the response repeats the row.
    if (picked && (!base || (coverage === picked.alone && effects.fields[at] === base))) {
      row.coverage = picked.alone;
      this.#notePartial(effects, row);
      return undefined;
    }
    const before: StoredBefore = { known: base!, stamp, coverage }; // a row with a coverage is stored
    return () => this.#updateCoverage(lists, row, before, effects, at, picked);
  };

  #updateCoverage(
    lists: BaseLists,
    row: Row,
    before: StoredBefore,
    effects: Effects,
    at: number,
    picked: PickedFields | undefined,
  ): void {
    const base = row.base!; // a write removes no row
    const names = this.#namesAfter(before, base, lists.origin, picked);
    const groups = this.#groupsAfter(row, base, before, effects.fields[at]!, lists.origin); // parallel arrays
    const expiresAt = Math.min(...groups.map(({ stamp }) => stamp.expiresAt));
    if (row.stamp.expiresAt !== expiresAt) row.stamp = { ...row.stamp, expiresAt };
    const known = groups.length > 1 ? groups : NO_GROUPS;
    if (names === picked?.names && known === NO_GROUPS) row.coverage = picked!.alone; // their names are equal
    else if (names || known.length > 0) row.coverage = { names, groups: known };
    else if (row.coverage) row.coverage = undefined;
    // A reader has no data until the row has all fields that the reader shows, so the readers are marked when the names change.
    if ((before.coverage?.names ?? null) !== names) lists.store.mark(row);
    if (names) this.#notePartial(effects, row);
  }

  /** The fields that at least one response declares; null for all fields. */
  #namesAfter(
    { coverage }: StoredBefore,
    base: Fields,
    origin: Stamp,
    picked: PickedFields | undefined,
  ): FieldNames | null {
    const known = coverage?.names;
    if (!known) return null;
    if (picked) return isSubset([...picked.names], known) ? known : this.#setOf([...known, ...picked.names]);
    // The response to a read of the whole class has all fields of the row. The response to a mutation, or a message, may omit some
    // fields.
    return isRead(origin) || this.#fields().every((name) => hasField(base, name)) ? null : known;
  }

  /** The groups of the row's fields by age; one group when all fields are equally old. */
  #groupsAfter(
    { fieldStamps, stamp }: Row,
    base: Fields,
    { known, stamp: before, coverage }: StoredBefore,
    incoming: Fields,
    origin: Stamp,
  ): readonly Group[] {
    // A response that came too late for a field does not count for the field, unless the write has changed the value of the field.
    const carried = Object.keys(incoming).filter(
      (name) =>
        Object.hasOwn(base, name) &&
        (base[name] !== known[name] || cameWith(fieldStamps?.get(name) ?? stamp, origin)),
    );
    const older: readonly Group[] = coverage?.groups.length
      ? coverage.groups
      : [{ names: null, stamp: before }];
    const all = carried.length > 0 ? [{ names: this.#setOf(carried), stamp: origin }, ...older] : older;
    const used = new Set(Object.keys(base).map((name) => groupOf(name, all)));
    const groups = all.filter((group) => used.has(group)); // a row has a field: that of its key
    if (groups.length <= MOST_GROUPS) return groups;
    const [left, right] = groups.splice(MOST_GROUPS - 1).map(({ stamp }) => stamp) as [Stamp, Stamp]; // there is one too many
    return [...groups, { names: null, stamp: left.expiresAt < right.expiresAt ? left : right }];
  }

  #setOf(names: readonly string[]): FieldNames {
    return ensure(this.#sets, JSON.stringify([...new Set(names)].sort()), () => new Set(names));
  }

  // ── lists ────────────────────────────────────────────────────────────────────────────────────

  #notePartial(effects: Effects, row: Row): void {
    ensure(this.#partialRows, effects, () => {
      const rows = new Set<Row>();
      const noteLists: AfterWrite = (_, lists) => this.#noteLists(effects, lists, rows);
      noteLists.isRepeatable = true;
      effects.afterWrites.push(noteLists);
      return rows;
    }).add(row);
  }

  /**
   * Records the lists that the payload has written with only some fields. Any other list that contains one of these rows becomes
   * stale if one of its pages declares a field that the row lacks.
   */
  #noteLists(effects: Effects, { origin, store }: BaseLists, rows: ReadonlySet<Row>): void {
    const picked = pickedRows.get(effects);
    for (const { list, members } of effects.lists) {
      const found = members.map((member) => picked?.[rowOf(member)?.payloadIndex ?? -1]?.names);
      const [names] = found;
      if (!names || found.some((other) => other !== names)) continue;
      const isKept = ([settled]: [number, FieldNames]): boolean =>
        list.segments.some(({ stamp }) => stamp.settled === settled);
      const known = [...(this.#pages.get(list) ?? [])].filter(isKept);
      this.#pages.set(list, new Map([...known, [origin.settled, names]]));
    }
    /** The lists whose pages declare no other fields than these names. */
    const judged = new Map<List, FieldNames>();
    for (const { coverage, listsInBase } of rows) {
      const names = coverage?.names;
      if (!names) continue;
      for (const list of itemsOf(listsInBase)) {
        if (judged.get(list) === names) continue;
        if (this.#namesIn(list)?.every((wanted) => isSubset([...wanted], names))) judged.set(list, names);
        else store.markStale(list, origin.settled);
      }
    }
  }
}

const NO_GROUPS: readonly Group[] = [];

function isSubset(names: readonly string[], of: FieldNames): boolean {
  return names.every((name) => of.has(name));
}

function groupOf(name: string, groups: readonly Group[]): Group {
  return groups.find(({ names }) => !names || names.has(name)) ?? groups.at(-1)!; // the last group has all other fields
}
