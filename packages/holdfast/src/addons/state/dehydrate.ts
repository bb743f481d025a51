// Saves the state of a controller as plain data, for the HTML of a page, a worker or a storage. Only base is saved, without pending
// mutations. Each stamp is stored once, in an array, because the rows of a response usually share one stamp. A property name that
// the build would shorten is quoted in this file, because the build does not shorten strings.
import type { Controller } from '../../controller/controller.ts';
import { CORE } from '../../controller/state/core.ts';
import type { Fields, ListIdentity, ListRule, List, Row, Segment, Table } from '../../store/nodes.ts';
import type { Slot } from '../../store/slot.ts';
import { rowOf } from '../../store/stored-form.ts';
import { ensure } from '../../support/ensure.ts';
import { someLeaf } from '../../support/plain.ts';
import type { EntityConstructor } from '../../schema/entity/entity-constructor.ts';
import { isAfter, isStale, wasWritten } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import type { Engine } from '../../normalize/engine.ts';
import { RESPONSES_PLACE, listsPlaceOf, rowsPlaceOf, checksumOfState, checksumOfPart } from './sums.ts';
import { encode } from './stored-json.ts';

/** The version of the format below. It increases with every incompatible change. `hydrate` ignores states of another version. */
export const STATE_VERSION = 3;

interface WithChecksum {
  /** The checksum, by which `hydrate` recognises a damaged part: see sums.ts. */
  readonly sum: string;
}

export interface DehydratedRow extends WithChecksum {
  readonly pk: string;
  /** The fields of the row; null for a deleted row. */
  readonly 'fields': unknown;
  readonly 'stamp': number;
  readonly 'deletedAt'?: number;
  readonly 'localId'?: string;
  readonly 'isStale'?: boolean;
  /**
   * The further fields that the row's responses declare and have left out. Present only if the responses declare only some fields
   * of the row.
   */
  readonly 'lacks'?: readonly string[];
}

export interface DehydratedList extends WithChecksum {
  readonly 'identity': {
    readonly id: string;
    readonly key: readonly (readonly [string, string])[] | null;
    readonly 'filterNames': readonly string[];
    readonly 'followsFields': boolean;
    readonly 'isServers': boolean;
    readonly 'isKeyed': boolean;
    /**
     * The rules of the list that follow from the roles of its arguments, without functions. If `hasFit` is true, a function decides
     * which rows belong to the list, so nothing is known about this until the Collection is used.
     */
    readonly 'rule'?:
      | undefined
      | { readonly 'limit'?: number; readonly 'order': string; readonly 'hasFit': boolean };
  };
  readonly 'segments': readonly {
    readonly 'cursor': Segment['cursor'];
    readonly 'stamp': number;
    readonly 'members': unknown;
  }[];
  readonly 'isStale'?: boolean;
  /** True when only the server decides which rows belong to the list: see `List.hasServerMembership`. */
  readonly 'isByServer'?: boolean;
  readonly 'unloaded'?: List['unloadedEnds'];
  /** How many rows the server has for the list besides the loaded rows. */
  readonly 'restCount'?: number;
}

export interface DehydratedSlot extends WithChecksum {
  readonly key: string;
  /** The key patterns of the endpoints that requested the slot, by which `invalidateAll` and `expireAll` find it. */
  readonly 'keyPatterns'?: readonly string[];
  /** The stored form of the response; absent when the slot has only an error, or is only marked invalid or stale. */
  readonly 'stored'?: unknown;
  readonly 'stamp': number;
  readonly error?: unknown;
  readonly 'errorStamp'?: number;
  readonly 'isInvalidated'?: boolean;
  readonly 'isStale'?: boolean;
}

/**
 * A saved state. JSON and structured clone do not change it. Its format is internal and may change with the library's version.
 *
 * @example
 * const state: dehydrate.State = dehydrate(new Controller());
 * localStorage.setItem('state', JSON.stringify(state));
 */
export interface DehydratedState extends WithChecksum {
  readonly version: number;
  /** The time of the save. After the controller has applied the state, its timeline has only later times. */
  readonly last: number;
  readonly stamps: readonly unknown[];
  readonly tables: readonly unknown[];
  readonly slots: readonly unknown[];
}

/** A saved state, with the types of its parts. */
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
  /** Whether to save a row, list or slot. Default: all are saved. */
  readonly isWanted?: (part: Row | List | Slot) => boolean;
  /** Replaces an error before it is saved, to hide its details. Default: the error itself. */
  readonly redact?: (error: Error) => Error;
}

