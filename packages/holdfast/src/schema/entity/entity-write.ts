// The steps of writing an entity: which row it is, what is nested in it, what of it is known. Used by entity-kind.ts.
import type { Effects } from '../../store/effects.ts';
import { countNames, countSame, ownValue, putField } from '../../store/fields.ts';
import { Row } from '../../store/nodes.ts';
import type { Fields, Table } from '../../store/nodes.ts';
import { View } from '../../store/view.ts';
import { itemsOf } from '../../store/small-set.ts';
import { copyPlain } from '../../support/copy-plain.ts';
import type { Parts } from './entity-parts.ts';
import type { Kind, WriteContext } from '../protocol/protocol.ts';

/** Writes what is nested, in its place among the fields. */
export function enterParts(row: Row | null, { names, kinds }: Parts, fields: Fields, at: WriteContext): void {
  const own = fields as Record<string, unknown>; // cast: the payload's object, or a copy of it
  const base = row?.base;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!; // index < length
    at.place(name, fields, name, base ? ownValue(base, name) : undefined);
    own[name] = kinds[index]!.enter(fields[name], at);
  }
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
// fast: N3, test/property/order
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
