// Reads the members of a list: a Collection's, or all rows of a table. A list of 10,000 in which one row changed is a
// copy with one place patched; an item put in or taken out moves the rest over without looking at it.
//
//   members before  [a b c d e]        same head: a b   same tail: e
//   members now     [a b X e]          read anew: X     and patch whatever changed inside head and tail
import { DEV } from '#env';
import { commonEnds } from '../store/list-members.ts';
import { allowPatch, forbidPatch, hasSameItems, isRepeated } from '../store/graph.ts';
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
  const previous = view.value;
  const before = view.builtFrom;
  const isAligned =
    Array.isArray(previous) &&
    Array.isArray(before) &&
    previous.length === before.length &&
    view.children?.length === before.length;
  const changed = isAligned ? locateChanges(view, previous as readonly unknown[]) : null; // cast: asked above
  return changed === null
    ? new MembersRead(view, item, members)
    : new PatchRead(view, item, members, changed);
}

/** The changed children of a list, and where in its value they stand. */
interface Changed {
  readonly views: View[];
  readonly places: number[];
}

/** Null when one does not stand there itself, or the list is to be read whole. */
function locateChanges({ changes, children }: View, previous: readonly unknown[]): Changed | null {
  if (changes === undefined || children === null) return null;
  const changed: Changed = { views: [], places: [] };
  let at = -1;
  // they come in the order of the list, or the other way round: each is looked for behind the one before
  const isReversed =
    changes?.earlier && children.indexOf(changes.child) > children.indexOf(changes.earlier.child);
  for (let change = changes; change !== null; change = change.earlier) {
    const { child, before } = change;
    const next = isReversed && at >= 0 ? children.lastIndexOf(child, at) : children.indexOf(child, at + 1);
    at = next < 0 ? children.indexOf(child) : next;
    if (at < 0 || (before !== previous[at] && !isRepeated(change))) return null;
    changed.views.push(child);
    changed.places.push(at);
  }
  return changed;
}

/** Whether the member has no view of its own: what is inside it are children of the list, none or many. */
function isAround(value: unknown): boolean {
  return value instanceof ReadFrame && value.view === null;
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
  static readonly specimen: object = new PatchRead(emptyView(), {} as never, [], { views: [], places: [] }); // cast: never run
  readonly size: number;
  override readonly view: View;
  readonly #item: Kind;
  readonly #members: readonly unknown[];
  readonly #previous: readonly unknown[];
  readonly #unfinished: unknown[];
  readonly #head: number;
  /** Where the common tail begins in the members before. */
  readonly #end: number;
  readonly #freshCount: number;
  readonly #changed: Changed;
  /** The new value; null as long as nothing differs. */
  #value: unknown[] | null = null;
  #isBroken = false;
  #isAligned = true;

  constructor(view: View, item: Kind, members: readonly unknown[], changed: Changed) {
    super();
    this.view = view;
    this.#item = item;
    this.#members = members;
    this.#changed = changed;
    this.#previous = view.value as readonly unknown[]; // cast: openMembers has looked
    this.#unfinished = beginList(view, []);
    const before = view.builtFrom as readonly unknown[]; // cast: the same
    this.#head = members.length;
    this.#end = members.length;
    this.#freshCount = 0;
    if (members !== before) {
      const [head, tail] = commonEnds(before, members);
      this.#head = head;
      this.#end = before.length - tail;
      this.#freshCount = members.length - tail - head;
    }
    if (this.#end > this.#head || this.#freshCount > 0) this.#move(members.length - before.length);
    this.size = this.#freshCount + changed.views.length;
  }

  /** Makes room for what is new: until it is read, the members stand in its places. */
  #move(by: number): void {
    const head = this.#head;
    const end = this.#end;
    const previous = this.#previous;
    const fresh = this.#members.slice(head, head + this.#freshCount);
    this.#value =
      head === previous.length
        ? previous.concat(fresh)
        : previous.slice(0, head).concat(fresh, previous.slice(end));
    // changed ones may have left, or stand elsewhere now
    const { views, places } = this.#changed;
    let kept = 0;
    for (const [index, view] of views.entries()) {
      const at = places[index]!; // as long as views
      if (at >= head && at < end) continue;
      views[kept] = view;
      places[kept] = at < head ? at : at + by;
      kept += 1;
    }
    views.length = kept;
    places.length = kept;
  }

  next(at: ReadContext): unknown {
    // members that need no frame are taken in one go
    for (;;) {
      const changed = this.#changed.views[this.index - this.#freshCount];
      const value =
        changed === undefined
          ? this.#item.open(this.#members[this.#head + this.index], at)
          : at.revisit(changed);
      if (changed === undefined && isAround(value)) this.#isAligned = false;
      if (value instanceof ReadFrame || this.index === this.size - 1) return value;
      this.accept(value);
      this.index += 1;
    }
  }

  accept(value: unknown): void {
    const place = this.#changed.places[this.index - this.#freshCount] ?? this.#head + this.index;
    if ((this.#value ?? this.#previous)[place] !== value)
      (this.#value ??= this.#previous.slice())[place] = value;
    // something that cannot be shown breaks the one-to-one with the members: the next read is a whole one
    if (!isThere(value)) this.#isBroken = true;
  }

  finish(at: ReadContext): unknown {
    const { view } = this;
    const value = this.#value !== null || this.isShared ? this.#settled(this.#shown()) : this.#previous;
    view.builtFrom = this.#members;
    (this.#isAligned ? allowPatch : forbidPatch)(view);
    at.completePatch(view, value, this.#head, this.#end);
    return view.value;
  }

  #shown(): readonly unknown[] {
    const value = this.#value ?? this.#previous;
    return this.#isBroken ? value.filter(isThere) : value;
  }

  #settled(shown: readonly unknown[]): readonly unknown[] {
    if (!this.isShared) {
      // what came in may not show, such as a row that is being deleted; and references through a mapping are made anew
      // by every payload, though what they stand for is what it was
      if ((this.#isBroken || this.#freshCount > 0) && hasSameItems(this.#previous, shown))
        return this.#previous;
      endList(shown);
      return shown;
    }
    // a cycle holds the array that was put in at the start
    for (const item of shown) this.#unfinished.push(item);
    endList(this.#unfinished);
    return this.#unfinished;
  }
}

function emptyView(): View {
  const view = new View(null, null, []);
  view.builtFrom = [];
  return view;
}
