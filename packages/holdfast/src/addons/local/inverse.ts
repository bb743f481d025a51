// `inverse`: a field of an entity that shows the other end of a relation. The author of a post is stored with the post; the posts
// of an author are found from the stored posts.
import type { AnyReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import { collectionsIn } from '../../schema/collection/collections-in.ts';
import { isKeyed, KIND } from '../../schema/protocol/protocol.ts';
import type {
  ARGS,
  EntityClass,
  EntityFields,
  OUT,
  OUT_MAYBE,
  STORED,
} from '../../schema/protocol/schema.types.ts';
import { HoldfastError } from '../../support/errors.ts';
import { InverseKind } from './inverse-kind.ts';
import type { ListKind } from './inverse-kind.ts';

/**
 * The schema of a field that {@link inverse} declares. Its value is an array of entities.
 *
 * @example
 * class Comment extends Entity {
 *   id = '';
 *   writer = User.fromJS();
 *   static override key = 'Comment';
 *   static override schema = { writer: User };
 * }
 * const comments: Inverse<typeof Comment> = inverse(() => Comment, 'writer');
 */
export interface Inverse<E extends EntityClass> {
  readonly [OUT]: E['prototype'][];
  readonly [OUT_MAYBE]: E['prototype'][] | undefined;
  readonly [STORED]: string;
  readonly [ARGS]: never;
}

/**
 * The list that has the same rows as the field, and the argument that identifies the list.
 *
 * @example const options: inverse.Options = { list: () => PostResource.getList, by: 'userId' };
 */
export interface InverseOptions {
  /**
   * The endpoint of the list, or a function that returns the endpoint if it is declared later. Rows that are in the list come
   * first, in the order of the list.
   */
  readonly list?: AnyReadEndpoint | (() => AnyReadEndpoint);
  /** The name of the list's argument that contains the primary key. Default: the name of the relation's field. */
  readonly by?: string;
}

/**
 * Declares a field that shows every stored row which refers to the entity. The field follows every change: when the author of a
 * post changes, also by an optimistic update, the post leaves the field of one author and enters the field of the other author.
 *
 * @example
 * class Author extends Entity {
 *   id = '';
 *   books: Book[] = [];
 *   static override key = 'Author';
 *   static override schema = { books: inverse(() => Book, 'author') };
 * }
 * class Book extends Entity {
 *   id = '';
 *   author: Author = Author.fromJS();
 *   static override key = 'Book';
 *   static override schema = { author: Author };
 * }
 */
export function inverse<E extends EntityClass>(
  of: () => E,
  field: keyof EntityFields<E['prototype']> & string,
  { list, by = field }: InverseOptions = {},
): Inverse<E> {
  let kind: ListKind | undefined;
  const findList = (): ListKind | undefined => {
    if (!list || kind) return kind;
    const endpoint = isEndpoint(list) ? list : list();
    const found = collectionsIn(endpoint.schema).find((one) => !isKeyed(one[KIND]));
    if (!found)
      throw new HoldfastError('LOCAL_WITHOUT_LIST', {
        endpoint: String((endpoint as { readonly name?: unknown }).name), // cast: an endpoint has a name
      });
    return (kind = found[KIND] as ListKind); // cast: the kind of a Collection also fills its lists
  };
  if (list && isEndpoint(list)) findList();
  const inverted = { [KIND]: new InverseKind({ of, field, list: findList, by }) };
  return inverted as unknown as Inverse<E>; // cast: the other symbols exist only as types
}

function isEndpoint(list: AnyReadEndpoint | (() => AnyReadEndpoint)): list is AnyReadEndpoint {
  return 'key' in list;
}

export declare namespace inverse {
  export type { InverseOptions as Options };
}
