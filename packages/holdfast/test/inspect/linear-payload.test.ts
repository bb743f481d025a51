// The cost of the inspector grows with the payload: counted in operations, so that a busy machine changes nothing.
import { Controller, createResource, Entity, schema } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { countOperations } from '../support/operations.ts';

class Row extends Entity {
  static override key = 'Row';
  id = '';
  title = '';
}
const RowResource = createResource({ path: '/rows/:id', schema: Row });
const rowsOf = (count: number): { id: string; title: string }[] =>
  Array.from({ length: count }, (_none, at) => ({ id: `r${at}`, title: 'new' }));

function startInspected(): Controller {
  return new Controller({ ...new FakeWorld().options, managers: [inspect()] });
}

/** Operations of a list response that fills an empty store. */
async function fill(count: number): Promise<number> {
  const controller = startInspected();
  return countOperations(() => controller.setResponse(RowResource.getList, rowsOf(count)));
}

/** Operations of a response that deletes every row of a list. */
async function empty(count: number): Promise<number> {
  const controller = startInspected();
  const clear = RowResource.delete.extend({ path: '/rows', schema: [new schema.Invalidate(Row)] });
  await controller.setResponse(RowResource.getList, rowsOf(count));
  return countOperations(() => controller.setResponse(clear, rowsOf(count)));
}

test.each([
  ['brings a list', fill],
  ['deletes the rows of a list', empty],
])(
  'an inspected response that %s costs at most five times as much for four times as many rows',
  async (_name, run) => {
    const few = await run(200);
    const many = await run(800);

    expect(few).toBeGreaterThan(1_000);
    expect(many / few).toBeLessThanOrEqual(5);
  },
);
