// Arrays: `[S]`, `schema.Array(S)` and, with names kept, `schema.Values(S)`. Inline: stored where they stand, read as
// part of the view around them, and the same reference as before when no member changed.
import type { Kind, ReadContext, TableOwner, WriteContext } from './protocol.ts';
import { isThere, ReadFrame, UNKNOWN, WriteFrame } from './protocol.ts';
import { nameOf } from '../support/errors.ts';

/** The items of an array; an object given instead is the array of its values. */
export function itemsOf(value: unknown, item: Kind, at: WriteContext): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[]; // cast: Array.isArray says any[]
  if (typeof value !== 'object' || value === null) {
    return at.fail('WRONG_SHAPE', { expected: 'an array', found: nameOf(value) });
  }
  const values: unknown[] = Object.values(value);
  // `{ "error": "busy" }` in place of a list of entities is no list of ids
  const isOfEntities = (item.owners?.().length ?? 0) > 0;
  if (isOfEntities && values.some((one) => typeof one !== 'object')) {
    return at.fail('WRONG_SHAPE', { expected: 'an array', found: 'an object of plain values' });
  }
  return values;
}

export class ArrayKind implements Kind {
  readonly item: () => Kind;

  constructor(item: () => Kind) {
    this.item = item;
  }

  get isLeaf(): boolean {
    return isFlat(this.item());
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const item = this.item();
    const items = itemsOf(value, item, at);
    return isFlat(item) ? enterItems(item, items, at) : new ArrayWrite(item, items, at);
  }

  open(stored: unknown, at: ReadContext): unknown {
    return Array.isArray(stored) ? openItems(this.item(), stored as readonly unknown[], at) : stored; // cast: as above
  }

  query(): unknown {
    return UNKNOWN;
  }

  owners(): readonly TableOwner[] {
    return this.item().owners?.() ?? [];
  }
}

/** Whether an array of these is a leaf. One of arrays is not: they would be entered one inside the other. */
function isFlat(item: Kind): boolean {
  return !(item instanceof ArrayKind) && item.isLeaf === true;
}

/** Writes items in which nothing is nested on the spot. */
function enterItems(item: Kind, items: readonly unknown[], at: WriteContext): unknown[] {
  const stored = items.slice();
  const present = presentIn(at);
  for (let index = 0; index < items.length; index += 1) {
    at.item = index;
    at.existing = present[index];
    stored[index] = item.enter(items[index], at);
  }
  at.item = null;
  return stored;
}

/** Where a value stands, and what stands there now. */
export type WritePlace = Pick<WriteContext, 'parent' | 'key' | 'existing'>;

const NONE: readonly unknown[] = [];

/** The items that are stored now where the array will stand. */
function presentIn({ existing }: WritePlace): readonly unknown[] {
  return Array.isArray(existing) ? existing : NONE;
}

/** Writes the items; each sees the array's own parent and key, as an item of the field it came in. */
export class ArrayWrite extends WriteFrame {
  static readonly specimen: object = new ArrayWrite({} as never, [], {
    parent: undefined,
    key: '',
    existing: undefined,
  }); // cast: never run
  readonly size: number;
  readonly #item: Kind;
  readonly #items: readonly unknown[];
  readonly #stored: unknown[];
  /** The items that are stored now. */
  readonly #present: readonly unknown[];
  readonly #parent: unknown;
  readonly #key: string;

  constructor(item: Kind, items: readonly unknown[], at: WritePlace) {
    super();
    this.#item = item;
    this.#items = items;
    this.#stored = items.slice(); // as long as it will be: each place is written over
    this.size = items.length;
    this.#present = presentIn(at);
    this.#parent = at.parent;
    this.#key = at.key;
  }

  next(at: WriteContext): unknown {
    at.parent = this.#parent;
    at.key = this.#key;
    this.index = this.#item.enterNew?.(this.#items, this.index, this.#stored, at) ?? this.index;
    // items that need no frame are taken in one go
    for (;;) {
      at.existing = this.#present[this.index];
      const stored = this.#item.enter(this.#items[this.index], at);
      if (stored instanceof WriteFrame || this.index === this.size - 1) return stored;
      this.accept(stored);
      this.index += 1;
    }
  }

  accept(stored: unknown): void {
    this.#stored[this.index] = stored;
  }

  finish(_at: WriteContext): unknown {
    return this.#stored;
  }

  step(): string {
    return `[${this.index}]`;
  }
}

/** What the view under construction had here the last time, where that is good still; else it is opened. */
export function openPart(kind: Kind, stored: unknown, at: ReadContext): unknown {
  const known = at.recall(stored, kind);
  return known === null ? kind.open(stored, at) : known.value;
}

/** The items' values: what is missing or deleted is left out, null stays. A frame from the first item on that needs one. */
export function openItems(item: Kind, stored: readonly unknown[], at: ReadContext): unknown {
  const values: unknown[] = [];
  for (let index = 0; index < stored.length; index += 1) {
    const value = openPart(item, stored[index], at);
    if (value instanceof ReadFrame) return new ArrayRead(item, stored, values, index, value);
    if (isThere(value)) values.push(value);
  }
  return values;
}

class ArrayRead extends ReadFrame {
  static readonly specimen: object = new ArrayRead({} as never, [], [], 0, null); // cast: never run
  readonly size: number;
  readonly #item: Kind;
  readonly #stored: readonly unknown[];
  readonly #values: unknown[];
  #opened: ReadFrame | null;

  constructor(
    item: Kind,
    stored: readonly unknown[],
    values: unknown[],
    index: number,
    opened: ReadFrame | null,
  ) {
    super();
    this.#item = item;
    this.#stored = stored;
    this.#values = values;
    this.#opened = opened;
    this.index = index;
    this.size = stored.length;
  }

  next(at: ReadContext): unknown {
    const opened = this.#opened;
    if (opened !== null) {
      this.#opened = null;
      return opened;
    }
    for (;;) {
      const value = openPart(this.#item, this.#stored[this.index], at);
      if (value instanceof ReadFrame || this.index === this.size - 1) return value;
      this.accept(value);
      this.index += 1;
    }
  }

  accept(value: unknown): void {
    if (isThere(value)) this.#values.push(value);
  }

  finish(_at: ReadContext): unknown {
    return this.#values;
  }
}
