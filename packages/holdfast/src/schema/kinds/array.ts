// `schema.Array`: an array of one schema, or of several that an attribute distinguishes. `[S]` is its shorthand.
import { ArrayKind } from './array-kind.ts';
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import type {
  ARGS,
  Denormalize,
  LISTED,
  Normalize,
  OUT,
  OUT_MAYBE,
  STORED,
} from '../protocol/schema.types.ts';

/**
 * Normalizes an array. When the payload is an object, the array of its values is used. An item for which the mapping has no entry
 * is stored unchanged.
 *
 * @example
 * const feed = new schema.Array({ user: User, post: Post }, 'type');
 */
export class ArraySchema<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<ItemOf<S>>[];
  declare readonly [OUT_MAYBE]: Denormalize<ItemOf<S>>[] | undefined;
  declare readonly [STORED]: Normalize<ItemOf<S>>[];
  declare readonly [ARGS]: never;
  declare readonly [LISTED]: true;

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.Array', definition, attribute, (item) => new ArrayKind(item));
  }
}
