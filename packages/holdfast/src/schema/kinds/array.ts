// `schema.Array`: an array of one schema, or of several told apart by an attribute. `[S]` is its shorthand.
import { ArrayKind } from './array-kind.ts';
import { ItemsSchema } from './polymorphic.ts';
import type { AttributeFor, ItemOf } from './polymorphic.ts';
import type {
  ARGS,
  Denormalize,
  LISTED,
  Normalize,
  OUT,
  OUT_NULLABLE,
  STORED,
} from '../protocol/schema.types.ts';

/**
 * Normalizes an array. An object given instead is taken as the array of its values; an object for which a mapping has no
 * entry stays as it was.
 *
 * @example
 * const feed = new schema.Array({ user: User, post: Post }, 'type');
 */
export class ArraySchema<S> extends ItemsSchema<S> {
  declare readonly [OUT]: Denormalize<ItemOf<S>>[];
  declare readonly [OUT_NULLABLE]: Denormalize<ItemOf<S>>[] | undefined;
  declare readonly [STORED]: Normalize<ItemOf<S>>[];
  declare readonly [ARGS]: never;
  declare readonly [LISTED]: true;

  constructor(definition: S, ...attribute: AttributeFor<S>) {
    super('schema.Array', definition, attribute, (item) => new ArrayKind(item));
  }
}
