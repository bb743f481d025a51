// The public function EntityMixin: makes an entity class from any other class. The hooks of Entity are copied by reference, so
// that EntityKind recognises hooks that are not overridden.
import { Entity } from './entity.ts';
import type { PrimaryKey } from './entity.ts';
import { setOwn } from '../../support/plain.ts';
import type { VersionRule } from './versions.ts';
import type { WireNames } from './wire-names.ts';

/**
 * A class that EntityMixin accepts: its constructor must work without arguments.
 *
 * @example
 * class Money {
 *   id = '';
 * }
 * const base: EntityMixin.Base = Money;
 */
export type MixinBase = new (...args: never) => object;

/**
 * Options of EntityMixin: the primary key, and static properties of the entity class.
 *
 * @example
 * class Money {
 *   id = '';
 *   amount = 0;
 * }
 * const options: EntityMixin.Options<Money> = { key: 'Payment', indexes: ['amount'] };
 * class Payment extends EntityMixin(Money, options) {}
 */
export interface EntityMixinOptions<T> {
  /** The field with the primary key, or a function of the payload. Default: the class's own `pk`, else the field `id`. */
  readonly pk?: (keyof T & string) | ((value: T, parent?: unknown, key?: string) => PrimaryKey);
  readonly key?: string;
  readonly schema?: Record<string, unknown>;
  readonly indexes?: readonly (keyof T & string)[];
  readonly version?: VersionRule<keyof T & string>;
  readonly wireNames?: WireNames;
}

/**
 * The class that EntityMixin returns: instances of the base class, with the static properties of Entity.
 *
 * @example
 * class Money {
 *   id = '';
 *   amount = 0;
 * }
 * const Payment: EntityMixin.Result<typeof Money> = EntityMixin(Money, { key: 'Payment' });
 */
export type MixedEntity<B extends MixinBase> = Omit<typeof Entity, 'prototype' | 'fromJS'> & {
  new (...args: ConstructorParameters<B>): InstanceType<B> & Entity;
  readonly prototype: InstanceType<B> & Entity;
  fromJS<T extends abstract new (...args: never) => unknown>(
    this: T,
    props?: Partial<InstanceType<T>>,
  ): InstanceType<T>;
};

/**
 * Turns any class into an entity.
 *
 * @example
 * class TodoData { id = ''; title = ''; }
 * class Todo extends EntityMixin(TodoData, { key: 'Todo' }) {}
 */
export function EntityMixin<B extends MixinBase>(
  base: B,
  options: EntityMixinOptions<InstanceType<B>> = {},
): MixedEntity<B> {
  const Mixed = class extends (base as unknown as new (...args: readonly unknown[]) => object) {}; // cast: TypeScript requires this signature for the base class of a mixin
  inheritFrom(Entity, Mixed);
  inheritFrom(Entity.prototype, Mixed.prototype);
  const { pk, ...statics } = options;
  if (pk !== undefined) setOwn(Mixed.prototype, 'pk', createPkMethod(pk as string | PkFunction)); // cast: a field name of any class is a string
  // Without an explicit key, the name of the base class is the default key.
  setOwn(Mixed, 'name', base.name);
  for (const [name, value] of Object.entries(statics)) if (value !== undefined) setOwn(Mixed, name, value);
  return Mixed as typeof Mixed & MixedEntity<B>; // cast: assembled above, property by property
}

type PkFunction = (value: unknown, parent?: unknown, key?: string) => PrimaryKey;

/**
 * Returns the method `pk`, which calls the given function or reads the given field. If the field is absent, the method returns
 * null, which is an error, as for `id`. If it returned undefined, the object would stay inline.
 */
function createPkMethod(pk: string | PkFunction): (this: object, parent?: unknown, key?: string) => unknown {
  if (typeof pk === 'function') {
    return function pkOf(this: object, parent?: unknown, key?: string): unknown {
      return pk(this, parent, key);
    };
  }
  return function pkField(this: object): unknown {
    return Object.hasOwn(this, pk) ? ((this as Record<string, unknown>)[pk] ?? null) : null; // cast: an own field
  };
}

/**
 * Copies the properties that the target lacks, and those that every object has, such as `toString`, but not `prototype`, `length`,
 * `name` and `constructor`.
 */
function inheritFrom(source: object, target: object): void {
  for (const name of Reflect.ownKeys(source)) {
    const descriptor = Object.getOwnPropertyDescriptor(source, name);
    const isBuiltIn = name === 'prototype' || name === 'length' || name === 'name' || name === 'constructor';
    if (
      isBuiltIn ||
      descriptor === undefined ||
      (name in target && !(name in Object.prototype) && name !== 'toString')
    )
      continue;
    Object.defineProperty(target, name, descriptor);
  }
}

export declare namespace EntityMixin {
  export type { EntityMixinOptions as Options, MixedEntity as Result, MixinBase as Base };
}
