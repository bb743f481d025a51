// Merges an answer into a row's server truth, field by field in the order of the requests. Pure but for the row's
// stamps; apply-effects.ts decides what follows from a change.
import { mergeFields, ownValue, putField } from './fields.ts';
import type { Fields, Row, RowPolicy, RowState } from './nodes.ts';
import { advance, fenceOff, isOlder, NEVER } from './stamp.ts';
import type { Origin, Stamp } from './stamp.ts';

/** The row's fields with the answer merged in; the row's stamps are updated. */
export function mergeIntoBase(
  row: Row,
  incoming: Fields,
  origin: Origin,
  policy: RowPolicy | null,
  oldestOpen: number,
): Fields {
  const { base, fieldStamps, stamp } = row;
  if (!base) {
    row.stamp = advance(stamp, origin);
    row.fieldStamps = null;
    return incoming;
  }
  if (policy !== null) return mergeByPolicy(row, base, incoming, origin, policy);
  if (fieldStamps === null && !isOlder(origin, stamp)) {
    row.stamp = advance(stamp, origin);
    // fields the answer left out keep their own place on the line, while a request that could tell is in flight
    if (oldestOpen < row.stamp.fence) row.fieldStamps = stampsOfOthers(base, incoming, stamp);
    return mergeFields(base, incoming);
  }
  return mergeByField(row, base, incoming, origin, oldestOpen);
}

function mergeByPolicy(row: Row, base: Fields, incoming: Fields, origin: Origin, policy: RowPolicy): Fields {
  const { fields, isNewer } = policy.merge(base, incoming, row.stamp, origin);
  row.stamp = isNewer ? advance(row.stamp, origin) : fenceOff(row.stamp, origin);
  return fields;
}

function mergeByField(row: Row, base: Fields, incoming: Fields, origin: Origin, oldestOpen: number): Fields {
  const stamps = new Map(row.fieldStamps);
  const winners: Record<string, unknown> = {};
  for (const name of Object.keys(incoming)) {
    const isKnown = Object.hasOwn(base, name);
    const stamp = isKnown ? (stamps.get(name) ?? row.stamp) : NEVER;
    const isLate = isKnown && isOlder(origin, stamp);
    if (!isLate) putField(winners, name, incoming[name]);
    stamps.set(name, isLate ? fenceOff(stamp, origin) : advance(stamp, origin));
  }
  if (isOlder(origin, row.stamp)) row.stamp = fenceOff(row.stamp, origin);
  else {
    // the answer becomes the row's own stamp; every field it did not carry must then have one of its own
    for (const name of Object.keys(base)) if (!stamps.has(name)) stamps.set(name, row.stamp);
    row.stamp = advance(row.stamp, origin);
  }
  row.fieldStamps = oldestOpen < row.stamp.fence ? stamps : null;
  return mergeFields(base, winners);
}

function stampsOfOthers(base: Fields, incoming: Fields, stamp: Stamp): Map<string, Stamp> | null {
  let others: Map<string, Stamp> | null = null;
  for (const name of Object.keys(base)) {
    if (!Object.hasOwn(incoming, name)) (others ??= new Map<string, Stamp>()).set(name, stamp);
  }
  return others;
}

export function fieldOf(state: RowState, name: string): unknown {
  return state ? ownValue(state, name) : undefined;
}
