// Mutations of one row that wait for each other in no queue, and of which two end with an unknown outcome.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { calm, Moments } from '../support/moments.ts';

class Note extends Entity {
  static override key = 'UnknownNote';
  id = '';
  title = '';
  rank = 0;
}

// Without queues the mutations are handled in the order a, c, b; the responses to b and then to a are lost.
test('the response to an update leaves the row stale when a later update, and then an earlier one, has ended with an unknown outcome', async () => {
  let note = { id: '1', title: 'old', rank: 0 };
  const net = new Moments(({ method, body }) => {
    if (method === 'PATCH') note = { ...note, ...(body as object) };
    return note.title === 'lost' ? 'lost' : { body: note };
  });
  const { get, partialUpdate } = createResource({
    urlPrefix: 'http://by.hand',
    path: '/notes/:id',
    schema: Note,
    body: {} as Partial<typeof note>,
  });
  const update = partialUpdate.extend({ queue: null });
  const controller = new Controller({ fetch: net.fetch, managers: [] });
  onTestFinished(() => controller.stop());
  controller.start();
  const send = async (fields: Partial<typeof note>) => {
    const sent = controller.fetch(update, { id: '1' }, fields).catch(() => undefined);
    await calm();
    return { sent, request: net.inFlight.at(-1)! };
  };
  const read = async () => {
    const reading = controller.fetch(get, { id: '1' });
    await calm();
    await net.next('GET').deliver();
    return reading;
  };
  await read();
  const a = await send({ title: 'lost' });
  const c = await send({ title: 'c', rank: 3 });
  const b = await send({ title: 'lost' });
  a.request.handle();
  c.request.handle();
  await b.request.deliver();
  await a.request.deliver();
  note = { ...note, title: 'b' };
  expect((await read()).title).toBe('b');
  await c.request.deliver();
  await c.sent;
  const { data, expiresAt } = controller.getResponse(get, { id: '1' });
  expect(data?.title === 'b' || expiresAt <= Date.now()).toBe(true);
});
