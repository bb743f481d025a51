// `schema.Query`: a value computed from cached data, by a function or by a declared filter and order. The value is memoized by the
// nodes that were read and by the arguments.
import { INVALID, KIND, ownersOf, queryKind, UNKNOWN } from '../protocol/protocol.ts';
import type {
  HasQuery,
  HasOwners,
  Kind,
  QueryContext,
  ReadContext,
  TableOwner,
  WriteContext,
} from '../protocol/protocol.ts';
import { isRowOrList } from '../../store/nodes.ts';
import { kindOf } from './kind-of.ts';
import type {
  ARGS,
  Denormalize,
  Normalize,
  OUT,
  OUT_MAYBE,
  SchemaArgs,
  STORED,
} from '../protocol/schema.types.ts';
import { share } from '../protocol/share.ts';
import { SortedItems } from './sorted-items.ts';
import type { Arrangement } from './sorted-items.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

/** The function of a query. It gets the value of the schema, then the arguments of the read. */
export type QueryFunction<S, Args extends readonly unknown[], T> = (
  value: Denormalize<S>,
  ...args: Args
) => T;

type QueryItem<S> = Denormalize<S> extends readonly (infer I)[] ? I : never;

/**
 * A value computed from cached data. In look-ups by the same arguments, a function runs again only after a change of the data that
 * it read; with `filter` and `orderBy`, a changed item among thousands is inserted into the sorted array, which is not sorted
 * again.
 *
 * @example
 * const openTodos = new schema.Query(new schema.All(Todo), (todos) => todos.filter((todo) => !todo.done));
 * const byTitle = new schema.Query(TodoResource.getList.schema, { filter: (todo) => !todo.done, orderBy: 'title' });
 */
export class Query<
  S,
  Args extends readonly unknown[] = SchemaArgs<S>,
  T = Denormalize<S>,
> implements Walkable {
  declare readonly [OUT]: T;
  declare readonly [OUT_MAYBE]: T | undefined;
  declare readonly [STORED]: Normalize<S>;
  // If the function declares no arguments, the arguments of the schema are used.
  declare readonly [ARGS]: Args extends readonly [] ? SchemaArgs<S> : Args;
  readonly [KIND]: QueryKind;
  readonly schema: S;
  readonly #process: QueryFunction<S, Args, T> | Arrangement<QueryItem<S>, Args>;

  constructor(schema: S, process: QueryFunction<S, Args, T> | Arrangement<QueryItem<S>, Args>) {
    this.schema = schema;
    this.#process = process;
    this[KIND] = new QueryKind(
      () => kindOf(schema),
      process as ((...args: readonly unknown[]) => unknown) | Arrangement<unknown, readonly unknown[]>, // cast: QueryKind works without the type parameters
    );
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return {
      kind: 'Query',
      schemas: [this.schema],
      with: (change) =>
        new Query(change(this.schema), this.#process as QueryFunction<unknown, never, unknown>), // cast: the type parameters of the changed schema are not known
    };
  }
}

export class QueryKind implements Kind, HasQuery, HasOwners {
  readonly #inner: () => Kind;
  readonly #process: ((...args: readonly unknown[]) => unknown) | Arrangement<unknown, readonly unknown[]>;

  constructor(
    inner: () => Kind,
    process: ((...args: readonly unknown[]) => unknown) | Arrangement<unknown, readonly unknown[]>,
  ) {
    this.#inner = inner;
    this.#process = process;
  }

  enter(value: unknown, at: WriteContext): unknown {
    return this.#inner().enter(value, at);
  }

  open(stored: unknown, at: ReadContext): unknown {
    const owner = at.viewBuiltBy(this);
    const { args } = at;
    const value = this.#inner().open(stored, at);
    if (at.isWaiting || value === INVALID || value === undefined || stored === UNKNOWN) return value;
    if (typeof this.#process === 'function') {
      const made = this.#process(value, ...args);
      // For a row or a list, the value is shared with the previous value here; for other stored forms, engine.ts shares it.
      return owner && isRowOrList(stored) ? share(owner.value, made) : made;
    }
    const kept = owner?.builtFrom;
    const sorted = kept instanceof SortedItems ? kept : new SortedItems(this.#process, args);
    if (owner) owner.builtFrom = sorted;
    return sorted.update(value as readonly unknown[]); // cast: an arrangement is typed for lists
  }

  query(args: readonly unknown[], at: QueryContext): unknown {
    return queryKind(this.#inner(), args, at);
  }

  get needsNoResponse(): boolean {
    return !!this.#inner().needsNoResponse;
  }

  owners(): readonly TableOwner[] {
    return ownersOf(this.#inner());
  }
}

export declare namespace Query {
  export type { Arrangement };
}
