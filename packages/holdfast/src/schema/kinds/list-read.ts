// Reads the members of a list: a Collection's, or all rows of a table. A list of 10,000 in which one row changed is a
// copy with one place patched; an item put in or taken out moves the rest over without looking at it.
//
//   members before  [a b c d e]        same head: a b   same tail: e
//   members now     [a b X e]          read X again     and patch whatever changed inside head and tail
import { inDevelopment } from '#env';
import { commonEnds } from '../../store/list-members.ts';
import { allowPatch, forbidPatch, hasSameItems } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import type { Kind, ReadContext } from '../protocol/protocol.ts';
import { isObject } from '../../support/plain.ts';
import { isThere } from '../protocol/protocol.ts';
import { share } from '../protocol/share.ts';

// values of lists that are being read: a cycle may hold one before it is full. Keyed by transient objects, no state
const unfinished = new WeakSet<object>();

/** Whether a value is a list's that is still being filled: not to be frozen or compared yet. */
export function isUnfinished(value: unknown): boolean {
  return isObject(value) && unfinished.has(value);
}

/** Puts a value into the view before its members are read, so that a cycle closes on it. */
export function beginList<T extends object>(view: View, value: T): T {
  unfinished.add(value);
  view.value = value;
  return value;
}

export function endList(value: object): void {
  unfinished.delete(value);
  inDevelopment(() => void Object.freeze(value));
}

/** Reads the list's view: patched where that is possible, whole where it is not. */
export function openMembers(view: View, item: Kind, members: readonly unknown[], at: ReadContext): void {
  // fast: W1 and C1, test/property/memo
  const patch = planPatch(view, members);
  const previous = view.value;
  const values = beginList(view, (at.madeOf(view) ?? []) as unknown[]); // cast: made here before
  values.length = 0;
  let isAligned = true;
  const open = (member: unknown, count: number): unknown => {
    const value = at.open(item, member);
    if (!at.isChild(value, count)) isAligned = false;
    return value;
  };
  if (!patch) {
    for (let index = at.openNew(item, members, values); index < members.length; index += 1) {
      const value = open(members[index], index + 1);
      if (isThere(value)) values.push(value);
    }
    if (at.isWaiting) return;
    endList(values);
    at.complete(view, at.isShared(view) ? values : share(previous, values));
    inDevelopment(() => void Object.freeze(view.value));
  } else {
    const value = readPatch(view, members, patch, values, open, at);
    if (!value) return;
    at.complete(view, value, patch.head, patch.end);
  }
  view.builtFrom = members;
  (isAligned ? allowPatch : forbidPatch)(view);
}

/** Null where the list has to wait. */
function readPatch(
  view: View,
  members: readonly unknown[],
  { before: previous, head, end, fresh, changed, places }: Patch,
  unfinished: unknown[],
  open: (member: unknown, count: number) => unknown,
  at: ReadContext,
): readonly unknown[] | null {
  let next: unknown[] | null = null;
  let isBroken = false;
  if (end !== head || fresh !== 0) {
    const added = members.slice(head, head + fresh); // each is put in its place below
    // one copy: most changes are at one end, and a long list is what its copies cost
    next =
      head === previous.length
        ? previous.concat(added)
        : previous.slice(0, head).concat(added, previous.slice(end));
  }
  for (let index = 0; index < fresh + changed.length; index += 1) {
    const place = index < fresh ? head + index : places[index - fresh]!; // as many as changed
    const value = index < fresh ? open(members[place], index + 1) : at.revisit(changed[index - fresh]!);
    if ((next ?? previous)[place] !== value) (next ??= previous.slice())[place] = value;
    if (!isThere(value)) isBroken = true;
  }
  if (at.isWaiting) return null;
  const isShared = at.isShared(view);
  const value = next ?? previous;
  if (value === previous && !isShared) return previous;
  const shown = isBroken ? value.filter(isThere) : value;
  if (!isShared && (isBroken || fresh > 0) && hasSameItems(previous, shown)) return previous;
  if (isShared) for (const item of shown) unfinished.push(item);
  const own = isShared ? unfinished : shown;
  endList(own);
  return own;
}

/** What is to be read, and where it goes. */
interface Patch {
  readonly before: readonly unknown[];
  /** Up to here the members are those they were, and again from `end` on, which counts in those before. */
  readonly head: number;
  readonly end: number;
  /** How many are new in between. */
  readonly fresh: number;
  /** The changed children that stay, and their places in the new value. */
  readonly changed: View[];
  readonly places: number[];
}

/** Null when children and members are not one to one. */
function planPatch(view: View, members: readonly unknown[]): Patch | null {
  const { changes, readNodes: children, value: previous, builtFrom: before } = view;
  if (changes === undefined || !children || !Array.isArray(previous) || !Array.isArray(before)) return null;
  if (previous.length !== before.length || children.length !== before.length) return null;
  const [head, tail] = members === before ? [members.length, 0] : commonEnds(before, members);
  const end = before.length - tail;
  const fresh = members.length - tail - head;
  const patch: Patch = { before: previous, head, end, fresh, changed: [], places: [] };
  const noted: View[] = [];
  for (let change = changes; change; change = change.earlier) noted.push(change.child);
  let at = -1;
  // fast: W1 and W2. As they were noted, each is looked for behind the one before; V8 searches backwards many times slower
  for (const child of noted.reverse()) {
    const next = children.indexOf(child, at + 1);
    at = next < 0 ? children.indexOf(child) : next;
    if (at < 0) return null;
    if (at >= head && at < end) continue; // it has left
    patch.changed.push(child);
    patch.places.push(at < head ? at : at + members.length - before.length);
  }
  return patch;
}
