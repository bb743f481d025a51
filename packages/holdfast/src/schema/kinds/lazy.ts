// `schema.Lazy`: a nested value that is stored like any other, but read as plain ids. `.query` reads the entities on demand. So a
// large or circular graph is part of a view only when a reader needs it.
import { kindOf } from './kind-of.ts';
import { toPlain } from '../../store/stored-form.ts';
import { isCollection, KIND, ownersOf, queryKind, UNKNOWN } from '../protocol/protocol.ts';
import type { HasQuery, HasOwners, Kind } from '../protocol/protocol.ts';
import type {
  ARGS,
  Denormalize,
  DenormalizeNullable,
  Normalize,
  OUT,
  OUT_MAYBE,
  SchemaArgs,
  STORED,
} from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/**
 * A nested value that readers get as the stored ids. `.query` reads the entities where they are needed.
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
  declare readonly [OUT_MAYBE]: Normalize<S> | undefined;
  declare readonly [STORED]: Normalize<S>;
  declare readonly [ARGS]: never;
  readonly [KIND]: Kind;
  readonly schema: S;
  /**
   * Reads the entities of the stored ids: `useQuery(lazy.query, ids)`. The arguments of the schema itself, such as those of a
   * Collection, work as well.
   */
  readonly query: LazyQuery<S>;

  constructor(schema: S) {
    this.schema = schema;
    const inner = (): Kind => kindOf(schema);
    this.query = new LazyQuery<S>(inner);
    const kind: Kind & HasOwners = {
      enter: (value, at) => inner().enter(value, at),
      open: (stored) => toPlain(stored),
      owners: () => ownersOf(inner()),
    };
    this[KIND] = kind;
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return { kind: 'Lazy', schemas: [this.schema], with: (change) => new Lazy(change(this.schema)) };
  }
}

class LazyQuery<S> {
  declare readonly [OUT]: Denormalize<S>;
  declare readonly [OUT_MAYBE]: DenormalizeNullable<S>;
  declare readonly [STORED]: Normalize<S>;
  declare readonly [ARGS]: [stored: Normalize<S>] | SchemaArgs<S>;
  readonly [KIND]: Kind;

  constructor(inner: () => Kind) {
    const own: Kind & HasQuery = {
      enter: (value, at) => inner().enter(value, at),
      open: (stored, at) => inner().open(stored, at),
      query: (args, at) => {
        const kind = inner();
        const isList = isCollection(kind);
        if (isList && typeof args[0] === 'string') {
          // The argument may be the list's id, which is the plain form of the list in its parent.
          const table = at.engine.listTable(ownersOf(kind));
          const list = table.lists.get(args[0]);
          if (list) return list;
          at.depend(table); // the list may be stored later
        }
        const found = queryKind(kind, args, at);
        const canRestore = found === UNKNOWN && args[0] !== undefined && !isList;
        return canRestore ? at.engine.toStored(kind, args[0]) : found;
      },
    };
    this[KIND] = own;
  }
}
