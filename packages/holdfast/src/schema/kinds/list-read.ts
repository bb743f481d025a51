// Reads the members of a Collection, or all rows of a table, as an array. When one of 10,000 rows has changed, the array is copied and
// one item is replaced. When an item is added or removed, the other items are copied and not read again.
//
//   members before  [a b c d e]        same head: a b   same tail: e
//   members now     [a b X e]          read X           and replace the changed rows of head and tail
import { inDevelopment } from '#env';
import { commonEnds } from '../../store/list-members.ts';
import { allowPatch, forbidPatch, hasSameItems } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import type { Kind, ReadContext } from '../protocol/protocol.ts';
import { isObject } from '../../support/plain.ts';
import { isThere } from '../protocol/protocol.ts';
import { share } from '../protocol/share.ts';

// The arrays and maps that are being filled: a value in a cycle may hold one of them before it is complete. The keys are transient
// objects: this set is not state.
const unfinished = new WeakSet<object>();

/** Whether a value is the array or map of a list that is still being filled. Such a value must not be frozen or compared yet. */
export function isUnfinished(value: unknown): boolean {
  return isObject(value) && unfinished.has(value);
}

/** Sets the view's value before the members are read, so that members which refer back to the list get this value. */
export function beginList<T extends object>(view: View, value: T): T {
  unfinished.add(value);
  view.value = value;
  return value;
}

export function endList(value: object): void {
  unfinished.delete(value);
  inDevelopment(() => void Object.freeze(value));
}

/** Builds the view of a list: patches the former value if possible, else reads all members. */
export function buildListView(view: View, item: Kind, members: readonly unknown[], at: ReadContext): void {
  // fast: W1 and C1, test/property/memo
  const patch = planPatch(view, members);
  const previous = view.value;
  const values = beginList(view, (at.unfinishedOf(view) ?? []) as unknown[]); // cast: created here in an earlier attempt
  values.length = 0;
  let isAligned = true;
  const open = (member: unknown, count: number): unknown => {
    const value = at.open(item, member);
    if (!at.isLastChild(value, count)) isAligned = false;
    return value;
  };
  if (!patch) {
    for (let index = at.openNew(item, members, values); index < members.length; index += 1) {
      const value = open(members[index], index + 1);
      if (isThere(value)) values.push(value);
    }
    if (at.isWaiting) return;
    endList(values);
    at.finishView(view, at.isInCycle(view) ? values : share(previous, values));
    inDevelopment(() => void Object.freeze(view.value));
  } else {
    const value = readPatch(view, members, patch, values, open, at);
    if (!value) return;
    at.finishView(view, value, patch.head, patch.end);
  }
  view.builtFrom = members;
  (isAligned ? allowPatch : forbidPatch)(view);
}

/** The patched array; null when the list has to wait for a deep part. */
function readPatch(
  view: View,
  members: readonly unknown[],
  { before: previous, head, end, addedCount, changed, places }: Patch,
  unfinished: unknown[],
  open: (member: unknown, count: number) => unknown,
  at: ReadContext,
): readonly unknown[] | null {
  let next: unknown[] | null = null;
  let isBroken = false;
  if (end !== head || addedCount !== 0) {
    const added = members.slice(head, head + addedCount); // replaced by their values below
    // If members are only added at the end, as in most changes, the array is copied once and not in parts, because copying is the
    // main cost of a long list.
    next =
      head === previous.length
        ? previous.concat(added)
        : previous.slice(0, head).concat(added, previous.slice(end));
  }
  for (let index = 0; index < addedCount + changed.length; index += 1) {
    const place = index < addedCount ? head + index : places[index - addedCount]!; // `places` is as long as `changed`
    const value =
      index < addedCount ? open(members[place], index + 1) : at.readView(changed[index - addedCount]!);
    if ((next ?? previous)[place] !== value) (next ??= previous.slice())[place] = value;
    if (!isThere(value)) isBroken = true;
  }
  if (at.isWaiting) return null;
  const isInCycle = at.isInCycle(view);
  const value = next ?? previous;
  if (value === previous && !isInCycle) return previous;
  const shown = isBroken ? value.filter(isThere) : value;
  if (!isInCycle && (isBroken || addedCount > 0) && hasSameItems(previous, shown)) return previous;
  if (isInCycle) for (const item of shown) unfinished.push(item);
  const own = isInCycle ? unfinished : shown;
  endList(own);
  return own;
}

/** The plan by which the former array is patched: which members must be read, and at which indexes. */
interface Patch {
  /** The former array of values. */
  readonly before: readonly unknown[];
  /** The members before index `head` are the same as before, and so are the members of the former array from index `end` on. */
  readonly head: number;
  readonly end: number;
  /** The number of members between the two unchanged ranges of the new array. */
  readonly addedCount: number;
  /** The changed children in the two unchanged ranges, and in `places` their indexes in the new array. */
  readonly changed: View[];
  readonly places: number[];
}

/** Returns null when the view cannot be patched, for example because its children and members do not correspond one to one. */
function planPatch(view: View, members: readonly unknown[]): Patch | null {
  const { changes, readNodes: children, value: previous, builtFrom: before } = view;
  if (changes === undefined || !children || !Array.isArray(previous) || !Array.isArray(before)) return null;
  if (previous.length !== before.length || children.length !== before.length) return null;
  const [head, tail] = members === before ? [members.length, 0] : commonEnds(before, members);
  const end = before.length - tail;
  const addedCount = members.length - tail - head;
  const patch: Patch = { before: previous, head, end, addedCount, changed: [], places: [] };
  const noted: View[] = [];
  for (let change = changes; change; change = change.earlier) noted.push(change.child);
  let at = -1;
  // fast: W1 and W2. The changed children are searched for in the order of their changes. This is often their order in the list, so
  // that a search usually starts after the last hit. A search from the end with lastIndexOf is slow in V8.
  for (const child of noted.reverse()) {
    const next = children.indexOf(child, at + 1);
    at = next < 0 ? children.indexOf(child) : next;
    if (at < 0) return null;
    if (at >= head && at < end) continue; // it has left, or is read as a new member
    patch.changed.push(child);
    patch.places.push(at < head ? at : at + members.length - before.length);
  }
  return patch;
}
