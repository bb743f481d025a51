// P-6. A function around createResource gives class-like reuse: every
// resource of this API pages its lists alike.
import { createResource, Entity, schema } from 'holdfast';
import type { ResourceOptions } from 'holdfast';

export function createPagedResource<const O extends ResourceOptions>(
  options: O,
) {
  return createResource(options).extend({
    getList: {
      searchParams: {} as { limit?: number; skip?: number } | undefined,
      schema: {
        results: new schema.Collection([options.schema as O['schema']]),
        total: 0,
        limit: 0,
        skip: 0,
      },
    },
  });
}

export class Product extends Entity {
  static override key = 'Product';
  id = 0;
  title = '';
}

export const createProductResource = (urlPrefix: string) =>
  createPagedResource({
    urlPrefix,
    path: '/products/:id',
    schema: Product,
  });
