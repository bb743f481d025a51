// Writes to a list's server truth: a read replaces a page, minus what was deleted and plus what was created or moved
// since it was asked for; an add never reorders; rows know the lists that hold them. Called by apply-effects.ts.
import type { ListWrite } from './effects.ts';
import {
  commonEnds,
  foldList,
  isPlainList,
  isSameMembers,
  joinSegments,
  keepEqual,
  withMembers,
  withoutRepeats,
  withoutRow,
  withSegment,
} from './list-members.ts';
import { hasMovedOn, judge, judgeByFields } from './membership.ts';
import type { Verdict } from './membership.ts';
import type { JournalEntry, List, Place, Row, Segment } from './nodes.ts';
import { orElse } from './prepare-effects.ts';
import { rowOf } from './reference.ts';
import { hasItem, withItem, withoutItem } from './small-set.ts';
import { advance, fenceOff, isOlder } from './stamp.ts';
import type { Origin } from './stamp.ts';
import type { Store } from './store.ts';

/** `merged` is what the list's own merge made of the members that it had then. */
export function writeList(
  store: Store,
  write: ListWrite,
  origin: Origin,
  merged?: { readonly from: readonly unknown[]; readonly members: readonly unknown[] },
): void {
  const { list, policy } = write;
  const cursor = write.cursor ?? null;
  const present = list.segments.find((segment) => segment.cursor === cursor);
  const isLate = present !== undefined && isOlder(origin, present.stamp);
  const isPlain = !policy && isPlainList(write.members);
  let members = isPlain ? write.members : withoutRepeats(write.members);
  if (present && policy) {
    const incoming = members;
    const kept =
      merged?.from === present.members
        ? merged.members
        : orElse(
            () => policy.merge(present.members, incoming, present.stamp, origin),
            () => merged?.members ?? incoming,
          );
    members = withoutRepeats(kept);
  } else if (isLate) members = present.members;
  if (!isLate) {
    store.trust(list, origin.sent);
    list.isByServer = write.isByServer ?? list.isByServer;
    if (!isPlain) members = withoutBuried(members, origin);
    members = withJournal(store, list, members, origin, write.cursor !== undefined);
  }
  const stamp = !present ? origin.stamp : (isLate ? fenceOff : advance)(present.stamp, origin);
  const page: Segment = {
    cursor,
    firstSent: origin.sent,
    stamp,
    members: present ? keepEqual(present.members, members) : members,
  };
  const follows = ({ cursor: at, stamp: { fence } }: Segment): boolean =>
    at === null || fence >= list.brokenAt;
  const kept = present || cursor === null ? list.segments : list.segments.filter(follows);
  setSegments(store, list, withSegment(kept, page));
  store.establish(list);
  // an empty page changes no members, but the list is now known
  if (!present) store.mark(list);
}

function withoutBuried(members: readonly unknown[], origin: Origin): readonly unknown[] {
  for (const member of members) {
    if (isBuried(member, origin)) return members.filter((one) => !isBuried(one, origin));
  }
  return members;
}

function isBuried(member: unknown, origin: Origin): boolean {
  const row = rowOf(member);
  return row !== undefined && row.base === null && origin.sent < row.deletedAt;
}

/** What was created or moved since the list was asked for: the answer cannot know of it. */
function withJournal(
  store: Store,
  list: List,
  members: readonly unknown[],
  origin: Origin,
  isPage: boolean,
): readonly unknown[] {
  let result = members;
  for (const { fence, row, before, said, creation } of list.table.journal) {
    if (fence <= origin.sent || !row.base) continue;
    const verdict = creation
      ? orElse(
          () => judgeCreation(list, row, creation),
          () => 'none',
        )
      : said !== null
        ? judgeByFields(list, row.base, said)
        : judge(list, before, row.base);
    if (verdict === 'none') continue;
    const isHeld = result.some((member) => rowOf(member) === row);
    // what a write said of a row that is in doubt since is no certainty for the list either
    if (said !== null && row.staleSince > 0 && isHeld !== (verdict === 'enter')) store.doubt(list, fence);
    if (verdict === 'leave') result = withoutRow(result, row);
    else if (verdict === 'doubt') {
      if (isHeld) store.doubt(list, fence);
    } else if (!isHeld && !isPage) {
      const member = creation?.member ?? row;
      const merge = creation?.merge;
      const present = result;
      if (merge)
        result = orElse(
          () => withoutRepeats(merge(present, [member])),
          () => present,
        );
      else result = creation?.place === 'start' ? [member, ...result] : [...result, member];
      // only the server knows where it belongs
      if (!creation && list.identity.hasOrder) store.doubt(list, fence);
    }
  }
  return result;
}

