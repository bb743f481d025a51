// One small resource in three forms: rows of an entity, rows of a union, and rows in an envelope. The calls and the shown data
// are the same; the tests of responses run on each.
import { createResource, Entity, schema } from 'holdfast';
import type { AnyEndpoint, AnyReadEndpoint } from 'holdfast';

export class Item extends Entity {
  static override key = 'Item';
  id = '';
  kind = '';
  title = '';
  version = 0;
}
class Post extends Item {
  static override key = 'Post';
}
class Link extends Item {
  static override key = 'Link';
}

export const KINDS = ['entity', 'union', 'envelope'] as const;
export type KindName = (typeof KINDS)[number];

export interface Fields {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly version: number;
}

/** An endpoint whose arguments the test vouches for. */
type Loose<E extends AnyEndpoint> = E & { readonly [name in keyof AnyEndpoint]: AnyEndpoint[name] };

export interface Dressed {
  readonly get: Loose<AnyReadEndpoint>;
  readonly getList: Loose<AnyReadEndpoint>;
  readonly create: AnyEndpoint;
  readonly update: AnyEndpoint;
  readonly partialUpdate: AnyEndpoint;
  readonly remove: AnyEndpoint;
  /** A row or a list as in a response of the server. */
  wrap(value: unknown): unknown;
  /** The rows in the data of a list reader. */
  unwrap(data: unknown): readonly Fields[];
}

/** The resource of `/items` at this address. */
export function dress(kind: KindName, urlPrefix: string, more: object): Dressed {
  const options = { urlPrefix, path: '/items/:id', body: {} as object, ...more } as const;
  if (kind === 'envelope') {
    const items = new schema.Collection([Item]);
    const {
      get,
      getList,
      update,
      partialUpdate,
      delete: remove,
    } = createResource({
      ...options,
      schema: Item,
    }).extend({
      get: { schema: { data: Item } },
      getList: { schema: { data: items } },
      update: { schema: { data: Item } },
      partialUpdate: { schema: { data: Item } },
      delete: { schema: { data: new schema.Invalidate(Item) } },
    });
    return {
      get,
      getList,
      create: getList.push.extend({ schema: { data: items.push } }),
      update,
      partialUpdate,
      remove,
      wrap: (value) => ({ data: value }),
      unwrap: (data) => (data as { data?: readonly Fields[] } | undefined)?.data ?? [], // cast: of that schema
    };
  }
  const union = new schema.Union({ post: Post, link: Link }, 'kind');
  const {
    get,
    getList,
    update,
    partialUpdate,
    delete: remove,
  } = createResource({
    ...options,
    schema: kind === 'union' ? union : Item,
  });
  return {
    get,
    getList,
    create: getList.push,
    update,
    partialUpdate,
    remove,
    wrap: (value) => value,
    unwrap: (data) => (data as readonly Fields[] | undefined) ?? [], // cast: as above
  };
}
