// `schema.Collection`: a list that can be added to. Stored like an entity, known by its key; creations go into every
// cached list that matches, and rows move between lists as their fields change.
import type { ListIdentity, MergePage } from '../../store/list-identity.ts';
import type { Origin, Stamp } from '../../store/stamp.ts';
import { isForm } from '../../support/value-kind.ts';
import { identify, isOrderName, keyText } from './collection-key.ts';
import type { AssignOf, CollectionArgs, CollectionOptions, CreationSchema } from './collection.types.ts';
import { arrayForm, CollectionKind } from './collection-kind.ts';
import type { Place } from './collection-kind.ts';
import { PlacementKind, toMembers } from './placement-kind.ts';
import type { CreateCollectionFilter, MergeMembers, Operation } from './placement-kind.ts';
import { existingMeta, incomingMeta } from '../entity/entity-policy.ts';
import { kindOf } from '../kinds/kind-of.ts';
import { toPlain } from '../../store/plain-form.ts';
import { KIND } from '../protocol/protocol.ts';
import type { Kind, ListForm, Meta } from '../protocol/protocol.ts';
import type { ARGS, Denormalize, OUT, OUT_NULLABLE, STORED } from '../protocol/schema.types.ts';
import { runHook } from '../protocol/run-hook.ts';
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
  readonly #made = new Map<Operation, unknown>();
  readonly #form: ListForm;
  #scope: string | undefined;
  #page: Page | null = null;

  constructor(schema: S, options: CollectionOptions<Args, Parent> = {}) {
    this.schema = schema;
    this.#options = options;
    this.#form = kindOf(schema).form ?? arrayForm;
    this[KIND] = new CollectionKind({
      form: this.#form,
      item: () => this.#item(),
      merge: this.#ownMerge(),
      cursorOf: (args) => this.#page?.cursorOf(args),
      identity: (place) => this.#identity(place),
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

  pk(value: unknown, parent: unknown, key: string, args: readonly unknown[]): string {
    return (this.constructor as typeof Collection).pk.call(this as never, value, parent, key, args); // cast: statics run as the instance
  }

  shouldReorder(existing: Meta, incoming: Meta, existingValue: unknown, incomingValue: unknown): boolean {
    return (this.constructor as typeof Collection).shouldReorder(
      existing,
      incoming,
      existingValue,
      incomingValue,
    ); // cast: the class
  }

  merge(existing: unknown, incoming: unknown): unknown {
    return (this.constructor as typeof Collection).merge(existing, incoming); // cast: the class
  }

  mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: unknown, incoming: unknown): unknown {
    return (this.constructor as typeof Collection).mergeWithStore.call(
      this as never,
      existingMeta,
      incomingMeta,
      existing,
      incoming,
    ); // cast: as in pk
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
    const copy = this.#copy();
    copy.#scope = scope;
    return copy;
  }

  /** The Collection of a next-page endpoint: the same list, found without the cursor, and the page put in its place. @internal */
  paginated(page: Page): Collection<S, Args, Parent> {
    const copy = this.#copy();
    copy.#scope = this.#scope ??= '';
    copy.#page = page;
    return copy;
  }

  #copy(): Collection<S, Args, Parent> {
    const Class = this.constructor as typeof Collection; // cast: a subclass keeps its overrides
    return new Class(this.schema, this.#options);
  }

  get [INSIDE](): Walkable[typeof INSIDE] {
    return { kind: '', schemas: [], with: () => this };
  }

  #item(): Kind {
    return (kindOf(this.schema) as unknown as { item(): Kind }).item(); // cast: arrays and Values have items
  }

  #keyObject(parent: unknown, key: string, given: readonly unknown[]): object {
    const { argsKey, nestKey } = this.#options;
    if (parent !== undefined && nestKey) return nestKey(parent as Parent, key); // cast: users say what the parent is
    const args = this.#page ? this.#page.withoutCursor(given) : given;
    if (argsKey) return argsKey(...(args as Args)); // cast: users say what the arguments are
    const [first] = args;
    if (isForm(first)) return Object.fromEntries(first.entries());
    if (typeof first === 'object' && first !== null) return first;
    return first === undefined ? {} : { 0: first };
  }

  #identity({ value, parent, key, args, parentName }: Place): ListIdentity {
    const { argsKey, nestKey, membership, nonFilterArgumentKeys } = this.#options;
    const isNested = parentName !== undefined;
    const isShared = argsKey !== undefined || nestKey !== undefined;
    const isOfParent = isNested && !isShared;
    return identify({
      scope: isOfParent ? `${parentName} ${key}` : isShared ? '' : (this.#scope ?? ''),
      text: isOfParent ? '{}' : this.pk(value, isNested ? parent : undefined, key, args),
      takesPart: !isOfParent,
      isExempt: exemption(nonFilterArgumentKeys),
      followsFields: membership !== 'server',
      isKeyed: this.#form.isKeyed,
    });
  }

  // ── merges and placements ────────────────────────────────────────────────────────────────────

  /** Only a subclass that overrides the lifecycle pays for it. */
  #ownMerge(): MergePage | null {
    const Class = this.constructor as typeof Collection; // cast: the class
    const hooks = ['shouldReorder', 'merge', 'mergeWithStore'] as const;
    const isOwn = hooks.some(
      (hook) => Class[hook] !== Collection[hook] || this[hook] !== Collection.prototype[hook],
    );
    return isOwn ? (...sides) => runHook(Class.name, 'merge', () => this.#mergeMembers(...sides)) : null;
  }

  #mergeMembers(
    existing: readonly unknown[],
    incoming: readonly unknown[],
    stamp: Stamp,
    origin: Origin,
  ): readonly unknown[] {
    const merged = this.mergeWithStore(
      existingMeta(stamp, origin),
      incomingMeta(origin),
      existing.map(toPlain),
      incoming.map(toPlain),
    );
    return toMembers(merged, [...incoming, ...existing], () => undefined);
  }

  #creation(operation: Operation): CreationSchema<S> {
    let made = this.#made.get(operation);
    if (!made) this.#made.set(operation, (made = this.#create(operation, null)));
    return made as CreationSchema<S>; // cast: made below
  }

  #create(
    operation: Operation,
    merge: MergeMembers | null,
    filter?: CreateCollectionFilter,
  ): CreationSchema<S> {
    const kind = new PlacementKind({
      form: this.#form,
      item: () => this.#item(),
      operation,
      merge,
      createFilter: filter ?? this.#options.createCollectionFilter ?? null,
      table: (at) => (this[KIND] as CollectionKind).table(at), // cast: made in the constructor
    });
    return { [KIND]: kind } as unknown as CreationSchema<S>; // cast: the other slots are for the type checker
  }
}

function exemption(keys: CollectionOptions['nonFilterArgumentKeys']): (name: string) => boolean {
  if (keys === undefined) return isOrderName;
  if (typeof keys === 'function') return keys;
  return keys instanceof RegExp ? (name) => keys.test(name) : (name) => keys.includes(name);
}
