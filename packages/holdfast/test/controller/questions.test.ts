// The other read methods of the controller: aliases, failures, and a snapshot of the store.
import { Controller, createResource, Endpoint, Entity, ExpiryStatus } from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
const { get } = TodoResource;

function start() {
  const world = new FakeWorld();
  return { world, controller: new Controller(world.options) };
}

test('getResponseMeta returns the same as getResponse', async () => {
  const { controller } = start();
  await controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' });

  const meta = controller.getResponseMeta(get, { id: '1' });

  expect(meta).toEqual(controller.getResponse(get, { id: '1' }));
  expect([meta.data?.title, meta.expiryStatus]).toEqual(['milk', ExpiryStatus.Valid]);
});

test('a snapshot returns responses, failures, rows, and the time when it was taken', async () => {
  const { controller } = start();
  await controller.setResponse(get, { id: '1' }, { id: '1', title: 'milk' });
  await controller.setError(get, { id: '2' }, new Error('no luck'));

  const before = controller.snapshot();
  const snapshot = controller.snapshot();

  expect(snapshot.get(Todo, { id: '1' })?.title).toBe('milk');
  expect(snapshot.getResponse(get, { id: '1' }).data?.title).toBe('milk');
  expect(snapshot.getResponse(get, { id: '1' }).expiresAt).toBe(
    controller.getResponse(get, { id: '1' }).expiresAt,
  );
  expect(snapshot.getError(get, { id: '1' })).toBeUndefined();
  expect(snapshot.getError(get, { id: '2' })?.message).toBe('no luck');
  expect(snapshot.fetchedAt).toBeGreaterThan(before.fetchedAt);
});

test('null in place of arguments requests nothing: there is no data, no failure, and nothing is stale', () => {
  const { controller } = start();

  expect(controller.getResponse(get, null)).toEqual({
    data: undefined,
    expiryStatus: ExpiryStatus.Valid,
    expiresAt: Infinity,
  });
  expect(controller.getError(get, null)).toBeUndefined();
  controller.invalidate(get, null);
  controller.subscribe(get, null);
  controller.unsubscribe(get, null);
  expect(controller.size).toBe(0);
});

test('a failure that is set directly is stored as a failure, and a value that is no Error becomes one', async () => {
  const { controller } = start();

  await controller.resolve(get, { args: [{ id: '1' }], response: new Error('no luck'), error: true });
  await controller.resolve(get, { args: [{ id: '2' }], response: 'a text', error: true });

  expect(controller.getError(get, { id: '1' })?.message).toBe('no luck');
  expect(controller.getError(get, { id: '2' })).toBeInstanceOf(Error);
});

test('a response that was written directly ends a series of failures: the next failure is retried like a first one', async () => {
  const { controller, world } = start();
  let sent = 0;
  const fail = async (): Promise<string> => {
    sent += 1;
    throw new Error('no');
  };
  const read = new Endpoint(fail, { name: 'read', errorExpiryLength: 100 });
  const stop = controller.watch(read).subscribe(() => undefined);
  const countOf = async (ms: number): Promise<number> => {
    const before = sent;
    await world.pass(0); // the request has failed, and its slot has the time of the next try
    await world.pass(ms);
    return sent - before;
  };
  await countOf(20_000);
  expect(await countOf(500)).toBeLessThan(2);

  await controller.setResponse(read, 'milk');
  expect([controller.getError(read), controller.getResponse(read).data]).toEqual([undefined, 'milk']);
  sent = 0;
  controller.expireAll(read);
  await countOf(500);

  // at once and after each of two short pauses
  expect(sent).toBe(3);
  stop();
});
