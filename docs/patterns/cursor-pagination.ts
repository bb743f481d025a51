// P-4. Cursor pagination: the next page is asked for with the cursor that
// came with the last one.
import { createResource, Entity, schema } from 'holdfast';
import type { Controller } from 'holdfast';

export class Message extends Entity {
  static override key = 'Message';
  id = '';
  room = '';
  text = '';
}

export const createMessageResource = (urlPrefix: string) =>
  createResource({
    urlPrefix,
    path: '/messages/:id',
    schema: Message,
    searchParams: {} as { room: string },
    paginationField: 'cursor',
  }).extend({
    getList: {
      schema: { results: new schema.Collection([Message]), cursor: '' },
    },
  });

export async function readAll(
  controller: Controller,
  urlPrefix: string,
  room: string,
) {
  const { getList } = createMessageResource(urlPrefix);
  let { cursor } = await controller.fetch(getList, { room });

  while (cursor)
    ({ cursor } = await controller.fetch(getList.getPage, {
      room,
      cursor,
    }));

  return controller.getResponse(getList, { room }).data?.results;
}
