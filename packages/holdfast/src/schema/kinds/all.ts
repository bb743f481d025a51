// `schema.All`: every cached entity of a type, wherever it came from; follows additions and removals.
import type { Table } from '../../store/nodes.ts';
import type { View } from '../../store/view.ts';
import { enterItems, itemsOf } from './array-kind.ts';
import { openMembers } from './list-read.ts';
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import type { Kind, QueryContext, ReadContext, TableOwner, WriteContext } from '../protocol/protocol.ts';
import { TaggedReference } from '../../store/reference.ts';
import { Row } from '../../store/nodes.ts';
import type { ARGS, Denormalize, Normalize, OUT, OUT_NULLABLE, STORED } from '../protocol/schema.types.ts';

/**
 * All entities of a type as an array.
 *
 * @example
 * const openTodos = new schema.Query(new schema.All(Todo), (todos) => todos.filter((todo) => !todo.completed));
 */
export class All<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<ItemOf<S>>[];
  declare readonly [OUT_NULLABLE]: Denormalize<ItemOf<S>>[] | undefined;
  declare readonly [STORED]: Normalize<ItemOf<S>>[];
  declare readonly [ARGS]: readonly unknown[];

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.All', definition, attribute, (item) => new AllKind(item));
  }
}

/** What an answer to an All endpoint leaves beside the live table: objects for which the mapping has no entry. */
class Leftovers {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }

  isSame(other: unknown): boolean {
    return other instanceof Leftovers && other.values.length === 0 && this.values.length === 0;
  }
}

// keyed by the users' own classes: every All over a type reads one view
const tableKinds = new WeakMap<object, TableKind>();

class AllKind implements Kind {
  readonly #item: () => Kind;

  constructor(item: () => Kind) {
    this.#item = item;
  }

  enter(value: unknown, at: WriteContext): unknown {
    const item = this.#item();
    return new Leftovers(
      enterItems(item, itemsOf(value, item, at), at).filter(
        (one) =>
          typeof one === 'object' &&
          one !== null &&
          !(one instanceof Row) &&
          !(one instanceof TaggedReference),
      ),
    );
  }

  open(stored: unknown, at: ReadContext): unknown {
    const leftovers = stored instanceof Leftovers ? stored.values : [];
    const parts = this.#tableKinds().map((kind) => at.view(at.table(kind.owner), kind) as readonly unknown[]); // cast: a table reads as an array
    return parts.length === 1 && leftovers.length === 0 ? parts[0] : [...parts.flat(), ...leftovers];
  }

  query(_args: readonly unknown[], _at: QueryContext): unknown {
    return new Leftovers([]);
  }

  owners(): readonly TableOwner[] {
    return this.#item().owners?.() ?? [];
  }

  /** One view per table, whatever the entry under which a mapping names its entity. */
  #tableKinds(): TableKind[] {
    return [...new Set(this.owners())].map((owner) => {
      let kind = tableKinds.get(owner);
      if (!kind) tableKinds.set(owner, (kind = new TableKind(owner)));
      return kind;
    });
  }
}

/** The rows of one table as a list. */
class TableKind implements Kind {
  readonly owner: TableOwner & Kind;

  constructor(owner: TableOwner) {
    this.owner = owner as TableOwner & Kind; // cast: tables are named by entity kinds
  }

  enter(value: unknown): unknown {
    return value;
  }

  open(stored: unknown, at: ReadContext): unknown {
    return at.view(stored as Table, this); // cast: this kind is opened on tables only
  }

  openView(view: View, at: ReadContext): unknown {
    const table = view.subject as Table; // cast: this kind makes views of tables only
    table.present ??= [...table.rows.values()].filter((row) => row.shown);
    return openMembers(view, this.owner, table.present, at);
  }

  query(): unknown {
    return undefined;
  }
}
