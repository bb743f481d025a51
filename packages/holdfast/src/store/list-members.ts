// A list's members: pages as segments, each reference once, edits that never reorder. Pure functions over member
// arrays; server-lists.ts, overlay.ts and place-rows.ts call them and decide what follows.
import { Row } from './nodes.ts';
import type { RowChange, List, Place, Segment } from './nodes.ts';
import { NamedMember, nameIn, rowOf } from './stored-form.ts';

export type Members = readonly unknown[];

/** The row that a member stands for, else the member. */
export function itemOf(member: unknown): unknown {
  return rowOf(member) ?? member;
}

/** Whether a member can stand in the list: in a map it has a name, and a row of another table, in a list over several types, a tag. */
export function isFitFor({ table, identity: { isKeyed } }: List, member: unknown): boolean {
  return member instanceof NamedMember === isKeyed && !(member instanceof Row && member.table !== table);
}

/** A row as it would stand in the list: as it was created there, or by itself. */
export function memberIn(list: List, row: Row, { table, member }: RowChange): unknown {
  const isBare = list.table === row.table && !list.identity.isKeyed;
  return !isBare && list.table === table ? member : row;
}

/** Each reference where it first stands. Of keyed members the last value of a name counts. */
export function withoutRepeats(members: Members): Members {
  if (isPlainList(members)) return members;
  const kept = new Map<unknown, unknown>();
  for (const [at, member] of members.entries()) {
    const name = nameIn(member);
    const key = name ?? rowOf(member) ?? at;
    if (name !== undefined || !kept.has(key)) kept.set(key, member);
  }
  return kept.size === members.length ? members : [...kept.values()];
}

/**
 * Whether the members are rows to which nothing rare has happened, in the order of their places, as those of a new payload
 * are: then none stands twice, none was deleted, and none stands for another.
 */
export function isPlainList(members: Members): boolean {
  let last = -1;
  for (const member of members) {
    const place = member instanceof Row && member.isPlain ? member.place : -1;
    if (place <= last) return false;
    last = place;
  }
  return true;
}

/** All pages in page order; an item found in an earlier page leaves the later ones. */
export function joinSegments(segments: readonly Segment[]): Members {
  const [first] = segments;
  if (segments.length === 1 && first) return first.members;
  return withoutRepeats(segments.flatMap((segment) => segment.members));
}

export function pageOf(list: List, cursor: string | null): Segment | undefined {
  return list.segments.find((segment) => segment.cursor === cursor);
}

/** The first page leads; numbered pages stand by number, others in the order in which they were asked for. */
export function placeOf(cursor: string | null, sent: number): number {
  const place = cursor === null ? -Infinity : Number(cursor || NaN);
  return Number.isNaN(place) ? sent : place;
}

/** Adds what is not there yet; what is there stays where it stands. Keyed members replace their namesake. */
export function withMembers(
  members: Members,
  added: Members,
  place: Place | undefined,
  isHeld: (row: Row) => boolean,
): Members {
  if (added[0] instanceof NamedMember) return withoutRepeats([...members, ...added]);
  const fresh = withoutRepeats(added).filter((member) => {
    const row = rowOf(member);
    return row ? !isHeld(row) : !members.includes(member);
  });
  return place === 'start' ? fresh.concat(members) : members.concat(fresh);
}

/** Whether the row is among the members; in a map, under the name that `as` has. */
export function holds(members: Members, row: Row, as?: unknown): boolean {
  return members.some((member) => rowOf(member) === row && (nameIn(as) ?? nameIn(member)) === nameIn(member));
}

/** The members themselves when none is to go. */
export function without(members: Members, isGone: (row: Row) => boolean): Members {
  const kept = members.filter((member) => {
    const row = rowOf(member);
    return !row || !isGone(row);
  });
  return kept.length === members.length ? members : kept;
}

/** How many members at the start and at the end are the very same. */
export function commonEnds(before: Members, now: Members): [head: number, tail: number] {
  const most = Math.min(before.length, now.length);
  let head = 0;
  // fast: C1. Where V8 has met other types, `===` is a call for each item, and `Object.is` only for those that differ
  while (head < most && Object.is(before[head], now[head])) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  return [head, tail];
}

/** The members that came and the rows that left, found between the ends that both have. */
export function difference(
  before: Members,
  now: Members,
): readonly [came: Members, left: Iterable<Row | undefined>] {
  const [head, tail] = commonEnds(before, now);
  const left = new Set(before.slice(head, before.length - tail).map(rowOf));
  // all members: a keyed list may hold a row under a second name, at one of the ends too
  for (const member of now) left.delete(rowOf(member));
  return [now.slice(head, now.length - tail), left];
}
