// Writes an entity's nested fields one after the other, then stores the whole. Made by entity-kind.ts.
import { ownValue } from '../store/fields.ts';
import { View } from '../store/view.ts';
import type { Fields, Row } from '../store/nodes.ts';
import { itemsOf } from '../store/small-set.ts';
import { WriteFrame } from './protocol.ts';
import { NO_PARTS } from './entity-read.ts';
import type { Parts } from './entity-read.ts';
import type { Kind, WriteContext } from './protocol.ts';

/** What the frame needs to know of an entity kind. */
export interface EntityWriter {
  /** Whether a hook of the class may look at what is around the object. */
  readonly isContextual: boolean;
  store(row: Row | null, fields: Fields, at: WriteContext): unknown;
}

export class EntityWrite extends WriteFrame {
  static readonly specimen: object = new EntityWrite({} as never, null, NO_PARTS, {}, {}); // cast: never run
  readonly size: number;
  override readonly source: object;
  override readonly isContextual: boolean;
  readonly #row: Row | null;
  readonly #kind: EntityWriter;
  readonly #names: readonly string[];
  readonly #kinds: readonly Kind[];
  readonly #fields: Record<string, unknown>;

  constructor(kind: EntityWriter, row: Row | null, parts: Parts, fields: Fields, source: object) {
    super();
    this.source = source;
    this.isContextual = kind.isContextual;
    this.#kind = kind;
    this.#row = row;
    this.#names = parts.names;
    this.#kinds = parts.kinds;
    this.size = parts.names.length;
    this.#fields = fields as Record<string, unknown>; // cast: ours until it is stored
  }

  override get row(): Row | null {
    return this.#row;
  }

  next(at: WriteContext): unknown {
    const fields = this.#fields;
    const base = this.#row?.base;
    // parts that need no frame are taken in one go
    for (;;) {
      const name = this.#names[this.index]!; // index < size
      at.parent = fields;
      at.key = name;
      at.existing = base ? ownValue(base, name) : undefined;
      const stored = this.#kinds[this.index]!.enter(fields[name], at); // as long as names
      if (stored instanceof WriteFrame || this.index === this.size - 1) return stored;
      this.accept(stored);
      this.index += 1;
    }
  }

  accept(stored: unknown): void {
    // an own field already, so assigning is safe whatever its name
    this.#fields[this.#names[this.index]!] = stored; // index < size
  }

  finish(at: WriteContext): unknown {
    return this.#kind.store(this.#row, this.#fields, at);
  }

  step(): string {
    return `.${this.#names[this.index]}`;
  }
}

/** Writes parts in which nothing is nested on the spot: a frame costs more than they do. */
export function enterLeaves(
  row: Row | null,
  { names, kinds }: Parts,
  fields: Fields,
  at: WriteContext,
): void {
  const { parent, key, existing } = at;
  const base = row?.base;
  const own = fields as Record<string, unknown>; // cast: ours until it is stored
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!; // index < length
    at.parent = fields;
    at.key = name;
    at.part = name;
    at.existing = base ? ownValue(base, name) : undefined;
    own[name] = kinds[index]!.enter(fields[name], at); // as long as names
  }
  at.part = null;
  at.parent = parent;
  at.key = key;
  at.existing = existing;
}

export function createParts(names: readonly string[], kinds: readonly Kind[]): Parts {
  return { names, kinds, areLeaves: kinds.every((kind) => kind.isLeaf) };
}

/** Whether the value is the instance that readers of the row have now. */
export function isShown(value: object, row: Row): boolean {
  const { dependents } = row;
  // asked of every object of a payload: no list is made for the usual none or one
  if (dependents === null || dependents instanceof View) return dependents?.value === value;
  return itemsOf(dependents).some((view) => view.value === value);
}
