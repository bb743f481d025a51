// The lists' server truth, for one answer: a list read replaces a page, minus what was deleted and plus what was created or
// moved since it was asked for; an add never reorders; rows know the lists that hold them. Used by apply-effects.ts.
import { attempt } from '../support/call-safely.ts';
import type { ListWrite } from './effects.ts';
import { isEqual } from './fields.ts';
import {
  comparePages,
  difference,
  holds,
  isPlainList,
  joinSegments,
  keepEqual,
  pageOf,
  withMembers,
  without,
  withoutRepeats,
} from './list-members.ts';
import type { Difference } from './list-members.ts';
import { hasMovedOn, judge } from './membership.ts';
import type { Verdict } from './membership.ts';
import type { Fields, JournalEntry, List, Place, Placement, Row, RowState, Segment, Table } from './nodes.ts';
import type { Lists } from './place-rows.ts';
import { rowOf } from './reference.ts';
import { hasItem, itemsOf, withItem, withoutItem } from './small-set.ts';
import { advance, fenceOff, isOlder, NEVER } from './stamp.ts';
import type { Origin } from './stamp.ts';
import type { Store } from './store.ts';

export class ServerLists implements Lists {
  // V8 forgets what it learnt of a class that has no instance left at a full collection, and runs the code slowly again
  static readonly specimen: object = new ServerLists({} as never, { stamp: NEVER } as never, 0); // cast: never used
  readonly store: Store;
  readonly origin: Origin;
  readonly oldestOpen: number;
  /** Whether a request is in flight that was sent before this answer: what it brings must be told of the answer. */
  readonly #isMissed: boolean;

  constructor(store: Store, origin: Origin, oldestOpen: number = store.timeline.oldestOpen()) {
    this.store = store;
    this.origin = origin;
    this.oldestOpen = oldestOpen;
    this.#isMissed = oldestOpen < origin.stamp.fence;
  }

  ask<T>(hook: () => T): T | undefined {
    return attempt(hook);
  }

  of(row: Row): readonly List[] {
    return itemsOf(row.holders);
  }

  has(list: List, row: Row): boolean {
    return hasItem(row.holders, list);
  }

  doubt(list: List): void {
    this.store.doubt(list, this.origin.stamp.fence);
  }

  // ── edits ────────────────────────────────────────────────────────────────────────────────────

  /** Puts members behind the last page, or in front of the first; those already in the list stay where they stand. */
  add(list: List, members: readonly unknown[], place: Place): void {
    // the answer to a later write may have come first and moved the row on
    const came = without(members, (row) => hasMovedOn(list, row, this.origin.sent));
    const page = list.segments.at(place === 'end' ? -1 : 0);
    const edit = (segment: Segment): readonly unknown[] =>
      segment === page
        ? withMembers(segment.members, came, place, (row) => this.has(list, row))
        : segment.members;
    // fast: C1, test/property/lists. In a keyed list a new member may have taken its name from another
    this.#edit(list, edit, list.identity.isKeyed ? undefined : { came, left: [] });
  }

  remove(list: List, row: Row): void {
    const edit = ({ members }: Segment): readonly unknown[] => without(members, (one) => one === row);
    this.#edit(list, edit, { came: [], left: [row] });
  }

