// Reads the members of a list: a Collection's, or all rows of a table. A list of 10,000 in which one row changed is a
// copy with one place patched; an item put in or taken out moves the rest over without looking at it.
//
//   members before  [a b c d e]        same head: a b   same tail: e
//   members now     [a b X e]          read anew: X     and patch whatever changed inside head and tail
import { DEV } from '#env';
import { commonEnds } from '../store/list-members.ts';
import { allowPatch, forbidPatch, hasSameItems, takeChanges } from '../store/graph.ts';
import { View } from '../store/view.ts';
import type { Node } from '../store/view.ts';
import type { Kind, ReadContext } from './protocol.ts';
import { INVALID, ReadFrame } from './protocol.ts';
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
    view.canPatch &&
    Array.isArray(previous) &&
    Array.isArray(before) &&
    previous.length === before.length &&
    view.children?.length === before.length;
  const places = isAligned ? locateChanges(view, previous as readonly unknown[]) : null; // cast: asked above
  return places === null ? new MembersRead(view, item, members) : new PatchRead(view, item, members, places);
}

/** Where in the list's value the changed children stand; null when one does not stand there itself. */
function locateChanges(view: View, previous: readonly unknown[]): Map<number, View> | null {
  const children: readonly Node[] = view.children ?? [];
  // what has come back to the value it had needs no place
  const changes = takeChanges(view).filter(({ child, before }) => !child.isClean || child.value !== before);
  const places = new Map<number, View>();
  let at = -1;
  // they come in the order of the list, or the other way round: each is looked for behind the one before
  const [first, second] = changes;
  if (first && second && children.indexOf(first.child) > children.indexOf(second.child)) changes.reverse();
  for (const { child, before } of changes) {
    const next = children.indexOf(child, at + 1);
    at = next < 0 ? children.indexOf(child) : next;
    if (at < 0 || before !== previous[at]) return null;
    places.set(at, child);
  }
  return places;
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
    if (value !== undefined && value !== INVALID) this.#values.push(value);
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
  static readonly specimen: object = new PatchRead(emptyView(), {} as never, [], new Map()); // cast: never run
  readonly size: number;
  override readonly view: View;
  readonly #item: Kind;
  readonly #members: readonly unknown[];
  readonly #before: readonly unknown[];
  readonly #previous: readonly unknown[];
  readonly #unfinished: unknown[];
  readonly #head: number;
  readonly #tail: number;
  readonly #fresh: unknown[] = [];
  /** The changed children that stay, and where they stand in the new value. */
  readonly #changed: View[] = [];
  readonly #places: number[] = [];
  /** What they have become. */
  readonly #values: unknown[] = [];
  #isBroken = false;
  #isAligned = true;

  constructor(view: View, item: Kind, members: readonly unknown[], places: ReadonlyMap<number, View>) {
    super();
    this.view = view;
    this.#item = item;
    this.#members = members;
    this.#before = view.builtFrom as readonly unknown[]; // cast: openMembers has looked
    this.#previous = view.value as readonly unknown[]; // cast: the same
    this.#unfinished = beginList(view, []);
    const [head, tail] = members === this.#before ? [members.length, 0] : commonEnds(this.#before, members);
    this.#head = head;
    this.#tail = tail;
    const end = this.#before.length - tail;
    for (const [at, child] of places) {
      if (at >= head && at < end) continue;
      this.#changed.push(child);
      this.#places.push(at < head ? at : at + members.length - this.#before.length);
    }
    this.size = members.length - head - tail + this.#changed.length;
  }

  get #freshCount(): number {
    return this.#members.length - this.#head - this.#tail;
  }

  next(at: ReadContext): unknown {
    const changed = this.#changed[this.index - this.#freshCount];
    if (changed !== undefined) return at.revisit(changed);
    const value = this.#item.open(this.#members[this.#head + this.index], at);
    if (isAround(value)) this.#isAligned = false;
    return value;
  }

  accept(value: unknown): void {
    const isPresent = value !== undefined && value !== INVALID;
    if (this.index < this.#freshCount) this.#fresh.push(value);
    else this.#values.push(value);
    // something that cannot be shown breaks the one-to-one with the members: the next read is a whole one
    if (!isPresent) this.#isBroken = true;
  }

  finish(at: ReadContext): unknown {
    const { view } = this;
    const end = this.#before.length - this.#tail;
    const shown = this.#patched();
    const value = shown !== this.#previous || this.isShared ? this.#settled(shown) : shown;
    view.builtFrom = this.#members;
    (this.#isAligned ? allowPatch : forbidPatch)(view);
    at.completePatch(view, value, this.#head, end);
    return view.value;
  }

  /** The new value; the previous one when nothing differs. */
  #patched(): readonly unknown[] {
    const isMoved = this.#fresh.length > 0 || this.#before.length > this.#head + this.#tail;
    let value: unknown[] | undefined = isMoved ? this.#joined() : undefined;
    for (const [index, place] of this.#places.entries()) {
      const after = this.#values[index];
      if ((value ?? this.#previous)[place] !== after) (value ??= this.#previous.slice())[place] = after;
    }
    if (value === undefined) return this.#previous;
    return this.#isBroken ? value.filter((item) => item !== undefined && item !== INVALID) : value;
  }

  #joined(): unknown[] {
    const previous = this.#previous;
    if (this.#head === previous.length) return previous.concat(this.#fresh);
    return previous
      .slice(0, this.#head)
      .concat(this.#fresh, this.#tail > 0 ? previous.slice(-this.#tail) : []);
  }

  #settled(shown: readonly unknown[]): readonly unknown[] {
    if (!this.isShared) {
      // what came in may not show, such as a row that is being deleted; and references through a mapping are made anew
      // by every payload, though what they stand for is what it was
      if ((this.#isBroken || this.#fresh.length > 0) && hasSameItems(this.#previous, shown))
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
