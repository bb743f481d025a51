// The fields that a saved state brings of one row, against what is known of the row here. A state counts as a read that was sent before
// anything that this engine did; states among each other stand in the order of the times of their data; versions stand above both.
import { compareVersions } from '../../schema/entity/versions.ts';
import { isEqual, mergeFields } from '../../store/fields.ts';
import type { Fields, List, Row } from '../../store/nodes.ts';
import { placeRow } from '../../store/place-rows.ts';
import { ServerLists } from '../../store/server-lists.ts';
import { advance, isMessage, readOrigin } from '../../store/stamp.ts';
import type { Stamp } from '../../store/stamp.ts';
import type { Store } from '../../store/store.ts';
import { versionFields } from './dehydrate.ts';
import type { Engine } from '../../normalize/engine.ts';

/** Where the data of a state comes from. */
const BEFORE_ALL = { isRead: true, sent: 0, settled: 0 } as const;

/** Whether nothing but a state brought what is here, and none whose data is later. */
export function isOpenTo(incoming: Stamp, present: Stamp): boolean {
  return present.fence === 0 && present.writeSent === 0 && incoming.date >= present.date;
}

/** The row or the list is stale until a read that is sent from now on. */
export function markStaleNow(store: Store, node: Row | List): void {
  store.markStale(node, store.timeline.tick());
}

export function showSaved(store: Store, row: Row, fields: Row['base']): void {
  if (row.base === fields) return;
  row.base = fields;
  store.show(row);
  store.reapplyLayersOf(row);
}

/** Takes the fields that are newer than the row's own: by version, else those that nothing but an older state brought. */
export function mergeSaved(engine: Engine, row: Row, fields: Fields, stamp: Stamp): void {
  const { store } = engine;
  const { base, fieldStamps, stamp: present } = row;
  if (!base) {
    row.stamp = advance(present, { ...BEFORE_ALL, stamp });
    row.fieldStamps = null;
    return showSaved(store, row, fields);
  }
  const field = versionFields.get(row.table);
  const order = field === undefined ? undefined : compareVersions(field)(base, fields, row.table.key, engine);
  /** Whether the statement that the row's stamp is of has the field too. */
  const isCarried = (name: string): boolean => Object.hasOwn(base, name) && !fieldStamps?.has(name);
  const isOpen = (name: string): boolean => {
    if (order) return order > 0;
    // a second payload of the same version may carry a field that the first payload left out
    if (!Object.hasOwn(base, name) || (order === 0 && !isCarried(name))) return true;
    return isOpenTo(stamp, fieldStamps?.get(name) ?? present);
  };
  const isUncarried = order! < 0 && !Object.keys(fields).every(isCarried);
  // a message may be older than the state
  const isDisputed = (name: string): boolean =>
    isMessage(fieldStamps?.get(name) ?? present) &&
    Object.hasOwn(base, name) &&
    !isEqual(base[name], fields[name]);
  if (isUncarried || (order === undefined && Object.keys(fields).some(isDisputed))) markStaleNow(store, row);
  const taken = Object.fromEntries(Object.entries(fields).filter(([name]) => isOpen(name)));
  if (Object.keys(taken).length === 0) return;
  // the row was written after the state was saved: a field that only the state has may have changed with that write
  const fillsIn = Object.keys(taken).some((name) => !Object.hasOwn(base, name));
  if (fillsIn && present.writeSent > 0 && !(order! > 0)) markStaleNow(store, row);
  const others = Object.keys(base).filter((name) => !Object.hasOwn(taken, name));
  const isLater = order! > 0 || isOpenTo(stamp, present);
  const stamps = new Map(fieldStamps);
  for (const name of isLater ? others : []) stamps.set(name, fieldStamps?.get(name) ?? present);
  for (const name of Object.keys(taken)) {
    if (isLater) stamps.delete(name);
    else stamps.set(name, stamp);
  }
  row.fieldStamps = stamps.size > 0 ? stamps : null;
  const next = isLater ? advance(present, { ...BEFORE_ALL, stamp }) : present;
  // a row is as old as the oldest of its fields
  const expiresAt = Math.min(stamp.expiresAt, others.length > 0 ? present.expiresAt : Infinity);
  row.stamp = expiresAt < next.expiresAt ? { ...next, expiresAt } : next;
  const merged = mergeFields(base, taken);
  showSaved(store, row, merged);
  if (!isLater || merged === base) return;
  const now = store.timeline.tick();
  placeRow(new ServerLists(store, readOrigin(now, now, 0, 0)), row, merged, { before: base });
}
