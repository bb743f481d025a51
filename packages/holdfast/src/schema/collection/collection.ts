// `schema.Collection`: a list that can be added to. Stored like an entity, known by its key; creations go into every
// cached list that matches, and rows move between lists as their fields change.
import type { ListIdentity, MergePage } from '../../store/nodes.ts';
import { ensure } from '../../support/ensure.ts';
import { asObject, isObject } from '../../support/plain.ts';
import { identify, keyText } from './collection-key.ts';
import { arrayForm, createBasis, createCollectionKind } from './collection-kind.ts';
import type { ListBasis } from './collection-kind.ts';
import type { AssignOf, CollectionArgs, CollectionOptions, CreationSchema } from './collection.types.ts';
import { createPlacementKind, toMembers } from './placement-kind.ts';
import type { CreateCollectionFilter, MergeMembers, Operation } from './placement-kind.ts';
import { existingMeta, incomingMeta } from '../entity/entity-policy.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind, Meta, WriteContext } from '../protocol/protocol.ts';
import { runHook } from '../protocol/run-hook.ts';
import type { ARGS, Denormalize, OUT, OUT_NULLABLE, STORED } from '../protocol/schema.types.ts';
import { INSIDE } from '../protocol/walkable.ts';
import type { Walkable } from '../protocol/walkable.ts';

interface Page {
  readonly withoutCursor: (args: readonly unknown[]) => readonly unknown[];
  readonly cursorOf: (args: readonly unknown[]) => string;
}

