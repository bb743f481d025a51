// `schema.Invalidate`: a payload that says what was deleted, as objects or plain ids, one or many.
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import { Removal, RemovalKind } from './removal.ts';
import type { ARGS, Denormalize, OUT, OUT_NULLABLE, STORED } from '../protocol/schema.types.ts';

/**
 * Removes the entities a response names. They leave every list, and no answer sent before brings them back.
 *
 * @example
 * const deleteUsers = new RestEndpoint({ path: '/users', method: 'DELETE', schema: new schema.Invalidate(User) });
 */
export class Invalidate<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<ItemOf<S>>;
  declare readonly [OUT_NULLABLE]: Denormalize<ItemOf<S>> | undefined;
  declare readonly [STORED]: string;
  declare readonly [ARGS]: never;

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.Invalidate', definition, attribute, (item) => new RemovalKind(item));
  }

  /** The schema of a resource's `delete` is one too. */
  static [Symbol.hasInstance](value: unknown): boolean {
    const isOwn = Function.prototype[Symbol.hasInstance].call(this, value);
    return isOwn || (this === Invalidate && value instanceof Removal);
  }
}