function judgeCreation(list: List, row: Row, creation: NonNullable<JournalEntry['creation']>): Verdict {
  if (creation.leaves?.(list, row)) return 'leave';
  return creation.matches(list) && !hasMovedOn(list, row, creation.sent) ? 'enter' : 'none';
}

/** Lets a user's own merge put members in. What it gives is the first page; later pages keep what it kept. */
export function mergeIntoList(
  store: Store,
  list: List,
  merge: (present: readonly unknown[]) => readonly unknown[],
): void {
  const merged = withoutRepeats(merge(list.base));
  const kept = new Set(merged.map((member) => rowOf(member) ?? member));
  const segments = list.segments.map((segment, at) => ({
    ...segment,
    members: at === 0 ? merged : segment.members.filter((member) => kept.has(rowOf(member) ?? member)),
  }));
  setSegments(store, list, segments);
}

/** Puts members into the last page, or in front of the first; those already in the list stay where they stand. */
export function addToList(store: Store, list: List, added: readonly unknown[], place: Place): void {
  const at = place === 'end' ? list.segments.length - 1 : 0;
  const segment = list.segments[at];
  if (!segment) return;
  const members = withMembers(segment.members, added, place, (row) => hasItem(row.holders, list));
  if (members === segment.members) return;
  if (list.identity.isKeyed) {
    setSegments(store, list, list.segments.with(at, { ...segment, members }));
    return;
  }
  list.segments = list.segments.with(at, { ...segment, members });
  list.base = joinSegments(list.segments);
  for (const member of added) hold(store, list, member);
  showBase(store, list);
}

/** The row stands where a draft of it stood, and once. */
export function holdInstead(store: Store, list: List, row: Row): void {
  row.holders = withItem(row.holders, list);
  const segments = list.segments.map((page) => ({ ...page, members: withoutRepeats(page.members) }));
  setSegments(store, list, segments);
}

export function removeFromList(store: Store, list: List, row: Row): void {
  list.segments = list.segments.map((segment) => {
    const members = withoutRow(segment.members, row);
    return members === segment.members ? segment : { ...segment, members };
  });
  list.base = joinSegments(list.segments);
  row.holders = withoutItem(row.holders, list);
  if (row.layers !== null) layAgain(store, row);
  showBase(store, list);
}

function setSegments(store: Store, list: List, segments: readonly Segment[]): void {
  const before = list.base;
  list.segments = segments;
  const base = joinSegments(segments);
  if (isSameMembers(before, base)) return;
  list.base = base;
  // rows at both ends that stood there before know their list, unless a pending guess must look again
  const [head, tail] = store.intents.length > 0 ? [0, 0] : commonEnds(before, base);
  for (let at = head; at < base.length - tail; at += 1) hold(store, list, base[at]);
  const left = new Set<Row>();
  for (let at = head; at < before.length - tail; at += 1) {
    const row = rowOf(before[at]);
    if (row !== undefined) left.add(row);
  }
  // anywhere: a keyed list may hold a row under a second name, at one of the ends too
  for (let at = 0; left.size > 0 && at < base.length; at += 1) {
    const row = rowOf(base[at]);
    if (row !== undefined) left.delete(row);
  }
  for (const row of left) {
    row.holders = withoutItem(row.holders, list);
    if (row.layers !== null) layAgain(store, row);
  }
  showBase(store, list);
}

function hold(store: Store, list: List, member: unknown): void {
  const row = rowOf(member);
  if (row === undefined) return;
  row.holders = withItem(row.holders, list);
  if (row.layers !== null) layAgain(store, row);
}

/** A pending guess may move the row: where it stands in lists has changed below the guess, so that is laid over it anew. */
function layAgain(store: Store, row: Row): void {
  const [first] = row.layers ?? [];
  if (first) store.layAnew(first.intent);
}

function showBase(store: Store, list: List): void {
  store.moveGround(list);
  store.showList(list, list.layers === null ? list.base : foldList(list));
}

/** Forgets creations and moves that every request in flight was sent after. */
export function pruneJournals(store: Store): void {
  const oldestOpen = store.timeline.oldestOpen();
  for (const [row, sent] of store.unknownWrites) if (sent < oldestOpen) store.unknownWrites.delete(row);
  for (const table of store.tables.values()) {
    if (table.journal.length > 0) table.journal = table.journal.filter((entry) => entry.fence > oldestOpen);
  }
}
