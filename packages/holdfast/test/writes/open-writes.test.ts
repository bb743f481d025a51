// A mutation has two steps: it is opened, and it is sent. `controller.fetch` does both; a feature may do them apart.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { openWrite, sendWrite } from '../../src/controller/request/fetch-write.ts';
import { CORE } from '../../src/controller/state/core.ts';
import { EndpointCall } from '../../src/dispatch/call.ts';
import { FakeWorld } from '../support/fake-world.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
}
const { get, partialUpdate } = createResource({
  urlPrefix: 'http://api.test',
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
});

test('an open mutation is shown and holds its queue, and is sent only by the second step', async () => {
  const bodies: string[] = [];
  const fetch = async (_url: string, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init?.body)) as { title: string };
    bodies.push(body.title);
    return Response.json({ id: '5', ...body });
  };
  const world = new FakeWorld();
  const controller = new Controller({ ...world.options, fetch, managers: [] });
  await controller.setResponse(get, { id: '5' }, { id: '5', title: 'old' });
  const core = controller[CORE];
  const titleNow = (): string | undefined => controller.get(Todo, { id: '5' })?.title;

  const flight = openWrite(core, new EndpointCall(partialUpdate, [{ id: '5' }, { title: 'first' }]));
  expect(titleNow()).toBe('first');
  const second = controller.fetch(partialUpdate, { id: '5' }, { title: 'second' });
  await world.pass(100);
  expect(titleNow()).toBe('second');
  expect(bodies).toEqual([]);

  await sendWrite(core, flight);
  await second;
  expect(bodies).toEqual(['first', 'second']);
  expect(titleNow()).toBe('second');
});
