// Rows' fields: compared before they are copied, so that an identical answer allocates nothing and changes no reference;
// and merged into server truth, field by field in the order of the requests. apply-effects.ts decides what follows.
import { isObject, isPlain, putField } from '../support/plain.ts';
import type { Fields, Row, RowPolicy, RowState } from './nodes.ts';
import { advance, fenceOff, isMessage, isOlder, NEVER } from './stamp.ts';
import type { Origin } from './stamp.ts';
import { Wrapped } from './stored-form.ts';

/** `base` with `incoming` laid over it: `base` itself when nothing differs. */
export function mergeFields(base: Fields, incoming: Fields): Fields {
  // fast: N3, test/property/order. What was found to be said already
  if (incoming === base) return base;
  let merged: Record<string, unknown> | undefined;
  for (const name of Object.keys(incoming)) {
    const value = incoming[name];
    if (Object.hasOwn(base, name) && isEqual(base[name], value)) continue;
    putField((merged ??= { ...base }), name, value);
  }
  return merged ?? base;
}

/** The fields without those of these names. */
export function omit(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

/** The field's value: inherited names such as `constructor` and `__proto__` are not fields. */
export function fieldOf(state: RowState, name: string): unknown {
  if (!state) return undefined;
  const value = state[name];
  const isStale = typeof value === 'function' || name === '__proto__';
  return isStale && !Object.hasOwn(state, name) ? undefined : value;
}

/** Whether there is such a field. Asked of every nested part: nearly always its value tells. */
export function hasField(fields: Fields, name: string): boolean {
  return fieldOf(fields, name) !== undefined || Object.hasOwn(fields, name);
}

/** After so many parts another copy is no worse than more comparing: the values count as different. */
const MOST_STEPS = 1e6;
/** After so many parts the objects are noted that were compared: they may be in a circle, or be shared by many. */
const FREE_STEPS = 1e4;

/** Whether two stored values mean the same. A loop: plain JSON inside a field may be deeper than the call stack. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const stack: unknown[] = [left, right];
  /** What objects were compared with. */
  const met = new Map<object, object>();
  for (let steps = 0; steps < MOST_STEPS && stack.length; steps += 1) {
    const b = stack.pop();
    const a = stack.pop();
    if (a === b || Object.is(a, b)) continue; // NaN too
    if (!isObject(a) || !isObject(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (steps > FREE_STEPS) {
      const known = met.get(a);
      // equal unless a difference is found elsewhere; what stands for two is another copy
      if (known === b) continue;
      if (known) return false;
      met.set(a, b);
    }
    if (Array.isArray(a)) {
      const other = b as unknown[]; // cast: same prototype as an array
      if (a.length !== other.length) return false;
      for (let i = 0; i < a.length; i += 1) if (a[i] !== other[i]) stack.push(a[i], other[i]);
    } else if (a instanceof Wrapped) {
      const other = b as Wrapped; // cast: same prototype
      if (a.mark !== other.mark) return false;
      stack.push(a.inside, other.inside);
    } else if (a instanceof Date) {
      if (+a !== +b) return false;
    } else {
      if (!isPlain(a)) return false;
      const names = Object.keys(a);
      if (names.length !== Object.keys(b).length || !names.every((name) => Object.hasOwn(b, name)))
        return false;
      for (const name of names) stack.push((a as Fields)[name], (b as Fields)[name]); // cast: plain objects
    }
  }
  return stack.length === 0;
}

/**
 * How many fields there are, if every one is there already with the very same value; else -1. Objects count as new: they
 * would have to be compared.
 */
export function countSame(fields: Fields, known: Fields): number {
  let count = 0;
  for (const name in fields) {
    const value = fields[name];
    // each `typeof` compared where it stands: V8 makes no text of it
    if (
      known[name] !== value ||
      value === undefined ||
      typeof value === 'object' ||
      typeof value === 'function'
    )
      return -1;
    count += 1;
  }
  return count;
}

/** How many fields there are, without making a list of them. */
export function countNames(fields: Fields): number {
  let count = 0;
  for (const _name in fields) count += 1;
  return count;
}

/** The row's fields with the answer merged in; the row's stamps are updated. A read that leaves the row in doubt says so there. */
export function mergeIntoBase(
  row: Row,
  incoming: Fields,
  origin: Origin,
  policy: RowPolicy | undefined,
  oldestOpen: number,
): Fields {
  const { base, fieldStamps, stamp } = row;
  const order = base && policy?.byVersion(base, incoming);
  if (base && order! < 0) {
    // a lower version changes nothing; a field that the present version did not carry may have changed since
    const isCarried = (name: string): boolean => Object.hasOwn(base, name) && !fieldStamps?.has(name);
    if (!Object.keys(incoming).every(isCarried)) row.staleSince = origin.settled;
    return base;
  }
  if (base && policy?.merge) {
    const { fields, isNewer } = policy.merge(base, incoming, stamp, origin);
    row.stamp = (isNewer ? advance : fenceOff)(stamp, origin);
    return fields;
  }
  const isLate = !!base && !order && isOlder(origin, stamp);
  row.stamp = (isLate ? fenceOff : advance)(stamp, origin);
  row.fieldStamps = null;
  if (!base) return incoming;
  // fields that the answer left out keep their own place on the line, while a request that could tell is in flight or the row is in
  // doubt, or for good where a version tells
  const needsFieldStamps = !!policy || row.staleSince > 0 || oldestOpen < row.stamp.fence;
  if (order || (!fieldStamps && !isLate)) {
    const others = needsFieldStamps ? Object.keys(base).filter((name) => !Object.hasOwn(incoming, name)) : [];
    if (others.length)
      row.fieldStamps = new Map(others.map((name) => [name, fieldStamps?.get(name) ?? stamp]));
    return mergeFields(base, incoming);
  }
  const stamps = new Map(fieldStamps);
  const winners: Record<string, unknown> = {};
  // a message may be older than a read that was in flight when the message came: where they differ, nobody knows
  let isCrossed = false;
  for (const name of Object.keys(incoming)) {
    const known = Object.hasOwn(base, name) ? (stamps.get(name) ?? stamp) : NEVER;
    // the present version did not carry a field with a place of its own: another statement of that version does
    const isOld = isOlder(origin, known) && !(order === 0 && fieldStamps?.has(name));
    if (!isOld) putField(winners, name, incoming[name]);
    else isCrossed ||= isMessage(known) && !isEqual(base[name], incoming[name]);
    stamps.set(name, (isOld ? fenceOff : advance)(known, origin));
  }
  // the row's stamp is another now: every field that the answer did not carry keeps the one it had
  for (const name of Object.keys(base)) if (!stamps.has(name)) stamps.set(name, stamp);
  for (const [name, one] of stamps) if (one === row.stamp) stamps.delete(name);
  if (needsFieldStamps && stamps.size) row.fieldStamps = stamps;
  const fields = mergeFields(base, winners);
  // what the read has filled in may have been changed by a write that was acknowledged since the read was sent
  isCrossed ||= isLate && stamp.writeSent > 0 && fields !== base;
  if (isCrossed && origin.isRead && order === undefined) row.staleSince = origin.settled;
  return fields;
}
