// A mutation may send a field that the class does not declare. If the response omits the field, the stored value is not shown as fresh,
// and no list that filters by the field is.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { Moments } from '../support/moments.ts';

class Item extends Entity {
  static override key = 'LooseItem';
  id = '';
  title = '';
}

type Row = { readonly id: string; readonly title: string; readonly status: string };

async function start(isStatusInReads: boolean, isTitleSent: boolean) {
  let row: Row = { id: '1', title: 'a', status: 'open' };
  const whole = (): object => (isStatusInReads ? row : { id: row.id, title: row.title });
  const net = new Moments(({ method, path, query, body }) => {
    if (method === 'GET' && path === '/items')
      return { body: query['status'] === row.status ? [whole()] : [] };
    if (method === 'GET') return { body: whole() };
    row = { ...row, ...(body as Partial<Row>) };
    return { body: { id: row.id, title: row.title } };
  });
  net.isQuick = true;
  const resource = createResource({
    urlPrefix: 'http://loose.test',
    path: '/items/:id',
    schema: Item,
    body: {} as { title?: string; status?: string; notify?: boolean },
    searchParams: {} as { status?: string },
  });
  const controller = new Controller({ fetch: net.fetch });
  const { getList, partialUpdate } = resource;
  await controller.fetch(getList, { status: 'open' });
  await controller.fetch(getList, { status: 'shut' });
  const change = (more: object) =>
    controller.fetch(partialUpdate, { id: '1' }, { ...(isTitleSent && { title: 'b' }), ...more });
  const isFresh = () => controller.getResponse(getList, { status: 'open' }).expiresAt > Date.now();
  const wrong = () =>
    ['open', 'shut'].filter((status) => {
      const { data, expiresAt } = controller.getResponse(getList, { status });
      return expiresAt > Date.now() && data?.length !== Number(status === row.status);
    });
  return { change, controller, isFresh, resource, wrong };
}

test.each([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
])(
  'lists are right or stale after a change of a filter that the class does not declare; in the rows: %s, with another field: %s',
  async (isStatusInReads, isTitleSent) => {
    const { change, wrong } = await start(isStatusInReads, isTitleSent);
    await change({ status: 'shut' });
    expect(wrong()).toEqual([]);
  },
);

test('a sent field that the class does not declare replaces the stored value when the response omits it', async () => {
  const { change, controller, resource } = await start(true, false);
  await controller.fetch(resource.get, { id: '1' });
  await change({ status: 'shut' });
  const { data, expiresAt } = controller.getResponse(resource.get, { id: '1' });
  expect({ ...data, isFresh: expiresAt > Date.now() }).toMatchObject({ status: 'shut', isFresh: false });
});

test('a sent field that no row has and no list filters by makes nothing stale', async () => {
  const { change, controller, isFresh } = await start(true, true);
  await change({ notify: true });
  expect(isFresh()).toBe(true);
  expect(controller.get(Item, { id: '1' })).not.toHaveProperty('notify');
});
