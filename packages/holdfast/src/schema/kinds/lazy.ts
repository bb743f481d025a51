// `schema.Lazy`: a part that is stored like any other but read as plain ids, and resolved on demand. Keeps huge or
// circular graphs out of a view until a reader asks for them.
import { kindOf } from './kind-of.ts';
import { toPlain } from '../../store/stored-form.ts';
import { KIND, queryKind, UNKNOWN } from '../protocol/protocol.ts';
import type { Kind, QueryContext, ReadContext, TableOwner, WriteContext } from '../protocol/protocol.ts';
import type {
  ARGS,
  Denormalize,
  DenormalizeNullable,
  Normalize,
  OUT,
  OUT_NULLABLE,
  SchemaArgs,
  STORED,
} from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/**
 * Reads as the stored ids; `.query` resolves them where they are needed.
 *
 * @example
 * class Group extends Entity {
 *   id = '';
 *   members: string[] = [];
 *   static override key = 'Group';
 *   static override schema = { members: new schema.Lazy([User]) };
 * }
 * function Members({ group }: { group: Group }) {
 *   return <p>{useQuery(Group.schema.members.query, group.members)?.map((user) => user.name)}</p>;
 * }
 */
export class Lazy<S> implements Walkable {
  declare readonly [OUT]: Normalize<S>;
  declare readonly [OUT_NULLABLE]: Normalize<S> | undefined;
  declare readonly [STORED]: Normalize<S>;
  declare readonly [ARGS]: never;
  readonly [KIND]: Kind;
  readonly schema: S;
  /** Resolves what the lazy part holds: `useQuery(lazy.query, ids)`. A Collection's arguments do as well. */
  readonly query: LazyQuery<S>;

  constructor(schema: S) {
    this.schema = schema;
    const inner = (): Kind => kindOf(schema);
    this.query = new LazyQuery<S>(inner);
    this[KIND] = {
      enter: (value: unknown, at: WriteContext) => inner().enter(value, at),
      open: (stored: unknown) => toPlain(stored),
      owners: (): readonly TableOwner[] => inner().owners?.() ?? [],
    };
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return { kind: 'Lazy', schemas: [this.schema], with: (change) => new Lazy(change(this.schema)) };
  }
}

class LazyQuery<S> {
  declare readonly [OUT]: Denormalize<S>;
  declare readonly [OUT_NULLABLE]: DenormalizeNullable<S>;
  declare readonly [STORED]: Normalize<S>;
  declare readonly [ARGS]: [stored: Normalize<S>] | SchemaArgs<S>;
  readonly [KIND]: Kind;

  constructor(inner: () => Kind) {
    this[KIND] = {
      enter: (value: unknown, at: WriteContext) => inner().enter(value, at),
      open: (stored: unknown, at: ReadContext) => inner().open(stored, at),
      query: (args: readonly unknown[], at: QueryContext) => {
        const kind = inner();
        const { form, owners } = kind;
        const isList = kind.query !== undefined && form !== undefined && owners !== undefined;
        if (isList && typeof args[0] === 'string') {
          // the name that its parent's plain form holds
          const table = at.engine.listTable(owners());
          const list = table.lists.get(args[0]);
          if (list) return list;
          at.depend(table); // it may come with rows
        }
        const found = queryKind(kind, args, at);
        const canRestore = found === UNKNOWN && args[0] !== undefined && !isList;
        return canRestore ? at.engine.restore(kind, args[0]) : found;
      },
    };
  }
}
