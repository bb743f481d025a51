// Makes an entity of a class that extends something else. The lifecycle is Entity's own, copied by reference, so that a
// hook that no class overrides is recognised as such and never called.
import { Entity } from './entity.ts';
import type { PrimaryKey } from './entity.ts';
import { setOwn } from '../../support/plain.ts';
import type { VersionRule } from './versions.ts';

/**
 * A class whose instances the store can make: it must construct without arguments.
 *
 * @example
 * class Money {
 *   id = '';
 * }
 * const base: EntityMixin.Base = Money;
 */
export type MixinBase = new (...args: never) => object;

/**
 * What may be given beside the class; whatever else an entity class may have as a static counts too.
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
}

/**
 * The class that EntityMixin gives: the base's instances, Entity's statics.
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
  const Mixed = class extends (base as unknown as new (...args: readonly unknown[]) => object) {}; // cast: any constructor
  inheritFrom(Entity, Mixed);
  inheritFrom(Entity.prototype, Mixed.prototype);
  const { pk, ...statics } = options;
  if (pk !== undefined) setOwn(Mixed.prototype, 'pk', readPk(pk as string | PkFunction)); // cast: fields are strings
  // a class of one's own keeps its name unless a key is given
  setOwn(Mixed, 'name', base.name);
  for (const [name, value] of Object.entries(statics)) if (value !== undefined) setOwn(Mixed, name, value);
  return Mixed as unknown as MixedEntity<B>; // cast: made above, member by member
}

type PkFunction = (value: unknown, parent?: unknown, key?: string) => PrimaryKey;

/** A named field that is absent is an error, as it is for `id`: null is refused where undefined would stay inline. */
function readPk(pk: string | PkFunction): (this: object, parent?: unknown, key?: string) => unknown {
  if (typeof pk === 'function') {
    return function pkOf(this: object, parent?: unknown, key?: string): unknown {
      return pk(this, parent, key);
    };
  }
  return function pkField(this: object): unknown {
    return Object.hasOwn(this, pk) ? ((this as Record<string, unknown>)[pk] ?? null) : null; // cast: an own field
  };
}

/** Copies what the target does not have by itself. */
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
