// Merges the fields of a row from a saved state with the stored fields of the row. A state counts as a read that was sent before
// all reads and writes of this engine. Of two states, the state with the later data replaces the other. If the class has a version
// field, the version overrides both rules.
import { createVersionComparator } from '../../schema/entity/versions.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import type { Fields, List, Row } from '../../store/nodes.ts';
import { placeRow } from '../../store/place-rows.ts';
import { ServerLists } from '../../store/server-lists.ts';
import { advance, isAfter, mayRestore, isMessage, stampOfRead, wasWritten } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import type { Store } from '../../store/store.ts';
import { versionFields } from './dehydrate.ts';
import type { Engine } from '../../normalize/engine.ts';

/** Marks the row or list stale. Only responses to requests that are sent from now on remove the mark. */
export function markStaleNow(store: Store, node: Row | List): void {
  store.markStale(node, store.timeline.tick());
}

export function setSavedBase(store: Store, row: Row, fields: Row['base']): void {
  if (row.base === fields) return;
  row.base = fields;
  store.show(row);
  store.reapplyLayersOf(row);
}

/**
 * Merges saved fields into the row. When the versions differ, they decide for all fields. Otherwise a saved field is taken if the
 * row lacks the field, has it from an older state or, at equal versions, did not get it with this version.
 */
export function mergeSaved(engine: Engine, row: Row, fields: Fields, stamp: Stamp): void {
  const { store } = engine;
  const { base, fieldStamps, stamp: present } = row;
  if (!base) {
    row.stamp = advance(present, stamp);
    row.fieldStamps = null;
    return setSavedBase(store, row, fields);
  }
  const field = versionFields.get(row.table);
  const order =
    field === undefined ? undefined : createVersionComparator(field)(base, fields, row.table.key, engine);
  /** Whether the field came with the payload that set the row's stamp; other fields have their own stamps in `fieldStamps`. */
  const isCarried = (name: string): boolean => Object.hasOwn(base, name) && !fieldStamps?.has(name);
  const isTaken = (name: string): boolean => {
    if (order) return order > 0;
    // Two payloads of one version may contain different fields: a field is taken if it did not come to the row with this version.
    if (!Object.hasOwn(base, name) || (order === 0 && !isCarried(name))) return true;
    return mayRestore(stamp, fieldStamps?.get(name) ?? present);
  };
  const isUncarried = order! < 0 && !Object.keys(fields).every(isCarried);
  // The data of a message may be older than the state: the row is stale if the values differ.
  const isDisputed = (name: string): boolean =>
    isMessage(fieldStamps?.get(name) ?? present) &&
    Object.hasOwn(base, name) &&
    !isEqual(base[name], fields[name]);
  if (isUncarried || (order === undefined && Object.keys(fields).some(isDisputed))) markStaleNow(store, row);
  const taken = Object.fromEntries(Object.entries(fields).filter(([name]) => isTaken(name)));
  if (Object.keys(taken).length === 0) return;
  // A write of this engine counts as later than the state, even if its result is unknown. The write may have changed a field that
  // only the state has: the row is then stale.
  const fillsIn = Object.keys(taken).some((name) => !Object.hasOwn(base, name));
  const isWritten = wasWritten(present) || isAfter(row.unknownWriteSent, 0);
  if (fillsIn && isWritten && !(order! > 0)) markStaleNow(store, row);
  const others = Object.keys(base).filter((name) => !Object.hasOwn(taken, name));
  const isLater = order! > 0 || mayRestore(stamp, present);
  const stamps = new Map(fieldStamps);
  for (const name of isLater ? others : []) stamps.set(name, fieldStamps?.get(name) ?? present);
  for (const name of Object.keys(taken)) {
    if (isLater) stamps.delete(name);
    else stamps.set(name, stamp);
  }
  row.fieldStamps = stamps.size > 0 ? stamps : null;
  const next = isLater ? advance(present, stamp) : present;
  // The row expires when the first of its fields expires.
  const expiresAt = Math.min(stamp.expiresAt, others.length > 0 ? present.expiresAt : Infinity);
  row.stamp = expiresAt < next.expiresAt ? { ...next, expiresAt } : next;
  const merged = mergeFields(base, taken);
  setSavedBase(store, row, merged);
  if (!isLater || merged === base) return;
  const now = store.timeline.tick();
  placeRow(new ServerLists(store, stampOfRead({ sent: now, settled: now, expiresAt: 0, storedAt: 0 })), row, {
    before: base,
    after: merged,
  });
}
