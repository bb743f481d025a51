// Merges the fields of a payload into the fields of a row, in the order of the requests. `mergeRow` is a pure function: it returns
// the new fields, the new stamps, and the time at which the row became stale. apply-effects.ts stores them and decides what
// follows.
import { putField } from '../support/plain.ts';
import { isEqual, mergeFields } from './fields.ts';
import type { Fields, RowPolicy, RowState } from './nodes.ts';
import {
  advance,
  hasArrivedSince,
  isAfter,
  isMessage,
  isRead,
  isStale,
  mayReplace,
  mustRemember,
  NO_STAMP,
  raiseFence,
  wasWritten,
} from './order.ts';
import type { Stamp } from './order.ts';

/** The fields of a row with their stamps, before or after a merge. */
export interface RowRecord {
  readonly base: RowState;
  readonly stamp: Stamp;
  readonly fieldStamps: ReadonlyMap<string, Stamp> | null;
  readonly staleSince: number;
  readonly unknownWriteSent: number;
}

/** Merges a payload into the fields of a row. `oldestOpen` is the time at which the oldest request in flight was sent. */
export function mergeRow(
  row: RowRecord,
  incoming: Fields,
  origin: Stamp,
  policy: RowPolicy | undefined,
  oldestOpen: number,
): RowRecord {
  const { base, stamp, fieldStamps, staleSince, unknownWriteSent } = row;
  if (!base)
    return { base: incoming, stamp: advance(stamp, origin), fieldStamps, staleSince, unknownWriteSent };
  const version = policy?.compareVersions(base, incoming);
  if (version! < 0) return keepVersion(row, base, incoming, origin);
  if (policy?.merge) {
    const merged = policy.merge(base, incoming, stamp, origin);
    const next = (merged.isNewer ? advance : raiseFence)(stamp, origin);
    return { base: merged.fields, stamp: next, fieldStamps, staleSince, unknownWriteSent };
  }
  const isLate = !version && !mayReplace(origin, stamp);
  const next = (isLate ? raiseFence : advance)(stamp, origin);
  // Omitted fields keep their own stamps while the row is stale, and while a request that was sent before the row's fence is in
  // flight. In a row with a policy they always keep their stamps, because versions are compared. A row whose last payload was a
  // message is also merged by fields, because each field of the message may contradict this payload.
  const keepsStamps = !!policy || isStale(row) || isMessage(stamp) || mustRemember(next.fence, oldestOpen);
  if (!isLate && !fieldStamps && !keepsStamps)
    return { base: mergeFields(base, incoming), stamp: next, fieldStamps, staleSince, unknownWriteSent };
  const merged = mergeByField(row, base, incoming, origin, version, next);
  return keepsStamps && merged.fieldStamps?.size ? merged : { ...merged, fieldStamps: null };
}

/**
 * Keeps all stored fields, because the payload has a lower version. If the payload contains a field that the stored version
 * omitted, the stored version may have changed this field, so the row is stale.
 */
function keepVersion(row: RowRecord, base: Fields, incoming: Fields, { settled }: Stamp): RowRecord {
  const isOfStoredVersion = (name: string): boolean =>
    Object.hasOwn(base, name) && !row.fieldStamps?.has(name);
  return Object.keys(incoming).every(isOfStoredVersion) ? row : { ...row, staleSince: settled };
}

/**
 * Takes each field of the payload that may replace the stored field. The row gets the stamp `next`. A field that the payload omits
 * keeps its stamp. A field that the payload may not replace keeps its value, and `raiseFence` applies to its stamp.
 */
function mergeByField(
  { stamp, fieldStamps, staleSince, unknownWriteSent }: RowRecord,
  base: Fields,
  incoming: Fields,
  origin: Stamp,
  version: number | undefined,
  next: Stamp,
): RowRecord {
  const stamps = new Map(fieldStamps);
  const taken: Record<string, unknown> = {};
  const isLate = !mayReplace(origin, stamp);
  let isOrderUnknown = false;
  for (const name of Object.keys(incoming)) {
    const ownStamp = stamps.get(name);
    const knownStamp = Object.hasOwn(base, name) ? (ownStamp ?? stamp) : NO_STAMP;
    // A field that has its own stamp was not in the payload that brought the stored version, so another payload of the same version
    // may bring the field.
    const isTaken = mayReplace(origin, knownStamp) || (version === 0 ? !!ownStamp : version! > 0);
    if (isTaken) putField(taken, name, incoming[name]);
    // If the values differ, it is unknown which is newer in two cases: the stored value came with a message while the request was in
    // flight; or it came with a read while a mutation was in flight, and the response to the mutation is too late, because a message or
    // a later mutation was stored before. The server may have handled the mutation after that read.
    const isLateWrite = !isTaken && !isRead(origin);
    isOrderUnknown ||=
      (isMessage(knownStamp) || (isLateWrite && isAfter(knownStamp.sent, knownStamp.writeSent))) &&
      hasArrivedSince(knownStamp, origin.sent) &&
      !isEqual(base[name], incoming[name]);
    // With a higher version, every field of the payload gets the stamp of the row. Otherwise a field with its own stamp does not.
    // A new field gets the stamp of the row only with the stored version and in time: without a version, the stamp of the row may
    // remember writes that did not contain the field.
    const sharesRowStamp =
      version! > 0 || (!ownStamp && (knownStamp === stamp || (version === 0 && !isLate)));
    stamps.set(name, sharesRowStamp ? next : (isTaken ? advance : raiseFence)(knownStamp, origin));
  }
  // The row has a new stamp, so an omitted field that had no stamp of its own keeps the row's former stamp.
  for (const name of Object.keys(base)) if (!stamps.has(name)) stamps.set(name, stamp);
  for (const [name, one] of stamps) if (one === next) stamps.delete(name);
  const merged = mergeFields(base, taken);
  // A read that came too late for the row may have changed some of its fields. If the row ever had a write that was acknowledged or
  // that ended with an unknown result, this write may have changed the same fields since the read was sent.
  const mayBeOld = wasWritten(stamp) || isAfter(unknownWriteSent, 0);
  isOrderUnknown ||= isRead(origin) && isLate && mayBeOld && merged !== base;
  const isUnsure = isOrderUnknown && version === undefined;
  return {
    base: merged,
    stamp: next,
    fieldStamps: stamps,
    staleSince: isUnsure ? origin.settled : staleSince,
    unknownWriteSent,
  };
}
