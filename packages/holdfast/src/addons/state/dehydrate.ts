// The state of a controller as plain data, for a page's HTML, a worker or a storage. Server truth only: what is pending is not
// part of it. Rows and lists carry their stamps, kept once each, because one answer's rows share theirs. Members that the
// library's own objects have too are written as texts: the build shortens members of these names, and no text.
import type { Controller } from '../../controller/controller.ts';
import { CORE } from '../../controller/state/core.ts';
import type { ListIdentity, List, Row, Segment, Slot, Table } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { changePlain } from '../../support/plain.ts';
import type { EntityHooks } from '../../schema/entity/entity-hooks.ts';
import type { Stamp } from '../../store/stamp.ts';
import type { Engine } from '../../normalize/engine.ts';
import { ANSWERS, listsOf, rowsOf, sumOfFrame, sumOfPart } from './sums.ts';
import { encode } from './stored-json.ts';

/** Grows with every change of the form below that an older library would misread: another version is not read. */
export const STATE_VERSION = 3;

interface Summed {
  /** By which damage is found: see sums.ts. */
  readonly sum: string;
}

export interface DehydratedRow extends Summed {
  readonly pk: string;
  /** null for a row that was deleted. */
  readonly 'fields': unknown;
  readonly 'stamp': number;
  readonly 'deletedAt'?: number;
  readonly 'localId'?: string;
  readonly 'isStale'?: boolean;
}

export interface DehydratedList extends Summed {
  readonly 'identity': {
    readonly id: string;
    readonly key: readonly (readonly [string, string])[] | null;
    readonly 'filterNames': readonly string[];
    readonly 'followsFields': boolean;
    readonly 'isServers': boolean;
    readonly 'isKeyed': boolean;
  };
  readonly 'segments': readonly {
    readonly 'cursor': Segment['cursor'];
    readonly 'stamp': number;
    readonly 'members': unknown;
  }[];
  readonly 'isStale'?: boolean;
  /** Whether the server has put rows here that the key does not equal. */
  readonly 'isByServer'?: boolean;
  readonly 'unloaded'?: List['unloaded'];
  /** How many rows the server has counted beyond the members. */
  readonly 'restCount'?: number;
}

export interface DehydratedSlot extends Summed {
  readonly key: string;
  /** The patterns of the keys of the endpoints that have asked for it: `invalidateAll` finds it by them. */
  readonly 'keyPatterns'?: readonly string[];
  /** Absent when there is only a failure. */
  readonly 'stored'?: unknown;
  readonly 'stamp': number;
  readonly error?: unknown;
  readonly 'errorStamp'?: number;
  readonly 'isInvalidated'?: boolean;
  readonly 'isStale'?: boolean;
}

/**
 * A whole state. Survives JSON and structured clone; its form is the library's own and may differ in another version.
 *
 * @example
 * const state: dehydrate.State = dehydrate(new Controller());
 * localStorage.setItem('state', JSON.stringify(state));
 */
export interface DehydratedState extends Summed {
  readonly version: number;
  /** The latest stamp in it: the timeline that takes the state in goes on from there. */
  readonly last: number;
  readonly stamps: readonly unknown[];
  readonly tables: readonly unknown[];
  readonly slots: readonly unknown[];
}

/** The same with the form of its parts. */
export interface DehydratedParts extends DehydratedState {
  readonly tables: readonly {
    readonly key: string;
    /** The field in which the server counts versions. */
    readonly 'versionBy'?: string;
    readonly 'rows': readonly DehydratedRow[];
    readonly 'lists': readonly DehydratedList[];
  }[];
  readonly slots: readonly DehydratedSlot[];
}

export interface DehydrateOptions {
  /** Whether a part is wanted. Default: all of them. */
  readonly isWanted?: (part: Row | List | Slot) => boolean;
  /** What an error may say where the state goes. Default: what it says. */
  readonly redact?: (error: Error) => Error;
}

/**
 * The state of a controller as plain data: it survives JSON, structured clone, and any storage. Pending mutations are
 * not part of it.
 *
 * @example localStorage.setItem('state', JSON.stringify(dehydrate(controller)));
 */
export function dehydrate(controller: Controller): DehydratedState {
  return dehydrateEngine(controller[CORE].engine);
}

