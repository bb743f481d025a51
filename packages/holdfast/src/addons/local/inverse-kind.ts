// The kind of an inverse field. Its value is computed from the rows that refer to the row of the field, so both ends of a relation
// follow from one stored field, and the two ends cannot differ.
//
//   reading   index of `author` ─▶ the posts of this author ─▶ sorted as the list of this author, if there is one
//   writing   posts of an author's response ─▶ rows with this author, and the list of this author
import { Row } from '../../store/nodes.ts';
import type { Fields, List, Table } from '../../store/nodes.ts';
import { fieldOf, hasField } from '../../store/fields.ts';
import { hasSameItems } from '../../store/graph.ts';
import type { View } from '../../store/graph.ts';
import { rowOf } from '../../store/stored-form.ts';
import { EntityKind } from '../../schema/entity/entity-kind.ts';
import { ArrayKind, inputItems } from '../../schema/kinds/array-kind.ts';
import { kindOf } from '../../schema/kinds/kind-of.ts';
import { beginList, endList } from '../../schema/kinds/list-read.ts';
import { isPointer, isRowKind, isThere, ownersOf } from '../../schema/protocol/protocol.ts';
import type {
  FormFiller,
  Host,
  Kind,
  QueryContext,
  ReadContext,
  ViewReader,
  WriteContext,
} from '../../schema/protocol/protocol.ts';
import { ensure } from '../../support/ensure.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject, isPlain } from '../../support/plain.ts';
import { InverseItems } from './inverse-items.ts';
import { listOf } from './list-of.ts';

/** The kind of a Collection. It can also fill lists: see `FormFiller`. */
export type ListKind = Kind & FormFiller;

/** The source of the items of an inverse field. */
export interface InverseRule {
  /** The entity class that has the relation. */
  readonly of: () => unknown;
  /** The field of the relation. */
  readonly field: string;
  /** The kind of a list with the same rows; undefined without the option `list`. */
  readonly list: () => ListKind | undefined;
  /** The name of the list's argument that contains the row's primary key. */
  readonly by: string;
}

export class InverseKind implements Kind, ViewReader {
  readonly isDerived = true;
  readonly #rule: InverseRule;

  constructor(rule: InverseRule) {
    this.#rule = rule;
  }

  // ── writing ──────────────────────────────────────────────────────────────────────────────────

