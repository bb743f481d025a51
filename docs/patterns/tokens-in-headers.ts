// P-3. A list whose page token comes in the `link` header: parseResponse
// reads it, the schema gives it a place.
import { createResource, Entity, RestEndpoint, schema } from 'holdfast';
import type { Controller, RestOptions } from 'holdfast';

export class Issue extends Entity {
  static override key = 'Issue';
  id = '';
  title = '';
}

class LinkedEndpoint<
  const O extends RestOptions = RestOptions,
> extends RestEndpoint<O> {
  override async parseResponse(response: Response): Promise<unknown> {
    const results = await super.parseResponse(response);
    const link = response.headers.get('link');
    return link !== null || Array.isArray(results)
      ? { link: link ?? '', results }
      : results;
  }
}

export const createIssueResource = (urlPrefix: string) =>
  createResource({
    urlPrefix,
    path: '/issues/:id',
    schema: Issue,
    Endpoint: LinkedEndpoint,
  }).extend({
    getList: {
      schema: { results: new schema.Collection([Issue]), link: '' },
    },
  });

export const pageOf = (link: string): string | undefined =>
  /[?&]page=(\w+)[^>]*>; rel="next"/.exec(link)?.[1];

export async function readTwoPages(
  controller: Controller,
  urlPrefix: string,
) {
  const { getList } = createIssueResource(urlPrefix);
  const first = await controller.fetch(getList);

  const page = pageOf(first.link);
  if (page !== undefined)
    await controller.fetch(getList.paginated('page'), { page });

  return controller.getResponse(getList).data;
}