/**
 * A list for mutations. Over an array it has `push` and `unshift`, over Values `assign`.
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
  declare readonly [OUT_NULLABLE]: Denormalize<S> | undefined;
  declare readonly [STORED]: string;
  declare readonly [ARGS]: Args;
  readonly [KIND]: Kind;
  readonly schema: S;
  readonly #options: CollectionOptions<Args, Parent>;
  readonly #made = new Map<Operation, CreationSchema<S>>();
  readonly #basis: ListBasis;
  #scope: string | undefined;
  #page: Page | null = null;

  constructor(schema: S, options: CollectionOptions<Args, Parent> = {}) {
    this.schema = schema;
    this.#options = options;
    const members = kindOf(schema) as Kind & { item(): Kind }; // cast: arrays and Values have items
    this.#basis = createBasis(members.form ?? arrayForm, () => members.item());
    this[KIND] = createCollectionKind(this.#basis, {
      merge: this.#ownMerge(),
      cursorOf: (args) => this.#page?.cursorOf(args),
      identity: (args, value, at) => this.#identity(args, value, at),
    });
  }

  /** Places new items at the end. */
  get push(): CreationSchema<S> {
    return this.#creation('push');
  }

  /** Places new items at the start. */
  get unshift(): CreationSchema<S> {
    return this.#creation('unshift');
  }

  /** Merges new members in by their names. */
  get assign(): AssignOf<S> {
    return this.#creation('assign') as unknown as AssignOf<S>; // cast: one kind serves both
  }

  /** Takes the items out of every list that matches. */
  get remove(): CreationSchema<S> {
    return this.#creation('remove');
  }

  /** Moves the items from the lists they matched to those they match now. */
  get move(): CreationSchema<S> {
    return this.#creation('move');
  }

  /** A creation schema of one's own: `merge(collection, creation)` over ids, into the lists the filter picks. */
  addWith(merge: MergeMembers, createCollectionFilter?: CreateCollectionFilter): CreationSchema<S> {
    return this.#create('push', merge, createCollectionFilter);
  }

  /** Like `move`, with one's own way of putting items into the lists they now match. */
  moveWith(merge: MergeMembers): CreationSchema<S> {
    return this.#create('move', merge);
  }

  // ── lifecycle: instance methods that ask the class, so that either may be overridden ─────────

  pk(...args: Parameters<typeof Collection.pk>): string {
    return this.#class.pk.apply(this, args); // statics run as the instance
  }

  shouldReorder(...args: Parameters<typeof Collection.shouldReorder>): boolean {
    return this.#class.shouldReorder(...args);
  }

  merge(...args: Parameters<typeof Collection.merge>): unknown {
    return this.#class.merge(...args);
  }

  mergeWithStore(...args: Parameters<typeof Collection.mergeWithStore>): unknown {
    return this.#class.mergeWithStore.apply(this, args);
  }

  get #class(): typeof Collection {
    return this.constructor as typeof Collection; // cast: the class
  }

  /** The key of a list: the object from `argsKey`, else from `nestKey`, as JSON with every member a string. */
  static pk(this: unknown, _value: unknown, parent: unknown, key: string, args: readonly unknown[]): string {
    const self = this as Collection<unknown, readonly unknown[], unknown>; // cast: called on the instance
    return keyText(self.#keyObject(parent, key, args));
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
    const self = this as Collection<unknown>; // cast: called on the instance
    return self.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? self.merge(incoming, existing)
      : self.merge(existing, incoming);
  }

  // ── identity ─────────────────────────────────────────────────────────────────────────────────

  /** The first endpoint made with this Collection names its scope; later ones share it. @internal */
  claimScope(scope: string): void {
    this.#scope ??= scope;
  }

  /** A copy with a scope of its own: another path is another list. @internal */
  withScope(scope: string): Collection<S, Args, Parent> {
    return this.#copy(scope, null);
  }

  /** The Collection of a next-page endpoint: the same list, found without the cursor, and the page put in its place. @internal */
  paginated(page: Page): Collection<S, Args, Parent> {
    return this.#copy((this.#scope ??= ''), page);
  }

  #copy(scope: string, page: Page | null): Collection<S, Args, Parent> {
    const copy = new this.#class(this.schema, this.#options);
    copy.#scope = scope;
    copy.#page = page;
    return copy;
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return { kind: '', schemas: [], with: () => this };
  }

  #keyObject(parent: unknown, key: string, given: readonly unknown[]): object {
    const { argsKey, nestKey } = this.#options;
    if (parent !== undefined && nestKey) return nestKey(parent as Parent, key); // cast: users say what the parent is
    const args = this.#page?.withoutCursor(given) ?? given;
    if (argsKey) return argsKey(...(args as Args)); // cast: users say what the arguments are
    const [first] = args;
    return first === undefined || isObject(first) ? asObject(first) : { 0: first };
  }

  /** A list inside an entity belongs to its parent, unless a key of its own says which lists are one. */
  #identity(args: readonly unknown[], value: unknown, at: WriteContext | undefined): ListIdentity {
    const { argsKey, nestKey } = this.#options;
    const { around = null, key = '' } = at ?? {};
    const isShared = argsKey !== undefined || nestKey !== undefined;
    const { isKeyed } = this.#basis.form;
    if (around && !isShared) {
      const scope = `${JSON.stringify([around.table.key, around.pk])} ${key}`;
      return identify({ scope, text: '{}', takesPart: false, isKeyed }, this.#options);
    }
    const text = this.pk(value, around ? at?.parent : undefined, key, args);
    const scope = isShared ? '' : (this.#scope ?? '');
    return identify({ scope, text, takesPart: true, isKeyed }, this.#options);
  }

  // ── merges and placements ────────────────────────────────────────────────────────────────────

  /** Only a subclass that overrides the lifecycle pays for it. */
  #ownMerge(): MergePage | null {
    const Class = this.#class;
    const hooks = ['shouldReorder', 'merge', 'mergeWithStore'] as const;
    const isOwn = hooks.some(
      (hook) => Class[hook] !== Collection[hook] || this[hook] !== Collection.prototype[hook],
    );
    if (!isOwn) return null;
    return (existing, incoming, stamp, origin) =>
      runHook(Class.name, 'merge', () => {
        const metas = [existingMeta(stamp, origin), incomingMeta(origin)] as const;
        const { form } = this.#basis;
        const merged = this.mergeWithStore(...metas, form.toPlain(existing), form.toPlain(incoming));
        return toMembers(form, merged, [...incoming, ...existing], () => undefined);
      });
  }

  #creation(operation: Operation): CreationSchema<S> {
    return ensure(this.#made, operation, () => this.#create(operation, null));
  }

  #create(
    operation: Operation,
    merge: MergeMembers | null,
    filter: CreateCollectionFilter | undefined = this.#options.createCollectionFilter,
  ): CreationSchema<S> {
    const kind = createPlacementKind(this.#basis, { operation, merge, createFilter: filter ?? null });
    return { [KIND]: kind } as unknown as CreationSchema<S>; // cast: the other slots are for the type checker
  }
}
