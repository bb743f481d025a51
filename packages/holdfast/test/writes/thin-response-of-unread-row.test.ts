// A mutation may change a row that the store does not hold. If the response has only some of the fields, the defaults of the class are
// not shown as the server's values for long: the row and the lists that it enters are read again.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { Moments } from '../support/moments.ts';

class Post extends Entity {
  static override key = 'ThinPost';
  id = '';
  title = '';
  author = '';
}

const resource = createResource({
  urlPrefix: 'http://thin.test',
  path: '/posts/:id',
  schema: Post,
  body: {} as { author: string },
  searchParams: {} as { author?: string },
});
const close = resource.partialUpdate.extend({ method: 'POST', path: '/posts/:id/move' });

test.each([
  { way: 'optimistic PATCH', endpoint: resource.partialUpdate, optimistic: true, isWhole: false },
  { way: 'PATCH', endpoint: resource.partialUpdate, optimistic: false, isWhole: false },
  { way: 'action', endpoint: close, optimistic: false, isWhole: false },
  { way: 'PATCH with the whole row', endpoint: resource.partialUpdate, optimistic: false, isWhole: true },
])(
  'after a mutation of a row that is not stored ($way), its list shows each field as the server has it',
  async ({ endpoint, optimistic, isWhole }) => {
    const rows = [
      { id: '2', title: 'two', author: 'x' },
      { id: '4', title: 'four', author: 'y' },
    ];
    const net = new Moments(({ method, path, query, body }) => {
      if (method === 'GET') return { body: rows.filter(({ author }) => author === query['author']) };
      const row = Object.assign(
        rows.find(({ id }) => id === path.split('/')[2])!,
        body,
      ); // the row exists
      return { body: isWhole ? row : { id: row.id, ...(body as object) } };
    });
    net.isQuick = true;
    const controller = new Controller({ fetch: net.fetch });
    await controller.fetch(resource.getList, { author: 'x' });
    const list = controller.watch(resource.getList, { author: 'x' });
    const leave = list.subscribe(() => {});
    await controller.fetch(
      optimistic ? endpoint.extend({ optimistic }) : endpoint,
      { id: '4' },
      { author: 'x' },
    );
    await expect
      .poll(() => list.read().data?.map(({ title }) => title), { timeout: 3_000 })
      .toEqual(['two', 'four']);
    expect(net.sent.filter((line) => line.startsWith('GET'))).toHaveLength(isWhole ? 1 : 2);
    leave();
  },
);
