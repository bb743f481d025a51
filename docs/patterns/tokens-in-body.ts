// P-2. A list whose page tokens come in the body, beside the rows.
import { createResource, Entity, schema } from 'holdfast';
import type { Controller } from 'holdfast';

export class Post extends Entity {
  static override key = 'Post';
  id = '';
  title = '';
}

export const createPostResource = (urlPrefix: string) =>
  createResource({
    urlPrefix,
    path: '/posts/:id',
    schema: Post,
    paginationField: 'page',
  }).extend({
    getList: {
      // a literal is a member's default, and gives its type
      schema: {
        results: new schema.Collection([Post]),
        nextPage: '',
        prevPage: '',
      },
    },
  });

export async function readTwoPages(
  controller: Controller,
  urlPrefix: string,
) {
  const { getList } = createPostResource(urlPrefix);
  const first = await controller.fetch(getList);

  if (first.nextPage)
    await controller.fetch(getList.getPage, { page: first.nextPage });

  return controller.getResponse(getList).data;
}
