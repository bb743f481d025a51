// `schema.All`: every stored entity of one type, or of several types of a mapping. It does not matter which payload brought the
// entity.
import type { Table } from '../../store/nodes.ts';
import { isObject } from '../../support/plain.ts';
import { enterItems, inputItems } from './array-kind.ts';
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import { rowOf, Wrapped } from '../../store/stored-form.ts';
import { buildListView } from './list-read.ts';
import { ensure } from '../../support/ensure.ts';
import type { View } from '../../store/graph.ts';
import { ownersOf } from '../protocol/protocol.ts';
import type {
  FormFiller,
  HasQuery,
  HasOwners,
  Kind,
  QueryContext,
  ReadContext,
  TableOwner,
  ViewReader,
  WriteContext,
} from '../protocol/protocol.ts';
import type { ARGS, Denormalize, Normalize, OUT, OUT_MAYBE, STORED } from '../protocol/schema.types.ts';

/**
 * All stored entities of one type, or of several types of a mapping, as an array.
 *
 * @example
 * const openTodos = new schema.Query(new schema.All(Todo), (todos) => todos.filter((todo) => !todo.done));
 */
export class All<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<ItemOf<S>>[];
  declare readonly [OUT_MAYBE]: Denormalize<ItemOf<S>>[] | undefined;
  declare readonly [STORED]: Normalize<ItemOf<S>>[];
  declare readonly [ARGS]: readonly unknown[];

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.All', definition, attribute, (item) => new AllKind(item));
  }
}

/**
 * The stored form of a response with schema All: the entities without a primary key, and the objects for which the mapping has no
 * entry. The rows are in the table.
 */
class InlineItems extends Wrapped<readonly unknown[]> {}

// The keys are entity kinds, so that every All of a type reads one view.
const tableReaders = new WeakMap<object, TableReader>();

class AllKind implements Kind, FormFiller, HasQuery, HasOwners {
  readonly needsNoResponse: boolean = true;
  readonly #item: () => Kind;

  constructor(item: () => Kind) {
    this.#item = item;
  }

  enter(value: unknown, at: WriteContext): unknown {
    const items = inputItems(value ?? [], at);
    at.fill(this, value, items);
    return new InlineItems(items, null);
  }

  /** Normalizes the items, then reduces the array to the objects that are no rows. */
  fill(_source: unknown, items: unknown[], at: WriteContext): void {
    let count = 0;
    for (const stored of enterItems(this.#item(), items, at)) {
      if (!isObject(stored) || rowOf(stored)) continue;
      items[count] = stored;
      count += 1;
    }
    items.length = count;
  }

  open(stored: unknown, at: ReadContext): unknown {
    const inline =
      stored instanceof InlineItems ? stored.inside.map((one) => at.open(this.#item(), one)) : [];
    // Each entity type is read once, even if a mapping contains it twice.
    const parts = [...new Set(this.owners())].map(
      (owner) => at.readNode(at.engine.tableOf(owner), readerOfTable(owner)) as readonly unknown[],
    ); // cast: TableReader builds arrays
    return parts.length === 1 && inline.length === 0 ? parts[0] : [...parts.flat(), ...inline];
  }

  query(_args: readonly unknown[], _at: QueryContext): unknown {
    return new InlineItems([], null);
  }

  owners(): readonly TableOwner[] {
    return ownersOf(this.#item());
  }
}

/** The reader that shows all rows of the owner's table as an array. */
export function readerOfTable(owner: TableOwner): TableReader {
  return ensure(tableReaders, owner, () => new TableReader(owner));
}

/** Reads the rows of one table as an array. */
class TableReader implements ViewReader {
  readonly owner: TableOwner & Kind;

  constructor(owner: TableOwner) {
    this.owner = owner as TableOwner & Kind; // cast: every owner of a table is an entity kind
  }

  build(view: View, at: ReadContext): void {
    const table = view.subject as Table; // cast: this reader makes views of tables only
    table.presentRows ??= [...table.rows.values()].filter((row) => row.shown);
    buildListView(view, this.owner, table.presentRows, at);
  }
}
