// Writes an entity's nested fields one after the other, then stores the whole; and the steps of writing that need no
// frame. Used by entity-kind.ts.
import type { Effects } from '../store/effects.ts';
import { countNames, countSame, ownValue, putField } from '../store/fields.ts';
import { Row } from '../store/nodes.ts';
import type { Fields, Table } from '../store/nodes.ts';
import { View } from '../store/view.ts';
import { itemsOf } from '../store/small-set.ts';
import { copyPlain } from '../support/copy-plain.ts';
import { WriteFrame } from './protocol.ts';
import { NO_PARTS } from './entity-parts.ts';
import type { Parts } from './entity-parts.ts';
import type { Kind, WriteContext } from './protocol.ts';

/** What the frame needs to know of an entity kind. */
export interface EntityWriter {
  /** Whether a hook of the class may look at what is around the object. */
  readonly isContextual: boolean;
  store(row: Row | null, fields: Fields, at: WriteContext): unknown;
}

export class EntityWrite extends WriteFrame {
  static readonly specimen: object = new EntityWrite({} as never, null, NO_PARTS, {}, {}, 0); // cast: never run
  readonly size: number;
  override readonly source: object;
  override readonly isContextual: boolean;
  readonly #row: Row | null;
  readonly #kind: EntityWriter;
  readonly #names: readonly string[];
  readonly #kinds: readonly Kind[];
  readonly #fields: Record<string, unknown>;

  /** `from` is the first part that is not written yet. */
  constructor(
    kind: EntityWriter,
    row: Row | null,
    parts: Parts,
    fields: Fields,
    source: object,
    from: number,
  ) {
    super();
    this.index = from;
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

/**
 * Writes the first parts on the spot, up to one in which something is nested: a frame costs more than they do. Gives the
 * place of that one, or their number.
 */
export function enterLeaves(
  row: Row | null,
  { names, kinds, leaves }: Parts,
  fields: Fields,
  at: WriteContext,
): number {
  const { parent, key, existing } = at;
  const base = row?.base;
  const own = fields as Record<string, unknown>; // cast: ours until it is stored
  let index = 0;
  for (; index < leaves; index += 1) {
    const name = names[index]!; // index < length
    at.parent = fields;
    at.key = name;
    at.part = name;
    at.existing = base ? ownValue(base, name) : undefined;
    const stored = kinds[index]!.enter(fields[name], at); // as long as names
    // no leaf any more: it is entered again, from a frame
    if (stored instanceof WriteFrame) break;
    own[name] = stored;
  }
  at.part = null;
  at.parent = parent;
  at.key = key;
  at.existing = existing;
  return index;
}

/** The payload is somebody else's: what is stored of it is ours alone. Nested parts are copied when they are entered. */
export function copyFields(fields: Fields, nested: ReadonlyMap<string, Kind> | null): Fields {
  const copy: Record<string, unknown> = { ...fields };
  for (const name in copy) {
    const value = copy[name];
    if (typeof value !== 'object' || value === null || !Object.hasOwn(copy, name)) continue;
    if (!nested?.has(name)) putField(copy, name, copyPlain(value));
  }
  return copy;
}

/** Whether it is an object with a name of its own. */
export function hasTextId(value: unknown): value is Fields & { readonly id: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { id } = value as Fields; // cast: asked by name
  return typeof id === 'string' && id !== '';
}

/**
 * The row of a name. What stood in this place before nearly always stands there now: then it need not be looked up, and a
 * collection need not hear of it, since whatever holds it is in use.
 */
export function findRow(table: Table, pk: string, at: WriteContext): Row {
  const { existing } = at;
  // one to which nothing rare has happened: a draft's own name leads elsewhere
  const isIt = existing instanceof Row && existing.pk === pk && existing.table === table && existing.isPlain;
  return isIt ? existing : at.row(table, pk);
}

/** Whether all of it was said before, and so is taken as said: an author under each of a hundred comments, a refetch. */
export function acceptKnown(row: Row, fields: Fields, { effects }: WriteContext): boolean {
  const said = effects.saidOf(row);
  if (said !== undefined && countSame(fields, said) >= 0) return true;
  const { base } = row;
  if (!base || countSame(fields, base) !== countNames(base)) return false;
  effects.upsert(row, base, null);
  return true;
}

/**
 * Writes the items of a payload off the wire into a table without rows, as it is at nearly every first answer. There a
 * name need not be looked up before it is put in: if the table does not grow by it, it was there. Gives the place of the
 * first item with which there is more to it.
 */
export function enterNewRows(
  table: Table,
  items: readonly unknown[],
  from: number,
  stored: unknown[],
  effects: Effects,
): number {
  const { rows } = table;
  if (rows.size > 0) return from;
  let index = from;
  // the last is the walk's own: it asks for a stored form
  for (; index < items.length - 1; index += 1) {
    const fields = items[index];
    if (!hasTextId(fields)) break;
    const { id } = fields;
    const row = new Row(table, id);
    rows.set(id, row);
    if (rows.size === index - from) {
      // it comes a second time: the first row gets its place back
      const first = stored.find((one) => one instanceof Row && one.pk === id);
      rows.set(id, first as Row); // cast: stored by this loop
      break;
    }
    effects.upsert(row, fields, null);
    stored[index] = row;
  }
  return index;
}

/** Whether the value is the instance that readers of the row have now. */
export function isShown(value: object, row: Row): boolean {
  const { dependents } = row;
  // asked of every object of a payload: no list is made for the usual none or one
  if (dependents === null || dependents instanceof View) return dependents?.value === value;
  return itemsOf(dependents).some((view) => view.value === value);
}
