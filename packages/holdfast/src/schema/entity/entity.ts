// Entities as users write them: a class with fields and defaults, a primary key, and lifecycle hooks to override.
// How they are written and read is entity-kind.ts; only hooks that a class overrides are ever called from there.
import type { Meta } from '../protocol/protocol.ts';
import { KIND } from '../protocol/protocol.ts';
import { EntityKind } from './entity-kind.ts';
import type { EntityHooks } from './entity-hooks.ts';
import type { VersionRule } from './versions.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject, putField, setOwn } from '../../support/plain.ts';
import { ensure } from '../../support/ensure.ts';
import type { EntityClass } from '../protocol/schema.types.ts';

/**
 * What a primary key may be; `undefined` keeps the object inline where it stood.
 *
 * @example
 * class Cell extends Entity {
 *   row = 0;
 *   column = 0;
 *   static override key = 'Cell';
 *   override pk(): Entity.PrimaryKey {
 *     return `${this.row}:${this.column}`;
 *   }
 * }
 */
export type PrimaryKey = string | number | undefined;

type Constructor = new () => object;

const ownDefaults = new WeakMap<object, object>();

/**
 * The base of every entity: one class per type of thing the server knows. Fields with defaults give the types; the
 * primary key defaults to `id`.
 *
 * @example
 * class Article extends Entity {
 *   id = '';
 *   title = '';
 *   author = User.fromJS();
 *   createdAt = new Date(0);
 *   static override key = 'Article';
 *   static override schema = { author: User, createdAt: Date };
 * }
 */
export abstract class Entity {
  /** Nested schemas by field: entities, lists, or constructors and functions that parse the wire form. */
  static schema: Record<string, unknown> = {};
  /** Top-level fields by which rows can be looked up: `controller.get(User, { email })`. */
  static indexes?: readonly string[];
  /**
   * Which statement about a row is newer: {@link versionBy} the field that counts its changes. What states a lower version than the
   * stored one changes nothing, by whatever way it came.
   */
  static version?: VersionRule;

  /** The primary key. Default: the field `id`. */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): PrimaryKey {
    return (this as { id?: PrimaryKey }).id; // cast: the default reads a field that subclasses declare
  }

  /** The name of the type in the cache. Default: the class name, which minifiers change: always write `static key`. */
  declare static key: string;

  static get [KIND](): EntityKind {
    return EntityKind.of(this as unknown as EntityHooks, Entity as unknown as EntityHooks); // cast: classes of that shape
  }

  /** An instance with every default: what an absent field reads as. */
  static get defaults(): object {
    return ensure(ownDefaults, this, () => new (this as unknown as Constructor)()); // cast: abstract for users, concrete at run time
  }

  /** The primary key of a plain value, as `pk()` would give it. */
  static pk(value: unknown, parent?: unknown, key?: string, args?: readonly unknown[]): PrimaryKey {
    // cast: hooks see payload objects as instances of the class
    return (this.prototype as Entity).pk.call(value as Entity, parent, key, args);
  }

  /** An instance with the given fields over its defaults. */
  static fromJS<T extends typeof Entity>(this: T, props: Partial<InstanceType<T>> = {}): InstanceType<T> {
    // a field initialiser must not win over a given field: the instance is made bare and filled afterwards
    const instance = new (this as unknown as Constructor)() as Record<string, unknown>; // cast: as above, and filled by name
    for (const name of Object.keys(props)) putField(instance, name, (props as Record<string, unknown>)[name]);
    return instance as InstanceType<T>;
  }

  /** Reshapes the payload before it is stored; `undefined` means that the server says the entity is gone. */
  static process(
    input: object,
    _parent: unknown,
    _key: string,
    _args: readonly unknown[],
  ): object | undefined {
    return { ...input };
  }

  /** A sentence that says what is wrong with the payload, or undefined when nothing is. */
  static validate(_processed: object): string | undefined {
    return undefined;
  }

  /** An instance, or undefined when the stored fields do not make a valid one. */
  static createIfValid(props: object): object | undefined {
    return this.validate(props)
      ? undefined
      : (this as unknown as typeof Entity & { fromJS(p: object): object }).fromJS(props);
  }

  static shouldUpdate(
    _existingMeta: Meta,
    _incomingMeta: Meta,
    _existing: object,
    _incoming: object,
  ): boolean {
    return true;
  }

  /** Whether the incoming side is the older one. */
  static shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    _existing: object,
    _incoming: object,
  ): boolean {
    return incomingMeta.fetchedAt < existingMeta.fetchedAt;
  }

  static merge(existing: object, incoming: object): object {
    return { ...existing, ...incoming };
  }

  static mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): object {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing;
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming);
  }

  static mergeMetaWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: object,
    incoming: object,
  ): Meta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta;
  }

  /** The primary key that the arguments of a query name. Default: the first argument itself, or its `pk`. */
  static queryKey(args: readonly unknown[]): string | undefined {
    const [first] = args;
    if (typeof first === 'string' || typeof first === 'number') return String(first);
    if (!isObject(first)) return undefined;
    const pk = this.pk(first, undefined, '', args);
    return pk === undefined || pk === null || pk === '' ? undefined : String(pk);
  }

  static toString(): string {
    return this.key;
  }
}

// an accessor made here, not in the class: subclasses write `static key = '...'` over it as a plain property
Object.defineProperty(Entity, 'key', {
  configurable: true,
  get(this: typeof Entity): string {
    if (!this.name) throw new HoldfastError('ENTITY_WITHOUT_KEY');
    return this.name;
  },
  set(this: typeof Entity, name: string) {
    setOwn(this, 'key', name);
  },
});

/**
 * The first required field that the payload lacks, as a sentence for `validate`.
 *
 * @example
 * class Account extends Entity {
 *   id = '';
 *   name = '';
 *   static override key = 'Account';
 *   static override validate(processed: object) {
 *     return validateRequired(processed, { name: '' });
 *   }
 * }
 */
export function validateRequired(processed: object, required: object): string | undefined {
  const missing = Object.keys(required).find((name) => !Object.hasOwn(processed, name));
  return missing === undefined ? undefined : `Missing key ${missing}`;
}

export declare namespace Entity {
  export type { EntityClass as Class, PrimaryKey };
}
