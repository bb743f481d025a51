// A list's members: pages as segments, each reference once, edits that never reorder. Pure functions over member
// arrays; store.ts and overlay.ts call them and decide what follows.
import { isEqual } from './fields.ts';
import { Row } from './nodes.ts';
import type { List, ListLayer, Place, Segment } from './nodes.ts';
import { NamedMember, rowOf } from './reference.ts';

/** The members with each reference kept where it first stands. Keyed members keep the last value of a name. */
export function withoutRepeats(members: readonly unknown[]): readonly unknown[] {
  if (members[0] instanceof NamedMember) return lastOfEachName(members);
  return isPlainList(members) ? members : firstOfEachRow(members);
}

/**
 * Whether the members are rows to which nothing rare has happened, in the order of their places, as those of a new payload
 * are: then none stands twice, none was deleted, and none stands for another.
 */
export function isPlainList(members: readonly unknown[]): boolean {
  let last = -1;
  for (const member of members) {
    const place = member instanceof Row && member.isPlain ? member.place : -1;
    if (place <= last) return false;
    last = place;
  }
  return true;
}

function firstOfEachRow(members: readonly unknown[]): readonly unknown[] {
  const rows = members.map(rowOf);
  // from the end, so that the first of several has the last word
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at];
    if (row !== undefined) row.place = at;
  }
  const isFirst = (_member: unknown, at: number): boolean => (rows[at]?.place ?? at) === at;
  return members.every(isFirst) ? members : members.filter(isFirst);
}

function lastOfEachName(members: readonly unknown[]): readonly unknown[] {
  const byName = new Map<string, unknown>();
  for (const member of members) byName.set((member as NamedMember).name, member); // cast: a keyed list holds no other
  return byName.size === members.length ? members : [...byName.values()];
}

/** All pages in page order; an item found in an earlier page leaves the later ones. */
export function joinSegments(segments: readonly Segment[]): readonly unknown[] {
  const [first] = segments;
  if (segments.length === 1 && first) return first.members;
  return withoutRepeats(segments.flatMap((segment) => segment.members));
}

/** The segments with one page put in: in the place it has, else in page order. */
export function withSegment(segments: readonly Segment[], page: Segment): readonly Segment[] {
  const at = segments.findIndex((segment) => segment.cursor === page.cursor);
  const before = segments[at];
  if (before) return segments.with(at, { ...page, firstSent: before.firstSent });
  return [...segments, page].toSorted(comparePages);
}

/** The first page leads; numbered pages stand by number, others in the order in which they were asked for. */
function comparePages(left: Segment, right: Segment): number {
  if (left.cursor === null || right.cursor === null) return left.cursor === null ? -1 : 1;
  const byNumber = Number(left.cursor) - Number(right.cursor);
  return Number.isNaN(byNumber) ? left.firstSent - right.firstSent : byNumber;
}

/** Adds what is not there yet; what is there stays where it stands. Keyed members replace their namesake. */
export function withMembers(
  members: readonly unknown[],
  added: readonly unknown[],
  place: Place,
  isHeld: (row: Row) => boolean,
): readonly unknown[] {
  if (added[0] instanceof NamedMember) return lastOfEachName([...members, ...added]);
  const fresh = withoutRepeats(added).filter((member) => {
    const row = rowOf(member);
    return row === undefined ? !members.includes(member) : !isHeld(row);
  });
  if (fresh.length === 0) return members;
  return place === 'end' ? members.concat(fresh) : fresh.concat(members);
}

export function withoutRow(members: readonly unknown[], row: Row): readonly unknown[] {
  return members.some((member) => rowOf(member) === row)
    ? members.filter((member) => rowOf(member) !== row)
    : members;
}

/** What the list shows: base with the pending intents' edits over it, oldest first. */
export function foldList(list: List): readonly unknown[] {
  return (list.layers ?? []).reduce(applyLayer, list.base);
}

function applyLayer(members: readonly unknown[], layer: ListLayer): readonly unknown[] {
  if (layer.op === 'add') {
    return withMembers(members, layer.members, layer.place, (row) =>
      members.some((one) => rowOf(one) === row),
    );
  }
  if (layer.op === 'remove') return withoutRow(members, layer.row);
  return layer.op === 'replace' ? layer.members : withoutRepeats(layer.merge(members));
}

/** `next` with the very objects of `previous` where both mean the same: a reference through a mapping is made anew each time. */
export function keepEqual(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  let kept: unknown[] | undefined;
  const most = Math.min(previous.length, next.length);
  for (let i = 0; i < most; i += 1) {
    if (next[i] !== previous[i] && !(next[i] instanceof Row) && isEqual(next[i], previous[i])) {
      (kept ??= next.slice())[i] = previous[i];
    }
  }
  return kept ?? next;
}

export function isSameMembers(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left === right) return true;
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i += 1)
    if (left[i] !== right[i] && !isEqual(left[i], right[i])) return false;
  return true;
}

/** How many members at the start and at the end are the very same. */
export function commonEnds(
  before: readonly unknown[],
  now: readonly unknown[],
): [head: number, tail: number] {
  const most = Math.min(before.length, now.length);
  let head = 0;
  while (head < most && before[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  return [head, tail];
}
