// How a Collection is written and read: its members like an array's or a map's, then the whole as a list of its own,
// found by its key. Read through one view per list and item schema, shared by all variants of the Collection.
import { List } from '../../store/nodes.ts';
import type { ListIdentity, MergePage } from '../../store/list-identity.ts';
import type { Fields, Table } from '../../store/nodes.ts';
import type { View } from '../../store/view.ts';
import { rowOf } from '../../store/reference.ts';
import { isByServer } from '../../store/membership.ts';
import { enterItems, itemsOf, openItems } from '../kinds/array-kind.ts';
import { openMembers } from '../kinds/list-read.ts';
import { toPlain } from '../../store/plain-form.ts';
import { UNKNOWN } from '../protocol/protocol.ts';
import { runOnce } from '../protocol/run-hook.ts';
import type {
  Kind,
  ListForm,
  QueryContext,
  ReadContext,
  TableOwner,
  ViewReader,
  WriteContext,
} from '../protocol/protocol.ts';

/** What the kind asks of the Collection it belongs to. */
export interface CollectionHooks {
  readonly form: ListForm;
  readonly item: () => Kind;
  readonly merge: MergePage | null;
  /** For a next-page Collection: the cursor in the arguments. */
  cursorOf(args: readonly unknown[]): string | undefined;
  identity(place: Place): ListIdentity;
}

/** Where a list stands: in the arguments of an endpoint, or in a field of a parent. */
export interface Place {
  readonly value: unknown;
  readonly parent: unknown;
  readonly key: string;
  readonly args: readonly unknown[];
  /** The entity around it, as `key pk`; undefined at the top. */
  readonly parentName: string | undefined;
}

export class CollectionKind implements Kind {
  readonly #hooks: CollectionHooks;

  constructor(hooks: CollectionHooks) {
    this.#hooks = hooks;
  }

  owners(): readonly TableOwner[] {
    return this.#hooks.item().owners?.() ?? [];
  }

  table(at: WriteContext | QueryContext): Table {
    return at.engine.listTable(this.owners());
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const row = at.around;
    const identity = this.#hooks.identity({
      value,
      parent: at.parent,
      key: at.key,
      args: at.args,
      parentName: row === null ? undefined : JSON.stringify([row.table.key, row.pk]),
    });
    const list = at.engine.store.list(this.table(at), identity);
    at.existing = list.base;
    at.fill(value, () => {
      const members = this.#hooks.form.write(this.#hooks.item(), value, at);
      at.effects.lists.push({
        list,
        members,
        cursor: this.#hooks.cursorOf(at.args),
        merge: this.#hooks.merge && runOnce(this.#hooks.merge),
        isByServer: isByServer(list, saidOf(members, at)),
      });
    });
    return list;
  }

  open(stored: unknown, at: ReadContext): unknown {
    return stored instanceof List
      ? at.view(stored, memberReader(this.#hooks.item(), this.#hooks.form))
      : stored;
  }

  /** A list by the name that its parent's plain form holds. */
  recall(plain: unknown, at: QueryContext): unknown {
    if (typeof plain !== 'string') return undefined;
    const table = this.table(at);
    const list = table.lists.get(plain);
    if (list === undefined) at.depend(table); // it may come with rows
    return list;
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    const identity = this.#hooks.identity({
      value: undefined,
      parent: undefined,
      key: '',
      args,
      parentName: undefined,
    });
    const list = at.engine.store.list(this.table(at), identity);
    // further pages alone do not make the list
    if (list.exists && list.segments[0]?.cursor === null) return list;
    at.depend(list);
    return UNKNOWN;
  }
}

/** What the payload says of each member. */
function* saidOf(members: readonly unknown[], { effects }: WriteContext): Iterable<Fields | undefined> {
  for (const member of members) {
    const row = rowOf(member);
    if (row) yield effects.saidOf(row);
  }
}

/** A list's members as an array. */
export const arrayForm: ListForm = {
  isKeyed: false,
  readers: new WeakMap(),
  write: (item, value, at) => enterItems(item, itemsOf(value, item, at), at),
  read: openMembers,
  take: (value) => (Array.isArray(value) ? value : [value]),
  // one item sent, one item read back
  keep: (members, value) => (Array.isArray(value) ? members : members[0]),
  openKept: (item, stored, at) =>
    Array.isArray(stored) ? openItems(item, stored as unknown[], at) : at.open(item, stored), // cast: any[] to unknown[]
  toPlain: (members) => members.map(toPlain),
};

function memberReader(item: Kind, form: ListForm): ViewReader {
  let reader = form.readers.get(item);
  if (!reader) form.readers.set(item, (reader = new MemberReader(item, form)));
  return reader;
}

/** Reads a list's members with one item schema. */
class MemberReader implements ViewReader {
  readonly #item: Kind;
  readonly #form: ListForm;

  constructor(item: Kind, form: ListForm) {
    this.#item = item;
    this.#form = form;
  }

  build(view: View, at: ReadContext): void {
    const list = view.subject as List; // cast: this reader makes views of lists only
    if (list.exists || list.layers !== null) this.#form.read(view, this.#item, list.shown, at);
    else at.complete(view, undefined);
  }
}
