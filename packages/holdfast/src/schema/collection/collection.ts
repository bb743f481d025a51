// `schema.Collection`: a list that mutations can change. Each list is stored under its key, by which created rows find the lists that
// they enter. Rows move between lists when their fields change, except where only the server decides membership.
import { checkRoles, inDevelopment } from '#env';
import { createPlacementKind, toMembers } from './placement-kind.ts';
import type {
  CollectionFilter,
  CollectionKey,
  CreateCollectionFilter,
  MergeMembers,
  Operation,
} from './placement-kind.ts';
import { asObject, isObject } from '../../support/plain.ts';
import { createIdentity, exemptionTest, keyText } from './collection-key.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind, Meta, WriteContext } from '../protocol/protocol.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';
import { tryRun } from '../../support/call-safely.ts';
import { HoldfastError, describeType, warnOnce } from '../../support/errors.ts';
import { arrayForm, createBasis, createCollectionKind } from './collection-kind.ts';
import type { ListBasis } from './collection-kind.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { metasOf, overridesMerge } from '../entity/entity-policy.ts';
import { runHook } from '../protocol/run-hook.ts';
import type { ListIdentity, MergePage } from '../../store/nodes.ts';
import type {
  AssignOf,
  AssignSchema,
  CollectionArgs,
  CollectionItem,
  CollectionOptions,
  CreationSchema,
  ListDefinition,
  ListArgumentOptions,
  NonFilterKeys,
} from './collection.types.ts';
import type { DeclaredOrder } from './list-order.ts';
import type { ARGS, Denormalize, Given, OUT, OUT_MAYBE, STORED } from '../protocol/schema.types.ts';

const OPERATIONS = ['push', 'unshift', 'assign', 'remove', 'move'] as const;
const OPTION_METHODS = ['createCollectionFilter', 'nonFilterArgumentKeys'] as const;

interface CursorRule {
  readonly withoutCursor: (args: readonly unknown[]) => readonly unknown[];
  readonly cursorOf: (args: readonly unknown[]) => string;
}

/**
 * A list that mutations can change: with `push` and `unshift` for an array, `assign` for `schema.Values`, `remove` and `move` for
 * both.
 *
 * @example
 * const getTodos = new RestEndpoint({ path: '/todos', schema: new schema.Collection([Todo]) });
 * const createTodo = getTodos.push; // after it, every cached list that matches shows the new row
 */
export class Collection<
  S,
  Args extends readonly unknown[] = CollectionArgs,
  Parent = never,
