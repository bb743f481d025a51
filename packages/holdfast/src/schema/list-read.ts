// Reads the members of a list: a Collection's, or all rows of a table. A list of 10,000 in which one row changed is a
// copy with one place patched; an item put in or taken out moves the rest over without looking at it.
//
//   members before  [a b c d e]        same head: a b   same tail: e
//   members now     [a b X e]          read anew: X     and patch whatever changed inside head and tail
import { DEV } from '#env';
import { commonEnds } from '../store/list-members.ts';
import { allowPatch, forbidPatch, hasSameItems } from '../store/graph.ts';
import { View } from '../store/view.ts';
import type { Kind, ReadContext } from './protocol.ts';
import { isThere, ReadFrame } from './protocol.ts';
import { share } from './share.ts';

// values of lists that are being read: a cycle may hold one before it is full. Keyed by transient objects, no state
const unfinished = new WeakSet<object>();

/** Whether a value is a list's that is still being filled: not to be frozen or compared yet. */
export function isUnfinished(value: unknown): boolean {
  return typeof value === 'object' && value !== null && unfinished.has(value);
}

/** Puts a value into the view before its members are read, so that a cycle closes on it. */
export function beginList<T extends object>(view: View, value: T): T {
  unfinished.add(value);
  view.value = value;
  return value;
}

export function endList(value: object): void {
  unfinished.delete(value);
  if (DEV) Object.freeze(value);
}

/** A frame for the list's view: patched where that is possible, whole where it is not. */
export function openMembers(view: View, item: Kind, members: readonly unknown[]): ReadFrame {
  const patch = planPatch(view, members);
  return patch === null ? new MembersRead(view, item, members) : new PatchRead(view, item, members, patch);
}

/** What is to be read, and where it goes. */
interface Patch {
  readonly previous: readonly unknown[];
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
  const { changes, children, value: previous, builtFrom: before } = view;
  if (changes === undefined || children === null || !Array.isArray(previous) || !Array.isArray(before))
    return null;
  if (previous.length !== before.length || children.length !== before.length) return null;
  const [head, tail] = members === before ? [members.length, 0] : commonEnds(before, members);
  const end = before.length - tail;
  const fresh = members.length - tail - head;
  const patch: Patch = { previous, head, end, fresh, changed: [], places: [] };
  let at = -1;
  // they come in the order of the list, or the other way round: each is looked for behind the one before
  const isReversed =
    changes?.earlier && children.indexOf(changes.child) > children.indexOf(changes.earlier.child);
  for (let change = changes; change !== null; change = change.earlier) {
    const { child } = change;
    const next = isReversed && at >= 0 ? children.lastIndexOf(child, at) : children.indexOf(child, at + 1);
    at = next < 0 ? children.indexOf(child) : next;
    if (at < 0) return null;
    if (at >= head && at < end) continue; // it has left
    patch.changed.push(child);
    patch.places.push(at < head ? at : at + members.length - before.length);
  }
  return patch;
}

/** Whether the member has no view of its own: what is inside it are children of the list, none or many. */
function isAround(value: unknown): boolean {
  return value instanceof ReadFrame ? value.view === null : Array.isArray(value); // arrays may need no frame
}

class MembersRead extends ReadFrame {
  static readonly specimen: object = new MembersRead(new View(null, null, []), {} as never, []); // cast: never run
  readonly size: number;
  override readonly view: View;
  readonly #item: Kind;
  readonly #members: readonly unknown[];
  readonly #previous: unknown;
  readonly #values: unknown[];
  #isAligned = true;

  constructor(view: View, item: Kind, members: readonly unknown[]) {
    super();
    this.view = view;
    this.#item = item;
    this.#members = members;
    this.size = members.length;
    this.#previous = view.value;
    this.#values = beginList(view, []);
  }