  /** What a user's own merge gives is the first page; later pages keep what it kept. */
  merge(list: List, merge: (present: readonly unknown[]) => readonly unknown[]): void {
    const merged = withoutRepeats(merge(list.base));
    const kept = new Set(merged.map(itemOf));
    this.#edit(list, (segment) =>
      segment === list.segments[0] ? merged : segment.members.filter((member) => kept.has(itemOf(member))),
    );
  }

  /** The row stands where a draft of it stood, and once. */
  replaceDraft(list: List, row: Row): void {
    row.holders = withItem(row.holders, list);
    this.#edit(list, ({ members }) => withoutRepeats(members));
  }

  #edit(list: List, edit: (segment: Segment) => readonly unknown[], known?: Difference): void {
    const segments = list.segments.map((segment) => ({ ...segment, members: edit(segment) }));
    this.#set(list, segments, known);
  }

  /** `known` spares the look at all members. */
  #set(list: List, segments: readonly Segment[], known?: Difference): void {
    const before = list.base;
    const base = joinSegments(segments);
    list.segments = segments;
    if (isEqual(before, base)) return;
    list.base = base;
    const { came, left } = known ?? difference(before, base);
    for (const member of came) {
      const row = rowOf(member);
      if (row !== undefined) {
        row.holders = withItem(row.holders, list);
        this.#layAnew(row);
      }
    }
    for (const row of left) {
      if (row !== undefined) {
        row.holders = withoutItem(row.holders, list);
        this.#layAnew(row);
      }
    }
    this.store.moveGround(list);
    this.store.show(list);
  }

  /** A pending guess may move the row, and where it stands below the guess has changed. */
  #layAnew({ layers }: Row): void {
    if (layers !== null) this.store.layAnew(layers[0]!.intent); // layers are never empty
  }

  // ── reads ────────────────────────────────────────────────────────────────────────────────────

  write(write: ListWrite): void {
    const { list, merge } = write;
    const { store, origin } = this;
    const cursor = write.cursor ?? null;
    const present = pageOf(list, cursor);
    const isLate = present !== undefined && isOlder(origin, present.stamp);
    // fast: N1 and N3, test/property/lists
    const isPlain = merge === null && isPlainList(write.members);
    let members = isPlain ? write.members : withoutRepeats(write.members);
    if (present && merge) {
      const incoming = members;
      members = withoutRepeats(
        attempt(() => merge(present.members, incoming, present.stamp, origin)) ?? incoming,
      );
    } else if (isLate) members = present.members;
    if (!isLate) {
      store.trust(list, origin.sent);
      this.#setByServer(list, write.isByServer ?? list.isByServer);
      if (!isPlain) members = without(members, (row) => row.base === null && origin.sent < row.deletedAt);
      members = this.#withJournal(list, members, write.cursor !== undefined);
    }
    const page: Segment = {
      cursor,
      firstSent: present?.firstSent ?? origin.sent,
      stamp: present ? (isLate ? fenceOff : advance)(present.stamp, origin) : origin.stamp,
      members: present ? keepEqual(present.members, members) : members,
    };
    const follows = ({ cursor: at, stamp: { fence } }: Segment): boolean =>
      cursor === null || at === null || fence >= list.brokenAt;
    this.#set(
      list,
      present
        ? list.segments.map((segment) => (segment === present ? page : segment))
        : [...list.segments.filter(follows), page].toSorted(comparePages),
    );
    store.establish(list);
    // an empty page changes no members, but the list is now known
    if (!present) store.mark(list);
  }

  #setByServer(list: List, isByServer: boolean): void {
    if (list.isByServer === isByServer) return;
    list.isByServer = isByServer;
    // pending guesses moved rows by the other judgement
    this.store.layAnew();
  }

  /** What was created or moved since the list was asked for: the answer cannot know of it. */
  #withJournal(list: List, read: readonly unknown[], isPage: boolean): readonly unknown[] {
    let members = read;
    for (const entry of list.table.journal) {
      const { fence, row, member, said, placement } = entry;
      if (fence <= this.origin.sent || !row.base) continue;
      const verdict = judgeEntry(list, entry);
      const isHeld = holds(members, row);
      const isSure = said === null || row.staleSince === 0;
      const doubt = (): void => this.store.doubt(list, fence);
      if (verdict === 'leave' && isHeld) {
        members = without(members, (one) => one === row);
        if (!isSure) doubt();
      } else if (verdict === 'doubt' && isHeld) doubt();
      else if (verdict === 'enter' && !isHeld) {
        if (!isSure) doubt();
        if (isPage) continue;
        const present = members;
        const merge = placement?.merge;
        if (merge) members = attempt(() => withoutRepeats(merge(present, [member]))) ?? present;
        else members = placement?.place === 'start' ? [member, ...members] : [...members, member];
        // only the server knows where it belongs
        if (!placement && list.identity.hasOrder) doubt();
      }
    }
    return members;
  }

  /** Keeps for late list reads what happened to a row, while a request is in flight that was sent before. */
  note(row: Row, before: RowState, said: Fields | null): void {
    if (!this.#isMissed) return;
    for (const table of [row.table, ...row.table.unions])
      this.#note(table, { before, said, row, member: row, placement: null });
  }

  noteMembers(placement: Placement): void {
    if (!this.#isMissed) return;
    for (const member of placement.members) {
      const row = rowOf(member);
      if (row) this.#note(placement.table, { before: undefined, said: null, row, member, placement });
    }
  }

  #note({ journal }: Table, entry: Omit<JournalEntry, 'fence' | 'sent'>): void {
    const { sent, stamp } = this.origin;
    journal.push({ ...entry, sent, fence: stamp.fence });
  }
}

function judgeEntry(list: List, entry: JournalEntry): Verdict | undefined {
  const { row, sent, placement } = entry;
  if (!placement) return row.base ? judge(list, row.base, entry) : 'none';
  return attempt(() => {
    if (placement.leaves?.(list, row)) return 'leave';
    return placement.matches(list) && !hasMovedOn(list, row, sent) ? 'enter' : 'none';
  });
}

/** The row that a member stands for, else the member. */
function itemOf(member: unknown): unknown {
  return rowOf(member) ?? member;
}

/** Forgets placements and changes that every request in flight was sent after. */
export function pruneJournals(store: Store): void {
  const oldestOpen = store.timeline.oldestOpen();
  for (const [row, sent] of store.unknownWrites) if (sent < oldestOpen) store.unknownWrites.delete(row);
  for (const table of store.tables.values()) {
    if (table.journal.length > 0) table.journal = table.journal.filter((entry) => entry.fence > oldestOpen);
  }
}
