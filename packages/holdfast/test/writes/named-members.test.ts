// Mutations whose response is a map of rows by their keys.
import { Entity, RestEndpoint, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { start } from './harness.ts';

class Label extends Entity {
  static override key = 'Label';
  id = '';
  name = '';
}

async function startLabels() {
  const world = await start();
  const { server, controller } = world;
  const labels: Record<string, object> = { blue: { id: 'b', name: 'Blue' } };
  const answer = ({ body }: { body: unknown }) => {
    Object.assign(labels, body);
    return { body: body as object }; // cast: what the tests send
  };
  server.on('GET', '/labels', () => ({ body: labels }));
  server.on('POST', '/labels', answer);
  server.on('PUT', '/labels', answer);
  const getLabels = new RestEndpoint({
    urlPrefix: server.url,
    path: '/labels',
    schema: new schema.Collection(new schema.Values(Label)),
  });
  await controller.fetch(getLabels);
  return { ...world, getLabels };
}

test.each([false, true])(
  'assign puts the members of the response into the list (optimistic: %s)',
  async (optimistic) => {
    const { controller, getLabels, isFresh } = await startLabels();
    const assign = optimistic ? getLabels.assign.extend({ optimistic }) : getLabels.assign;

    const assigned = await controller.fetch(assign, { red: Label.fromJS({ id: 'r', name: 'Red' }) });

    expect(assigned['red']).toBeInstanceOf(Label);
    const { data } = controller.getResponse(getLabels);
    expect(Object.entries(data ?? {}).map(([key, { name }]) => `${key} ${name}`)).toEqual([
      'blue Blue',
      'red Red',
    ]);
    expect(isFresh(getLabels)).toBe(true);
  },
);

test('a mutation with a map as its response returns and stores its rows', async () => {
  const { server, controller } = await startLabels();
  const replace = new RestEndpoint({
    urlPrefix: server.url,
    path: '/labels',
    method: 'PUT',
    schema: new schema.Values(Label),
    body: {} as Record<string, object>,
  });

  const replaced = await controller.fetch(replace, { blue: { id: 'b', name: 'Navy' } });

  expect(replaced['blue']).toBeInstanceOf(Label);
  expect(controller.get(Label, { id: 'b' })?.name).toBe('Navy');
});