  next(at: ReadContext): unknown {
    this.index = at.openNew(this.#item, this.#members, this.index, this.#values);
    // members that need no frame are taken in one go
    for (;;) {
      const value = this.#item.open(this.#members[this.index], at);
      if (isAround(value)) this.#isAligned = false;
      if (value instanceof ReadFrame || this.index === this.size - 1) return value;
      this.accept(value);
      this.index += 1;
    }
  }

  accept(value: unknown): void {
    if (isThere(value)) this.#values.push(value);
  }

  finish(at: ReadContext): unknown {
    const { view } = this;
    endList(this.#values);
    // members without a view of their own, plain objects, are kept where they mean the same
    const value = this.isShared ? this.#values : share(this.#previous, this.#values);
    if (DEV) Object.freeze(value);
    view.builtFrom = this.#members;
    (this.#isAligned ? allowPatch : forbidPatch)(view);
    at.complete(view, value);
    return value;
  }
}

/** Reads only what is new or changed: first the members between the common head and tail, then the changed ones. */
class PatchRead extends ReadFrame {
  static readonly specimen: object = new PatchRead(new View(null, null, []), {} as never, [], {
    previous: [],
    head: 0,
    end: 0,
    fresh: 0,
    changed: [],
    places: [],
  }); // cast: never run
  readonly size: number;
  override readonly view: View;
  readonly #item: Kind;
  readonly #members: readonly unknown[];
  readonly #patch: Patch;
  readonly #unfinished: unknown[];
  /** The new value; null as long as nothing differs. */
  #value: unknown[] | null = null;
  #isBroken = false;
  #isAligned = true;

  constructor(view: View, item: Kind, members: readonly unknown[], patch: Patch) {
    super();
    this.view = view;
    this.#item = item;
    this.#members = members;
    this.#patch = patch;
    this.#unfinished = beginList(view, []);
    const { previous, head, end, fresh, changed } = patch;
    this.size = fresh + changed.length;
    if (end === head && fresh === 0) return;
    // until what is new is read, the members stand in its places
    const added = members.slice(head, head + fresh);
    this.#value =
      head === previous.length
        ? previous.concat(added)
        : previous.slice(0, head).concat(added, previous.slice(end));
  }

  next(at: ReadContext): unknown {
    const { head, fresh, changed } = this.#patch;
    // members that need no frame are taken in one go
    for (;;) {
      const isFresh = this.index < fresh;
      const value = isFresh
        ? this.#item.open(this.#members[head + this.index], at)
        : at.revisit(changed[this.index - fresh]!); // index < size
      if (isFresh && isAround(value)) this.#isAligned = false;
      if (value instanceof ReadFrame || this.index === this.size - 1) return value;
      this.accept(value);
      this.index += 1;
    }
  }

  accept(value: unknown): void {
    const { previous, head, fresh, places } = this.#patch;
    const place = this.index < fresh ? head + this.index : places[this.index - fresh]!; // as above
    if ((this.#value ?? previous)[place] !== value) (this.#value ??= previous.slice())[place] = value;
    // something that cannot be shown breaks the one-to-one with the members: the next read is a whole one
    if (!isThere(value)) this.#isBroken = true;
  }

  finish(at: ReadContext): unknown {
    const { view } = this;
    const { previous, head, end } = this.#patch;
    const value = this.#value ?? previous;
    const shown = this.#isBroken ? value.filter(isThere) : value;
    view.builtFrom = this.#members;
    (this.#isAligned ? allowPatch : forbidPatch)(view);
    at.completePatch(view, value === previous && !this.isShared ? previous : this.#settled(shown), head, end);
    return view.value;
  }

  #settled(shown: readonly unknown[]): readonly unknown[] {
    const { previous, fresh } = this.#patch;
    if (!this.isShared) {
      // what came in may not show, such as a row that is being deleted; and references through a mapping are made anew
      // by every payload, though what they stand for is what it was
      if ((this.#isBroken || fresh > 0) && hasSameItems(previous, shown)) return previous;
      endList(shown);
      return shown;
    }
    // a cycle holds the array that was put in at the start
    for (const item of shown) this.#unfinished.push(item);
    endList(this.#unfinished);
    return this.#unfinished;
  }
}
