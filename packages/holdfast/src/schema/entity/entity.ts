// The public base class Entity: fields with defaults, a primary key, and lifecycle hooks to override. entity-kind.ts writes and
// reads entities. While it does so, it calls no hook of a class that overrides no hook and has no version.
import type { Meta } from '../protocol/protocol.ts';
import { KIND } from '../protocol/protocol.ts';
import { EntityKind } from './entity-kind.ts';
import { asEntityConstructor } from './entity-constructor.ts';
import type { VersionRule } from './versions.ts';
import type { WireNames } from './wire-names.ts';
import { HoldfastError } from '../../support/errors.ts';
import { isObject, putField, setOwn } from '../../support/plain.ts';
import { ensure } from '../../support/ensure.ts';
import type { EntityClass } from '../protocol/schema.types.ts';

/**
 * The type that `pk` may return. If an overridden `pk` returns `undefined`, the object gets no row and is stored inside its parent.
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

/** Creates an instance of an entity class. Only the compiler treats the class as abstract. */
function construct(Class: object): Record<string, unknown> {
  return new (Class as new () => Record<string, unknown>)(); // cast: see above
}

const ownDefaults = new WeakMap<object, object>();

/**
 * The base class of entities: one subclass for each type of thing that the server identifies by an id. Fields with defaults
 * give the types; the primary key defaults to `id`.
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
  /** Schemas by field name: nested entities, lists, or constructors and functions that parse the wire form. */
  static schema: Record<string, unknown> = {};
  /** Top-level fields by which rows can be looked up: `controller.get(User, { email })`. */
  declare static indexes?: readonly string[];
  /**
   * The field in which the server counts versions of the row, as {@link versionBy} declares it. A payload with a lower version than
   * the stored version does not change the row.
   */
  declare static version?: VersionRule;
  /**
   * The names that the server gives to the fields: {@link snakeCase}, or a result of {@link wireNames}. Default: the names of the
   * fields.
   */
  declare static wireNames?: WireNames;

  /** The primary key. Default: the field `id`. */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): PrimaryKey {
    return (this as { id?: PrimaryKey }).id; // cast: subclasses declare the field
  }

  /** The key of the entity type in the cache. Default: the class name, which minifiers change: always write `static key`. */
  declare static key: string;

  static get [KIND](): EntityKind {
    return EntityKind.of(asEntityConstructor(this), asEntityConstructor(Entity));
  }

  /** An instance with the default of every field. Readers get these defaults for absent fields. */
  static get defaults(): object {
    return ensure(ownDefaults, this, () => construct(this));
  }

  /** The primary key of a plain object, as `pk()` returns it for the object. */
  static pk(value: unknown, parent?: unknown, key?: string, args?: readonly unknown[]): PrimaryKey {
    // cast: hooks see payload objects as instances of the class
    return (this.prototype as Entity).pk.call(value as Entity, parent, key, args);
  }

  /** An instance with the given fields over its defaults. */
  static fromJS<T extends typeof Entity>(this: T, props: Partial<InstanceType<T>> = {}): InstanceType<T> {
    // The fields are assigned after construction, because field initialisers of a subclass would overwrite fields that the
    // constructor of Entity sets.
    const instance = construct(this);
    for (const [name, value] of Object.entries(props)) putField(instance, name, value);
    return instance as InstanceType<T>;
  }

  /** Transforms the payload before it is stored; returns `undefined` when the payload means that the entity was deleted. */
  static process(
    input: object,
    _parent: unknown,
    _key: string,
    _args: readonly unknown[],
  ): object | undefined {
    return { ...input };
  }

  /**
   * Returns a message when the payload is invalid, else undefined. The method also gets the stored fields, before an instance is
   * made of them.
   */
  static validate(_processed: object): string | undefined {
    return undefined;
  }

  /** Creates an instance from stored fields; returns undefined when `validate` rejects them. */
  static createIfValid(props: object): object | undefined {
    return this.validate(props)
      ? undefined
      : (this as typeof Entity & { fromJS(p: object): object }).fromJS(props);
  }

  /** Whether the incoming fields may change the row. */
  static shouldUpdate(
    _existingMeta: Meta,
    _incomingMeta: Meta,
    _existing: object,
    _incoming: object,
  ): boolean {
    return true;
  }

  /** Whether the incoming fields are older than the stored fields. */
  static shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    _existing: object,
    _incoming: object,
  ): boolean {
    return incomingMeta.fetchedAt < existingMeta.fetchedAt;
  }

  /** Merges two records of fields. By default, each incoming field replaces the existing field. */
  static merge(existing: object, incoming: object): object {
    return { ...existing, ...incoming };
  }

  /**
   * Returns the fields to store: the existing fields if `shouldUpdate` returns false, else the result of `merge`. If `shouldReorder`
   * returns true, `merge` gets the two records in reverse.
   */
  static mergeWithStore(existingMeta: Meta, incomingMeta: Meta, existing: object, incoming: object): object {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing;
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming);
  }

  /** Returns the times to store: those of the existing fields if `shouldReorder` returns true, else those of the incoming fields. */
  static mergeMetaWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: object,
    incoming: object,
  ): Meta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta;
  }

  /**
   * The primary key that the arguments of a look-up contain. By default this is the first argument itself, or the result of `pk`
   * for it.
   */
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

// The property is defined here and not in the class body, so that subclasses may declare `static key = '...'` as a plain property.
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
 * Returns a message for `validate` that names the first required field that the payload lacks; undefined when the payload has all
 * required fields.
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
