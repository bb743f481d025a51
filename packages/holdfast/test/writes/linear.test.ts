// Actions that a user may repeat often have a linear cost: counted in operations, so that a busy machine changes nothing.
import { Controller, Endpoint, Entity, RestEndpoint, schema } from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { countOperations } from '../support/operations.ts';

class Row extends Entity {
  static override key = 'Row';
  id = '';
  title = '';
  votes = 0;
}

/** Operations of one response that deletes every other row of a list twice as long. */
async function remove(count: number, removal: unknown): Promise<number> {
  const controller = new Controller(new FakeWorld().options);
  const rows = Array.from({ length: 2 * count }, (_none, at) => ({ id: `r${at}` }));
  const list = new Endpoint(async () => rows, { name: 'list', schema: new schema.Collection([Row]) });
  const clear = new Endpoint(async () => rows.filter((_row, at) => at % 2 === 0), {
    name: 'clear',
    sideEffect: true,
    schema: removal as [typeof Row], // cast: any schema that removes rows
  });
  await controller.fetch(list);
  expect(controller.getResponse(list).data).toHaveLength(2 * count);

  const operations = await countOperations(() => controller.fetch(clear));
  expect(controller.getResponse(list).data).toHaveLength(count);
  return operations;
}

test.each([
  ['an array of removals', [new schema.Invalidate(Row)]],
  ['a removal', new schema.Invalidate(Row)],
])(
  'a response that deletes four times as many rows, by %s, costs at most five times as much',
  async (_name, removal) => {
    const few = await remove(100, removal);
    const many = await remove(400, removal);

    expect(few).toBeGreaterThan(1_000);
    expect(many / few).toBeLessThanOrEqual(5);
  },
);

/**
 * Operations of concurrent bulk calls, each of which changes this many other rows. The response to the last call arrives first.
 */
async function change(count: number, calls: number, optimistic: boolean): Promise<number> {
  const controller = new Controller(new FakeWorld().options);
  const bulk = new RestEndpoint({
    path: '/rows',
    method: 'PATCH',
    body: [] as { readonly id: string; readonly title: string }[],
    schema: [Row],
    optimistic,
    async fetch(body: readonly { readonly id: string }[]) {
      for (let turn = Number.parseInt(body[0]!.id); turn < calls; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      return body;
    },
  });
  const bodies = Array.from({ length: calls }, (_none, call) =>
    Array.from({ length: count }, (_row, at) => ({ id: `${call} ${at}`, title: 'new' })),
  );
  for (const row of bodies.flat()) await controller.set(Row, { ...row, title: 'old' });

  const operations = await countOperations(() =>
    Promise.all(bodies.map((body) => controller.fetch(bulk, body))),
  );
  for (const { id } of bodies.flat()) expect(controller.get(Row, { id })?.title).toBe('new');
  return operations;
}

test.each([
  [1, 'without a guess', false],
  [1, 'with a guess', true],
  [2, 'without a guess', false],
  [2, 'with a guess', true],
])(
  'bulk calls, %i together %s, of four times as many rows cost at most five times as much',
  async (calls, _name, optimistic) => {
    const few = await change(200, calls, optimistic);
    const many = await change(800, calls, optimistic);

    expect(few).toBeGreaterThan(1_000);
    expect(many / few).toBeLessThanOrEqual(5);
  },
);
