// A read finds a row gone while a mutation of the row is in flight. The server may have handled the mutation before or after the
// deletion, so its response brings the row back only until the row has been read again.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Item extends Entity {
  static override key = 'GoneItem';
  id = '';
  title = '';
}

const { get, getList, partialUpdate } = createResource({
  urlPrefix: 'http://gone.test',
  path: '/items/:id',
  schema: Item,
  body: {} as { title: string },
});

test('a row that a read has found gone is not fresh after the late response to a mutation', async () => {
  let rows = [
    { id: '1', title: 'one' },
    { id: '2', title: 'two' },
  ];
  const net = new Moments(({ method, path, body }) => {
    if (path === '/items') return { body: rows };
    const row = rows.find(({ id }) => path.endsWith(id));
    if (!row) return { status: 404, body: {} };
    if (method === 'PATCH') Object.assign(row, body);
    return { body: { ...row } };
  });
  const controller = new Controller({ fetch: net.fetch });
  net.isQuick = true;
  await controller.fetch(getList);
  net.isQuick = false;
  const reading = controller.fetch(get, { id: '2' }).catch(() => {});
  await calm();
  const changing = controller.fetch(partialUpdate, { id: '2' }, { title: 'mine' });
  await calm();
  const patch = net.next('PATCH');
  patch.handle();
  rows = rows.slice(0, 1); // another client deletes the row
  await net.next('GET').deliver();
  await reading;
  await patch.deliver();
  await changing;

  const { data, expiresAt } = controller.getResponse(get, { id: '2' });
  expect(data === undefined || expiresAt <= Date.now()).toBe(true);
  const list = controller.getResponse(getList);
  expect(list.data?.length === 1 || list.expiresAt <= Date.now()).toBe(true);
});