export function dehydrateEngine(
  engine: Engine,
  { isWanted = () => true, redact = (error) => error }: DehydrateOptions = {},
): DehydratedParts {
  const { store } = engine;
  const known = new Map<Stamp, number>();
  const stamps: unknown[] = [];
  const stampOf = (stamp: Stamp): number =>
    ensure(known, stamp, () => {
      const { fetchedAt, date, expiresAt } = stamp;
      return stamps.push(encode({ fetchedAt, date, expiresAt })) - 1;
    });
  const withSum = <P extends object>(place: string, part: P): P & Summed => ({
    ...part,
    sum: sumOfPart(place, part as Readonly<Record<string, unknown>>, stamps), // cast: read by name
  });
  /** The ids that rows had once, also of drafts that turned out to be rows which had come another way. */
  const localIds = new Map<Row, string>();
  for (const { aliases, rows } of store.tables.values()) {
    for (const [id, row] of aliases) localIds.set(row, id);
    for (const row of rows.values()) if (row.localId !== null) localIds.set(row, row.localId);
  }
  /** The rows that cannot be written. */
  const lost = new Set<Row | undefined>();
  const written = [...store.tables.values()].map((table) => ({
    table,
    rows: collect(
      table.rows.values(),
      (row) => row.base !== undefined && isWanted(row),
      (row) => ({ row, encoded: row.base === null ? null : encode(row.base) }),
      (row) => lost.add(row),
    ),
  }));
  /** Whether one of them is in it: what is left without that row is stale. */
  const isTorn = (stored: unknown): boolean =>
    lost.size > 0 && changePlain(stored, (leaf) => (lost.has(rowOf(leaf)) ? null : leaf)) !== stored;
  const dehydrateRow = ({ row, encoded: fields }: { row: Row; encoded: unknown }): DehydratedRow =>
    withSum(rowsOf(row.table.key), {
      pk: row.pk,
      'fields': fields,
      'stamp': stampOf(row.stamp),
      ...(row.deletedAt > 0 && { 'deletedAt': row.deletedAt }),
      ...(localIds.has(row) && { 'localId': localIds.get(row)! }), // asked right before
      ...((row.staleSince > 0 || isTorn(row.base)) && { 'isStale': true }),
    });
  const changed = new Set([...store.tables.values()].filter(hasWrites));
  /** Whether rows were written that its count has not heard of. */
  const isMiscounted = ({ isUnread, table }: List): boolean =>
    isUnread === true && [...table.rowTables].some((part) => changed.has(part));
  const dehydrateList = (list: List): DehydratedList =>
    withSum(listsOf(list.table.key), {
      'identity': dehydrateIdentity(list.identity),
      'segments': list.segments.map(({ cursor, stamp, members }) => ({
        'cursor': cursor,
        'stamp': stampOf(stamp),
        'members': encode(members),
      })),
      ...((list.staleSince > 0 || isTorn(list.base) || isMiscounted(list)) && { 'isStale': true }),
      ...(list.unloaded && { 'unloaded': list.unloaded }),
      ...(list.restCount !== undefined && { 'restCount': list.restCount }),
      ...(list.isByServer && { 'isByServer': true }),
    });
  const dehydrateSlot = (slot: Slot): DehydratedSlot =>
    withSum(ANSWERS, {
      key: slot.key,
      ...(slot.keyPatterns.length > 0 && { 'keyPatterns': slot.keyPatterns }),
      ...(slot.hasResult && { 'stored': encode(slot.stored) }),
      'stamp': stampOf(slot.stamp),
      ...(slot.error !== undefined && {
        error: encode(redact(slot.error)),
        'errorStamp': stampOf(slot.errorStamp),
      }),
      ...(slot.invalidatedAt > 0 && { 'isInvalidated': true }),
      ...((slot.staleSince > 0 || isTorn(slot.stored)) && { 'isStale': true }),
    });
  noteVersions(engine);
  const tables = written.map(({ table, table: { key, lists }, rows }) => ({
    key,
    ...(versionFields.has(table) && { 'versionBy': versionFields.get(table)! }), // asked right before
    'rows': rows.map(dehydrateRow),
    'lists': collect(lists.values(), (list) => !!list.exists && isWanted(list), dehydrateList),
  }));
  const hasContent = (slot: Slot): boolean =>
    slot.hasResult || slot.error !== undefined || slot.invalidatedAt + slot.staleSince > 0;
  const slots = collect(store.slots.values(), (slot) => hasContent(slot) && isWanted(slot), dehydrateSlot);
  const state = {
    version: STATE_VERSION,
    last: store.timeline.tick(),
    stamps,
    tables: tables.filter((table) => table['rows'].length > 0 || table['lists'].length > 0),
    slots,
  };
  return { ...state, sum: sumOfFrame(state) };
}

/** The fields in which the server counts versions of a table's rows. Keyed by tables, no state. */
export const versionFields: WeakMap<Table, string> = new WeakMap();

/** Notes the fields that the classes name which have been met. */
export function noteVersions({ owned }: Engine): void {
  for (const [{ owner }, table] of owned) {
    const { version } = owner as Partial<EntityHooks>; // cast: a class, or what is no entity
    if (version) versionFields.set(table, version.field);
  }
}

function hasWrites({ rows }: Table): boolean {
  for (const { stamp } of rows.values()) if (stamp.writeSent > 0) return true;
  return false;
}

function dehydrateIdentity({ id, key, ...identity }: ListIdentity): DehydratedList['identity'] {
  return {
    id,
    key: key && [...key],
    'filterNames': identity.filterNames,
    'followsFields': identity.followsFields,
    'isServers': identity.isServers,
    'isKeyed': identity.isKeyed,
  };
}

/** What cannot be written, because it is a Blob or contains itself, is left out: the reader of the state fetches it. */
function collect<From, To>(
  all: Iterable<From>,
  isWanted: (part: From) => boolean,
  write: (part: From) => To,
  lose: (part: From) => void = () => {},
): To[] {
  const written: To[] = [];
  for (const part of all) {
    if (!isWanted(part)) continue;
    try {
      written.push(write(part));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      lose(part);
    }
  }
  return written;
}

export declare namespace dehydrate {
  export type { DehydratedState as State };
}
