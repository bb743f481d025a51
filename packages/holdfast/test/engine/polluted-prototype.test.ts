// An old script on the page may have added a name to `Object.prototype`. No row takes its value from there.
import { Controller, createResource, Entity } from 'holdfast';
import { afterEach, expect, test } from 'vitest';

class Item extends Entity {
  static override key = 'PollutedItem';
  id = '';
  title = '';
  each = '';
}

const { get, getList, partialUpdate } = createResource({
  urlPrefix: 'http://polluted.test',
  path: '/items/:id',
  schema: Item,
  body: {} as { title: string },
});
const pollute = (value: unknown): unknown => Object.assign(Object.prototype, { each: value });

afterEach(() => Reflect.deleteProperty(Object.prototype, 'each'));

test('a field that a summary omits keeps its value', async () => {
  const controller = new Controller({});
  await controller.setResponse(get, { id: '1' }, { id: '1', title: 'one', each: 'mine' });
  pollute(() => 'foreign');
  await controller.setResponse(getList, [{ id: '1', title: 'two' }]);
  Reflect.deleteProperty(Object.prototype, 'each');

  expect(controller.get(Item, { id: '1' })).toMatchObject({ title: 'two', each: 'mine' });
});

test('a row that is stale after a failed mutation is fresh after it has been read again', async () => {
  const respond = (_url: unknown, { method = 'GET' }: RequestInit = {}): Promise<Response> =>
    Promise.resolve(
      method === 'GET' ? Response.json({ id: '1', title: 'one' }) : new Response(null, { status: 500 }),
    );
  const controller = new Controller({ fetch: respond });
  await controller.fetch(get, { id: '1' });
  await controller.fetch(partialUpdate, { id: '1' }, { title: 'two' }).catch(() => {});
  expect(controller.getResponse(get, { id: '1' }).expiresAt).toBe(0);
  pollute('foreign');
  await controller.fetch(get, { id: '1' });
  Reflect.deleteProperty(Object.prototype, 'each');

  expect(controller.getResponse(get, { id: '1' }).expiresAt).toBeGreaterThan(Date.now());
});
