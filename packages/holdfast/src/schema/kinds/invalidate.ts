// `schema.Invalidate`: the schema of payloads that identify deleted rows. A payload has one row or several, as objects or plain
// ids.
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import { Removal, RemovalKind } from './removal.ts';
import type { ARGS, Denormalize, OUT, OUT_MAYBE, STORED } from '../protocol/schema.types.ts';

/**
 * Removes the entities that a response identifies. The entities leave every list, and the response to an earlier request does not
 * bring them back.
 *
 * @example
 * const deleteUsers = new RestEndpoint({ path: '/users', method: 'DELETE', schema: new schema.Invalidate(User) });
 */
export class Invalidate<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<ItemOf<S>>;
  declare readonly [OUT_MAYBE]: Denormalize<ItemOf<S>> | undefined;
  declare readonly [STORED]: string;
  declare readonly [ARGS]: never;

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.Invalidate', definition, attribute, (item) => new RemovalKind(item));
  }

  /** Makes the schema of a resource's `delete` count as an instance of this class too. */
  static [Symbol.hasInstance](value: unknown): boolean {
    const isOwn = Function.prototype[Symbol.hasInstance].call(this, value);
    return isOwn || (this === Invalidate && value instanceof Removal);
  }
}
