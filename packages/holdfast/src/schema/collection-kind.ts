// How a Collection is written and read: its members like an array's or a map's, then the whole as a list of its own,
// found by its key. Read through one view per list and item schema, shared by all variants of the Collection.
import { List } from '../store/nodes.ts';
import type { Fields, ListIdentity, ListPolicy, Table, View } from '../store/nodes.ts';
import { NamedMember, rowOf } from '../store/reference.ts';
import { putField } from '../store/fields.ts';
import { isByServer } from '../store/membership.ts';
import { ArrayWrite, itemsOf } from './array-kind.ts';
import { beginList, endList, openMembers } from './list-read.ts';
import { INVALID, ReadFrame, UNKNOWN } from './protocol.ts';
import type { Kind, QueryContext, ReadContext, TableOwner, WriteContext } from './protocol.ts';
import { share } from './share.ts';
import { membersOf, ValuesWrite } from './values.ts';

/** What the kind asks of the Collection it belongs to. */
export interface CollectionHooks {
  readonly isKeyed: boolean;
  readonly item: () => Kind;
  readonly policy: ListPolicy | null;
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
    return at.listTable(this.owners());
  }

  enter(value: unknown, at: WriteContext): unknown {
    if (value === null || value === undefined) return value;
    const row = at.parentRow();
    const identity = this.#hooks.identity({
      value,
      parent: at.parent,
      key: at.key,
      args: at.args,
      parentName: row === null ? undefined : JSON.stringify([row.table.key, row.pk]),
    });
    const list = at.list(this.table(at), identity);
    const item = this.#hooks.item();
    const done = (members: readonly unknown[]): List => {
      const cursor = this.#hooks.cursorOf(at.args);
      at.effects.lists.push({
        list,
        members,
        cursor,
        policy: this.#hooks.policy,
        isByServer: isByServer(list, saidOf(members, at)),
      });
      return list;
    };
    return this.#hooks.isKeyed
      ? new NamedMembersWrite(item, membersOf(value, at), done)
      : new MembersWrite(item, itemsOf(value, item, at), at, done);
  }

  open(stored: unknown, at: ReadContext): unknown {
    return stored instanceof List
      ? at.view(stored, memberKind(this.#hooks.item(), this.#hooks.isKeyed))
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
    const list = at.findList(this.table(at), identity);
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

/** Writes the items and hands them over. */
export class MembersWrite extends ArrayWrite {
  static override readonly specimen: object = new MembersWrite(
    {} as never, // cast: never run
    [],
    { parent: undefined, key: '' },
    () => undefined,
  );
  readonly #done: (members: readonly unknown[], at: WriteContext) => unknown;

  constructor(
    item: Kind,
    items: readonly unknown[],
    at: Pick<WriteContext, 'parent' | 'key'>,
    done: (members: readonly unknown[], at: WriteContext) => unknown,
  ) {
    super(item, items, at);
    this.#done = done;
  }

  override finish(at: WriteContext): unknown {
    return this.#done(super.finish(at) as readonly unknown[], at); // cast: what ArrayWrite gives
  }
}

export class NamedMembersWrite extends ValuesWrite {
  readonly #done: (members: readonly unknown[], at: WriteContext) => unknown;

  constructor(
    item: Kind,
    input: Record<string, unknown>,
    done: (members: readonly unknown[], at: WriteContext) => unknown,
  ) {
    super(item, input);
    this.#done = done;
  }

  override finish(at: WriteContext): unknown {
    return this.#done(
      this.names.map((name) => new NamedMember(name, this.stored[name])),
      at,
    );
  }
}

const arrays = new WeakMap<Kind, MemberKind>();
const maps = new WeakMap<Kind, MemberKind>();

function memberKind(item: Kind, isKeyed: boolean): MemberKind {
  const made = isKeyed ? maps : arrays;
  let kind = made.get(item);
  if (!kind) made.set(item, (kind = new MemberKind(item, isKeyed)));
  return kind;
}

/** Reads a list's members with one item schema. */
class MemberKind implements Kind {
  readonly #item: Kind;
  readonly #isKeyed: boolean;

  constructor(item: Kind, isKeyed: boolean) {
    this.#item = item;
    this.#isKeyed = isKeyed;
  }

  enter(value: unknown): unknown {
    return value;
  }

  open(stored: unknown, at: ReadContext): unknown {
    return at.view(stored as List, this); // cast: this kind is opened on lists only
  }

  openView(view: View, at: ReadContext): unknown {
    const list = view.subject as List; // cast: this kind makes views of lists only
    if (!list.exists && list.layers === null) {
      at.complete(view, undefined);
      return undefined;
    }
    return this.#isKeyed
      ? new NamedMembersRead(view, this.#item, list.shown)
      : openMembers(view, this.#item, list.shown);
  }

  query(): unknown {
    return UNKNOWN;
  }
}

class NamedMembersRead extends ReadFrame {
  readonly size: number;
  override readonly view: View;
  readonly #item: Kind;
  readonly #members: readonly unknown[];
  readonly #previous: unknown;
  readonly #value: Record<string, unknown>;

  constructor(view: View, item: Kind, members: readonly unknown[]) {
    super();
    this.view = view;
    this.#item = item;
    this.#members = members;
    this.size = members.length;
    this.#previous = view.value;
    this.#value = beginList(view, {});
  }

  #member(): NamedMember {
    return this.#members[this.index] as NamedMember; // cast: a keyed list holds no other
  }

  next(at: ReadContext): unknown {
    return this.#item.open(this.#member().member, at);
  }

  accept(value: unknown): void {
    if (value !== undefined && value !== INVALID) putField(this.#value, this.#member().name, value);
  }

  finish(at: ReadContext): unknown {
    endList(this.#value);
    const value = this.isShared ? this.#value : share(this.#previous, this.#value);
    at.complete(this.view, value);
    return value;
  }
}
