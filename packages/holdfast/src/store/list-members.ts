// Pure functions over the members of a list: they join pages, add and remove members, and leave out repetitions.
import { Row } from './nodes.ts';
import type { List, Place, RowEvent, Segment } from './nodes.ts';
import { NamedMember, nameOfMember, rowOf } from './stored-form.ts';

export type Members = readonly unknown[];

/** The row that a member refers to; the member itself if it refers to no row. */
export function subjectOf(member: unknown): unknown {
  return rowOf(member) ?? member;
}

/**
 * Whether `count` members, by default those of the list, reach its limit. Only the server then knows which row takes a free place,
 * or is pushed out. A page, and a list with an unknown limit, has the limit 0, so it is always full. With the `count` 0, no other
 * list is full.
 */
export function isFull({ base, identity }: List, count: number = base.length): boolean {
  return count >= identity.limit!; // false for undefined
}

/**
 * Whether the list can contain the member. A member of a map must have a name, and a member of an array must have none. In a list
 * over several types, a row must have a tag, because the row belongs to another table than the list.
 */
export function canContain({ table, identity: { isKeyed } }: List, member: unknown): boolean {
  return member instanceof NamedMember === isKeyed && !(member instanceof Row && member.table !== table);
}

/**
 * The member that refers to the row in the list. In an array over one type it is the row itself. In a map, and in a list over several
 * types, it is the event's `member` if the event's `table` is that of the list; else the row.
 */
export function memberFor(list: List, row: Row, { table, member }: Omit<RowEvent, 'after'>): unknown {
  const isBare = list.table === row.table && !list.identity.isKeyed;
  return !isBare && list.table === table ? member : row;
}

/**
 * The members without repetitions. If several members of an array have the same row, or several members of a map the same name, the
 * last of them is kept, at the position of the first of them.
 */
export function withoutRepeats(members: Members): Members {
  if (areUntouchedInOrder(members)) return members;
  const kept = new Map<unknown, unknown>();
  for (const [at, member] of members.entries()) kept.set(nameOfMember(member) ?? rowOf(member) ?? at, member);
  return kept.size === members.length ? members : [...kept.values()];
}

/**
 * Whether all members are rows with `isUntouched`, in ascending order of `payloadIndex`, as in a new payload. Then no row occurs
 * twice, and no row was deleted or replaced by another row.
 */
export function areUntouchedInOrder(members: Members): boolean {
  let last = -1;
  for (const member of members) {
    const place = member instanceof Row && member.isUntouched ? member.payloadIndex : -1;
    if (place <= last) return false;
    last = place;
  }
  return true;
}

/** The members of all pages in page order, without repetitions. */
export function joinSegments(segments: readonly Segment[]): Members {
  const [first] = segments;
  if (segments.length === 1 && first) return first.members;
  return withoutRepeats(segments.flatMap((segment) => segment.members));
}

export function findPage(list: List, cursor: string | null): Segment | undefined {
  return list.segments.find((segment) => segment.cursor === cursor);
}

/** The sort key of a page: the first page is first, numbered pages follow by number, other pages by the time of their request. */
export function pageSortKey(cursor: string | null, sent: number): number {
  const place = cursor === null ? -Infinity : Number(cursor || NaN);
  return Number.isNaN(place) ? sent : place;
}

/**
 * Adds the members that are not in the list yet; present members keep their position. In a map, a new member replaces the member of
 * the same name.
 */
export function addMembers(
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

/** Whether the members contain the row. When `as` is a member of a map, only a member with the same name counts. */
export function containsRow(members: Members, row: Row, as?: unknown): boolean {
  return members.some(
    (member) => rowOf(member) === row && (nameOfMember(as) ?? nameOfMember(member)) === nameOfMember(member),
  );
}

/** The members without the rows that `isGone` selects; the same array if it selects no row. */
export function withoutRows(members: Members, isGone: (row: Row) => boolean): Members {
  const kept = members.filter((member) => {
    const row = rowOf(member);
    return !row || !isGone(row);
  });
  return kept.length === members.length ? members : kept;
}

/** How many members at the start and at the end are identical. */
export function commonEnds(before: Members, now: Members): [head: number, tail: number] {
  const most = Math.min(before.length, now.length);
  let head = 0;
  // fast: C1. When this code has also compared other types, V8 calls a function for each `===`; `Object.is` calls one only for
  // items that differ.
  while (head < most && Object.is(before[head], now[head])) head += 1;
  let tail = 0;
  while (tail < most - head && Object.is(before[before.length - 1 - tail], now[now.length - 1 - tail]))
    tail += 1;
  return [head, tail];
}

/** The members that came or moved, and the rows that left. They are searched between the common ends of the two arrays. */
export function memberDifference(
  before: Members,
  now: Members,
): readonly [came: Members, left: ReadonlySet<Row | undefined>] {
  const [head, tail] = commonEnds(before, now);
  const left = new Set(before.slice(head, before.length - tail).map(rowOf));
  // A row that is still a member has not left. This loop includes the common ends, because a map may contain the row under a second
  // name.
  for (const member of now) left.delete(rowOf(member));
  return [now.slice(head, now.length - tail), left];
}