> implements Walkable {
  declare readonly [OUT]: Denormalize<S>;
  declare readonly [OUT_MAYBE]: Denormalize<S> | undefined;
  declare readonly [STORED]: string;
  declare readonly [ARGS]: Args;
  readonly [KIND]: Kind;
  readonly schema: S;
  #options: CollectionOptions<Args, Parent, Denormalize<CollectionItem<S>>>;
  #hasAllOptions = false;
  readonly #basis: ListBasis;
  #scope: string | undefined;
  #cursorRule: CursorRule | null = null;

  /** Places new items at the end. */
  declare push: CreationSchema<S>;
  /** Places new items at the start. */
  declare unshift: CreationSchema<S>;
  /** Adds new members, or replaces the members with the same names. */
  declare assign: AssignOf<S>;
  /** Removes the items from every list that matches. */
  declare remove: CreationSchema<S>;
  /** Moves the items from the lists that they matched before to the lists that they match now. */
  declare move: CreationSchema<S>;

  constructor(
    schema: S & ListDefinition,
    options: CollectionOptions<Args, Parent, Denormalize<CollectionItem<S>>> = {},
  ) {
    const order = options.order as DeclaredOrder | undefined; // cast: only `orderBy` makes orders
    this.schema = schema;
    this.#options = options;
    const members = kindOf(schema) as Kind & { item(): Kind }; // cast: arrays and Values have `item`, checked below
    inDevelopment(() => {
      checkRoles(options, exemptionTest(options.nonFilterArgumentKeys), HoldfastError);
      if (!members.item) throw new HoldfastError('COLLECTION_OF_NO_LIST', { found: describeType(schema) });
    });
    this.#basis = createBasis(members.form ?? order?.form ?? arrayForm, () => members.item());
    this[KIND] = createCollectionKind(this.#basis, {
      merge: this.#ownMerge(),
      isWhole: (response) => {
        const { complete } = this.#options;
        const found = complete && (complete === true || tryRun(() => complete(response)));
        inDevelopment(() => {
          if (complete && typeof found !== 'boolean')
            warnOnce(this, 'COMPLETE_UNKNOWN', '', { found: describeType(found), path: this.#scope });
        });
        return found === true;
      },
      cursorOf: (args) => this.#cursorRule?.cursorOf(args),
      identity: (args, value, at) => this.#identity(args, value, at),
    });
    for (const operation of OPERATIONS)
      Object.assign(this, { [operation]: this.#placementSchema(operation, null) });
  }

  /**
   * A creation schema with the user's own merge. `merge(collection, creation)` gets both in plain form, usually as ids, and is
   * called for each list that the filter selects.
   */
  addWith(merge: MergeMembers, createCollectionFilter?: CreateCollectionFilter): CreationSchema<S> {
    return this.#placementSchema('push', merge, createCollectionFilter);
  }

  /** Does the same as `move`, but the user's own merge adds the items to the lists that they now match. */
  moveWith(merge: MergeMembers): CreationSchema<S> {
    return this.#placementSchema('move', merge);
  }

  /** Returns the filter of a creation, a removal or a move. A subclass may define this method instead of the option. */
  createCollectionFilter?(urlParams: Given, body: Given): CollectionFilter;

  /** Returns true for a name in the key that does not filter. A subclass may define this method instead of the option. */
  nonFilterArgumentKeys?(name: string): boolean;

  // ── lifecycle: instance methods call the static ones, so that either may be overridden; `this` is the instance in both ──

  pk(...args: Parameters<typeof Collection.pk>): string {
    return this.#class.pk.apply(this, args);
  }

  shouldReorder(...args: Parameters<typeof Collection.shouldReorder>): boolean {
    return this.#class.shouldReorder.apply(this, args);
  }

  merge(...args: Parameters<typeof Collection.merge>): unknown {
    return this.#class.merge.apply(this, args);
  }

  mergeWithStore(...args: Parameters<typeof Collection.mergeWithStore>): unknown {
    return this.#class.mergeWithStore.apply(this, args);
  }

  get #class(): typeof Collection {
    return this.constructor as typeof Collection; // cast: the class that made this instance
  }

  /**
   * The key of a list: JSON whose values are strings. It is made from the object that `nestKey` returns for a nested list; else
   * from the object that `argsKey` returns; else from the first argument.
   */
  static pk(this: unknown, _value: unknown, parent: unknown, key: string, args: readonly unknown[]): string {
    // casts: called on an instance, or as a function
    return keyText(
      #options in (this as object)
        ? (this as Collection<unknown, readonly unknown[], unknown>).#keyObject(parent, key, args)
        : keyOfArgs(args),
    );
  }

  static shouldReorder(
    existing: Meta,
    incoming: Meta,
    _existingValue: unknown,
    _incomingValue: unknown,
  ): boolean {
    return incoming.fetchedAt < existing.fetchedAt;
  }

  static merge(_existing: unknown, incoming: unknown): unknown {
    return incoming;
  }

  static mergeWithStore(
    this: unknown,
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: unknown,
    incoming: unknown,
  ): unknown {
    // cast: called on the instance
    return (this as Collection<unknown>).shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? (this as Collection<unknown>).merge(incoming, existing)
      : (this as Collection<unknown>).merge(existing, incoming);
  }

  // ── identity ─────────────────────────────────────────────────────────────────────────────────

  /**
   * Each endpoint with this Collection calls this method. The first call sets the scope, unless it is set already, and those options
   * for arguments that the Collection was not given. @internal
   */
  claimScope(scope: string, { nonFilterArgumentKeys, argumentRoles }: ListArgumentOptions): void {
    this.#scope ??= scope;
    // cast: an option that is undefined counts as absent
    const options = {
      ...({ nonFilterArgumentKeys, argumentRoles } as ListArgumentOptions),
      ...this.#options,
    };
    this.#options = options;
    inDevelopment(() => checkRoles(options, exemptionTest(options.nonFilterArgumentKeys), HoldfastError));
  }

  /**
   * The options of the Collection. A method of a subclass replaces the option of the same name. The methods are read at first use,
   * because a subclass may define them as class fields, which are set after this constructor.
   */
  #allOptions(): CollectionOptions<Args, Parent, Denormalize<CollectionItem<S>>> {
    for (const name of this.#hasAllOptions ? [] : OPTION_METHODS) {
      const own = this[name] as CreateCollectionFilter | undefined; // cast: an array or a RegExp has no `bind`
      if (own) this.#options = { ...this.#options, [name]: own.bind?.(this) ?? own };
    }
    this.#hasAllOptions = true;
    return this.#options;
  }

  /**
   * Returns a copy. With a cursor rule, the copy is the Collection of further pages: it identifies the same lists by the arguments
   * without the cursor, and each response becomes one page of a list. With another scope, the copy has its own lists, which are the
   * lists of another path.
   *
   * @internal
   */
  paginated(page: CursorRule | null, scope: string = (this.#scope ??= '')): Collection<S, Args, Parent> {
    const copy = new this.#class(this.schema as S & ListDefinition, this.#options); // cast: this Collection was made from it
    copy.#scope = scope;
    copy.#cursorRule = page;
    return copy;
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return { kind: '', schemas: [], with: () => this };
  }

  #keyObject(parent: unknown, key: string, given: readonly unknown[]): object {
    const { argsKey, nestKey } = this.#options;
    if (parent !== undefined && nestKey) return nestKey(parent as Parent, key); // cast: users declare the parent
    const args = this.#cursorRule?.withoutCursor(given) ?? given;
    if (argsKey) return argsKey(...(args as Args)); // cast: users declare the arguments
    return keyOfArgs(args);
  }

  /** The identity of a list. A list inside an entity belongs to that entity, unless `argsKey` or `nestKey` identifies the list. */
  #identity(args: readonly unknown[], value: unknown, at: WriteContext | undefined): ListIdentity {
    const { argsKey, nestKey } = this.#options;
    const { enclosingRow = null, keyInParent: key = '' } = at ?? {};
    const isShared = argsKey ?? nestKey;
    const { isKeyed } = this.#basis.form;
    const owner = isShared ? null : enclosingRow;
    const text = owner ? '{}' : this.pk(value, enclosingRow ? at?.parent : undefined, key, args);
    let scope = isShared ? '' : (this.#scope ?? '');
    if (owner) scope = `${JSON.stringify([owner.table.key, owner.pk])} ${key}`;
    return createIdentity({ scope, text, isSelectable: !owner, isKeyed }, this.#allOptions());
  }

  // ── merges and placements ────────────────────────────────────────────────────────────────────

  /** The merge of a Collection that overrides one of the `MERGE_HOOKS`; null for all other Collections. */
  #ownMerge(): MergePage | null {
    const Class = this.#class;
    if (!overridesMerge(Class, Collection) && !overridesMerge(this, Collection.prototype)) return null;
    return (existing, incoming, stamp, origin) =>
      runHook(Class.name, 'merge', () => {
        const metas = metasOf(stamp, origin);
        const { form } = this.#basis;
        const merged = this.mergeWithStore(...metas, form.toPlain(existing), form.toPlain(incoming));
        return toMembers(form, merged, [...incoming, ...existing], () => undefined);
      });
  }

  #placementSchema(
    operation: Operation,
    merge: MergeMembers | null,
    filter?: CreateCollectionFilter,
  ): CreationSchema<S> {
    const filterOf = (): CreateCollectionFilter | null =>
      filter ?? this.#allOptions().createCollectionFilter ?? null;
    const made = { [KIND]: createPlacementKind(this.#basis, { operation, merge, filterOf }) };
    return made as typeof made & CreationSchema<S>; // cast: the other symbols exist only as types
  }
}

/**
 * The default key object: the first argument, `{ 0: first }` if the first argument is not an object, an empty object if there is no
 * argument.
 */
function keyOfArgs([first]: readonly unknown[]): object {
  return first === undefined || isObject(first) ? asObject(first) : { 0: first };
}

export declare namespace Collection {
  export type {
    AssignSchema,
    CollectionArgs as Args,
    CollectionFilter as Filter,
    CollectionItem as Item,
    CollectionKey as Key,
    CreateCollectionFilter as CreateFilter,
    CreationSchema,
    ListDefinition as Definition,
    MergeMembers,
    NonFilterKeys,
  };
}