/**
 * Saves the state of a controller as plain data, which JSON, structured clone and storages do not change. Pending mutations are not
 * saved.
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
      const { sent, settled, expiresAt } = stamp;
      return stamps.push(encode({ fetchedAt: sent, date: settled, expiresAt })) - 1;
    });
  const withChecksum = <P extends object>(place: string, part: P): P & WithChecksum => ({
    ...part,
    sum: checksumOfPart(place, part as Readonly<Record<string, unknown>>, stamps), // cast: the checksum reads properties by their names
  });
  /**
   * The local id of each row that has one. Besides the row's own `localId`, `rowsByLocalId` has the local ids of drafts that were
   * merged into a row that was stored already.
   */
  const localIds = new Map<Row, string>();
  for (const { rowsByLocalId, rows } of store.tables.values()) {
    for (const [id, row] of rowsByLocalId) localIds.set(row, id);
    for (const row of rows.values()) if (row.localId !== null) localIds.set(row, row.localId);
  }
  /** The rows that cannot be encoded. */
  const lost = new Set<Row | undefined>();
  const written = [...store.tables.values()].map((table) => ({
    table,
    rows: encodeParts(
      table.rows.values(),
      (row) => row.base !== undefined && isWanted(row),
      (row) => ({ row, encoded: row.base === null ? null : encode(row.base) }),
      (row) => lost.add(row),
    ),
  }));
  /** Whether a stored form refers to a row in `lost`. The row, list or slot with that form is then saved as stale. */
  const refersToLost = (stored: unknown): boolean =>
    lost.size > 0 && someLeaf(stored, (leaf) => lost.has(rowOf(leaf)));
  const dehydrateRow = ({ row, encoded: fields }: { row: Row; encoded: unknown }): DehydratedRow =>
    withChecksum(rowsPlaceOf(row.table.key), {
      pk: row.pk,
      'fields': fields,
      'stamp': stampOf(row.stamp),
      ...(isAfter(row.deletedAt, 0) && { 'deletedAt': row.deletedAt }),
      ...(localIds.has(row) && { 'localId': localIds.get(row)! }), // checked right before
      ...((isStale(row) || refersToLost(row.base)) && { 'isStale': true }),
      ...(row.base && row.coverage?.names && { 'lacks': namesWithout(row.coverage.names, row.base) }),
    });
  const changed = new Set([...store.tables.values()].filter(hasWrites));
  /**
   * Whether the list's `restCount` may be wrong. Until a total of the list is read (`isRestUnread`), writes do not update a `restCount`
   * that came with a saved state. So this number may be wrong if rows of the list's types have been written in this process.
   */
  const isMiscounted = ({ isRestUnread, table }: List): boolean =>
    isRestUnread === true && [...table.rowTables].some((part) => changed.has(part));
  const dehydrateList = (list: List): DehydratedList =>
    withChecksum(listsPlaceOf(list.table.key), {
      'identity': dehydrateIdentity(list.identity),
      'segments': list.segments.map(({ cursor, stamp, members }) => ({
        'cursor': cursor,
        'stamp': stampOf(stamp),
        'members': encode(members),
      })),
      ...((isStale(list) || refersToLost(list.base) || isMiscounted(list)) && { 'isStale': true }),
      ...(list.unloadedEnds !== undefined && { 'unloaded': list.unloadedEnds }),
      ...(list.restCount !== undefined && { 'restCount': list.restCount }),
      ...(list.hasServerMembership && { 'isByServer': true }),
    });
  const dehydrateSlot = (slot: Slot): DehydratedSlot =>
    withChecksum(RESPONSES_PLACE, {
      key: slot.key,
      ...(slot.keyPatterns.length > 0 && { 'keyPatterns': slot.keyPatterns }),
      ...(slot.hasResult && { 'stored': encode(slot.stored) }),
      'stamp': stampOf(slot.stamp),
      ...(slot.error !== undefined && {
        error: encode(redact(slot.error)),
        'errorStamp': stampOf(slot.errorStamp),
      }),
      ...(isAfter(slot.invalidatedAt, 0) && { 'isInvalidated': true }),
      ...((isStale(slot) || refersToLost(slot.stored)) && { 'isStale': true }),
    });
  noteVersions(engine);
  const tables = written.map(({ table, table: { key, lists }, rows }) => ({
    key,
    ...(versionFields.has(table) && { 'versionBy': versionFields.get(table)! }), // checked right before
    'rows': rows.map(dehydrateRow),
    'lists': encodeParts(lists.values(), (list) => !!list.exists && isWanted(list), dehydrateList),
  }));
  const hasContent = (slot: Slot): boolean =>
    slot.hasResult || slot.error !== undefined || isAfter(slot.invalidatedAt, 0) || isStale(slot);
  const slots = encodeParts(
    store.slots.values(),
    (slot) => hasContent(slot) && isWanted(slot),
    dehydrateSlot,
  );
  const state = {
    version: STATE_VERSION,
    last: store.timeline.tick(),
    stamps,
    tables: tables.filter((table) => table['rows'].length > 0 || table['lists'].length > 0),
    slots,
  };
  return { ...state, sum: checksumOfState(state) };
}

function namesWithout(names: ReadonlySet<string>, fields: Fields): readonly string[] {
  return [...names].filter((name) => !Object.hasOwn(fields, name));
}

/**
 * For each table, the field in which the server counts versions of the table's rows. The keys are tables, so that two stores share
 * no entry.
 */
export const versionFields: WeakMap<Table, string> = new WeakMap();

/** Records the version fields of all entity classes that were read or written so far. */
export function noteVersions({ tablesByOwner }: Engine): void {
  for (const [{ owner }, table] of tablesByOwner) {
    const { version } = owner as Partial<EntityConstructor>; // cast: the owner of a table is an entity class
    if (version) versionFields.set(table, version.field);
  }
}

function hasWrites({ rows }: Table): boolean {
  for (const { stamp } of rows.values()) if (wasWritten(stamp)) return true;
  return false;
}

function dehydrateIdentity({ id, key, ...identity }: ListIdentity): DehydratedList['identity'] {
  return {
    id,
    key: key && [...key],
    'filterNames': identity.filterNames,
    'followsFields': identity.followsFields,
    'isServers': identity.declaresServerMembership,
    'isKeyed': identity.isKeyed,
    ...(identity.order !== undefined && { 'rule': dehydrateRule(identity) }),
  };
}

function dehydrateRule({ testFit, limit, order }: ListRule): DehydratedList['identity']['rule'] {
  return { ...(limit! < Infinity && { 'limit': limit! }), 'order': order ?? '', 'hasFit': !!testFit };
}

/** Encodes the wanted parts. Parts that cannot be encoded (a Blob, data that contains itself) are omitted. */
function encodeParts<From, To>(
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