  /**
   * Writes the rows and, with the option `list` and unless the row is a draft, the list of these rows. Returns the stored form of
   * the field, which no reader gets.
   */
  enter(value: unknown, at: WriteContext): unknown {
    const { existing, enclosingRow: row, engine, effects } = at;
    // Nothing is written in three cases: the value is not an object; it is an array that such a field has shown, so it contains no
    // data of the server; or the entity has no primary key.
    if (!isObject(value) || value instanceof InverseItems || !row) return existing;
    const [item] = this.#relation(row.table, engine);
    const pk = effects.namings.find((naming) => naming.row === row)?.pk ?? row.pk;
    const items = inputItems(value, at).map((one) => this.#withRelation(one, item, pk));
    const kind = this.#rule.list();
    const list = kind && pk !== row.localId ? listOf(kind, this.#argsOf(pk), engine) : undefined;
    if (list) at.existing = list.base;
    at.fill(list ? kind! : new ArrayKind(() => item), items, list ?? [...items]); // a list has its kind
    return list ?? existing;
  }

  /**
   * An item that omits its relation belongs to the row that contains the item. If the schema of the relation is not an entity
   * class, the item is not changed: for example, an item with an array may belong to other rows too.
   */
  #withRelation(value: unknown, item: EntityKind, pk: string): unknown {
    const { field } = this.#rule;
    if (!isPlain(value) || !(kindOfField(item, field) instanceof EntityKind)) return value;
    const own = item.withOwnNames(value) as Fields; // cast: an object stays one
    return hasField(own, field) ? value : { ...value, [field]: pk };
  }

  // ── reading ──────────────────────────────────────────────────────────────────────────────────

  /** `stored` is the row that has the field; undefined for an entity without a primary key, to which no row refers. */
  open(stored: unknown, at: ReadContext): unknown {
    return stored instanceof Row ? at.readNode(stored, this) : new InverseItems('');
  }

  build(view: View, at: ReadContext): void {
    const { value: previous } = view;
    const row = view.subject as Row; // cast: `open` makes views of rows only
    const [item, owner] = this.#relation(row.table, at.engine);
    const name = owner.parts.find(({ kind }) => kind === this)?.name;
    const entry = at.engine.store.indexEntry(at.engine.tableOf(item), this.#rule.field, row);
    at.depend(entry);
    const list = this.#readList(row, at);
    const values = beginList(view, (at.unfinishedOf(view) ?? new InverseItems(name)) as unknown[]); // cast: made here
    values.length = 0;
    // After the row of the server has replaced a draft, the index still has the draft; `rowOf` returns the row of the server.
    const found = new Set([...entry.rows].map((one) => rowOf(one)!));
    const rows = [...found].filter((one) => refersTo(fieldOf(at.stateOf(one, item), this.#rule.field), row));
    for (const one of sortRows(rows, list)) {
      const value = at.open(item, one);
      if (isThere(value)) values.push(value);
    }
    if (at.isWaiting) return;
    endList(values);
    const isKept = previous instanceof InverseItems && !at.isInCycle(view) && hasSameItems(previous, values);
    at.finishView(view, isKept ? previous : values);
  }

  /**
   * The list of the rows that refer to this row; undefined without the option `list`, and for a draft. The view depends on the list
   * even if no response has stored the list yet.
   */
  #readList(row: Row, at: QueryContext): List | undefined {
    const kind = this.#rule.list();
    if (!kind || row.pk === row.localId) return undefined;
    const list = listOf(kind, this.#argsOf(row.pk), at.engine);
    at.depend(list);
    return list;
  }

  // ── the relation ─────────────────────────────────────────────────────────────────────────────

  #argsOf(pk: string): readonly unknown[] {
    return [{ [this.#rule.by]: pk }];
  }

  /**
   * The kind of the items, and the kind of the rows to which they refer. Throws if the field of the items does not refer to rows of
   * this table.
   */
  #relation(table: Table, engine: Host): readonly [item: EntityKind, owner: EntityKind] {
    const { of, field } = this.#rule;
    const item = kindOf(of()) as EntityKind; // cast: typed where it is declared
    const relation = kindOfField(item, field);
    const [owner, other] = relation ? ownersOf(relation) : [];
    const hasPointers = relation && (isRowKind(relation) || isPointer(relation));
    if (!owner || other || !hasPointers || engine.tableOf(owner) !== table)
      throw new HoldfastError('INVERSE_WITHOUT_RELATION', { entity: item.key, field, to: table.key });
    return [item, owner as EntityKind]; // cast: only entities own tables
  }
}

function kindOfField(item: EntityKind, field: string): Kind | undefined {
  return item.parts.find(({ name }) => name === field)?.kind;
}

/** Whether the value of a relation is the row, or an array with the row. */
function refersTo(value: unknown, row: Row): boolean {
  return [value].flat().some((part) => {
    const target = rowOf(part);
    // Another class with the same key may declare no schema for the field: then the field has the primary key itself.
    return target ? target === rowOf(row) : part !== null && String(part) === row.pk;
  });
}

/** Sorts the rows: first the members of the list in its order, then the other rows in the order of their table. */
function sortRows(rows: Row[], list: List | undefined): Row[] {
  const first = new Map(list?.shown.map((member, index) => [rowOf(member), index]));
  const others = rows.filter((row) => !first.has(row));
  const later = others.length > 1 ? placesIn(others[0]!.table) : first; // there is one
  const placeOf = (row: Row): number => first.get(row) ?? first.size + (later.get(row) ?? 0);
  return rows.sort((left, right) => placeOf(left) - placeOf(right));
}

// The indexes of the rows of a table. The key is the array of the rows, which is replaced when a row comes or goes.
const places = new WeakMap<readonly Row[], Map<Row | undefined, number>>();

function placesIn(table: Table): ReadonlyMap<Row | undefined, number> {
  table.presentRows ??= [...table.rows.values()].filter((row) => row.shown);
  const rows = table.presentRows;
  return ensure(places, rows, () => new Map(rows.map((row, index) => [row, index])));
}
