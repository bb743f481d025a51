// A class with a custom order may ignore optimistic updates.
import { createResource, Entity } from 'holdfast';
import type { Meta } from 'holdfast';
import { expect, test } from 'vitest';
import { start } from './harness.ts';

class Price extends Entity {
  static override key = 'Price';
  id = '';
  value = 0;
  at = 0;
  static override shouldUpdate(
    _existingMeta: Meta,
    _incomingMeta: Meta,
    existing: Price,
    incoming: Price,
  ): boolean {
    return (incoming.at ?? Infinity) >= existing.at;
  }
}

test('an optimistic update that the class calls older than newer server data is not shown', async () => {
  const { server, controller, send } = await start();
  const { get, partialUpdate } = createResource({
    urlPrefix: server.url,
    path: '/prices/:id',
    schema: Price,
    optimistic: true,
  });
  server.on('GET', '/prices/1', { body: { id: '1', value: 10, at: 1 } });
  await controller.fetch(get, { id: '1' });
  server.hold('PATCH', '/prices/1');
  void send(partialUpdate, { id: '1' }, { value: 20, at: 2 });
  expect(controller.get(Price, { id: '1' })?.value).toBe(20);

  server.on('GET', '/prices/1', { body: { id: '1', value: 30, at: 3 } });
  await controller.fetch(get, { id: '1' });

  expect(controller.get(Price, { id: '1' })).toMatchObject({ value: 30, at: 3 });
});

test('an optimistic update that the class calls older when it is applied is never shown, and one that it calls newer is', async () => {
  const { server, controller, send } = await start();
  const { partialUpdate } = createResource({
    urlPrefix: server.url,
    path: '/prices/:id',
    schema: Price,
    optimistic: true,
  });
  await controller.set(Price, { id: '1', value: 30, at: 3 });
  server.hold('PATCH', '/prices/1');

  void send(partialUpdate, { id: '1' }, { value: 20, at: 2 });
  expect(controller.get(Price, { id: '1' })).toMatchObject({ value: 30, at: 3 });
  void send(partialUpdate, { id: '1' }, { value: 40, at: 4 });
  expect(controller.get(Price, { id: '1' })).toMatchObject({ value: 40, at: 4 });
});
