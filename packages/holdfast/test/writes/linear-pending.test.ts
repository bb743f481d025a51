// Actions that a user may repeat often have a linear cost: counted in operations, so that a busy machine changes nothing.
import { Controller, Entity, RestEndpoint, watchQuery } from 'holdfast';
import type { Snapshot } from 'holdfast';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { countOperations } from '../support/operations.ts';

class Row extends Entity {
  static override key = 'Row';
  id = '';
  title = '';
  votes = 0;
}

type Guess = (snapshot: Snapshot, params: { id: string }, body: Partial<Row>) => object;

interface Costs {
  readonly laying: number;
  readonly settling: number;
}

/**
 * Operations of this many pending changes of one row: of their calls, and of their responses, which arrive one after the other.
 */
async function settle(count: number, guess: Guess): Promise<Costs> {
  const answers: (() => void)[] = [];
  let answered = 0;
  const change = new RestEndpoint({
    path: '/rows/:id',
    method: 'PATCH',
    body: {} as Partial<Row>,
    schema: Row,
    getOptimisticResponse: guess,
    fetch: async (_params: object, body: object) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { id: '1', votes: (answered += 1), ...body };
    },
  });
  const controller = new Controller(new FakeWorld().options);
  await controller.set(Row, { id: '1', title: 'old', votes: 0 });
  let looks = 0;
  watchQuery(controller, Row, { id: '1' }).subscribePassively(() => (looks += 1));
  let calls: Promise<unknown>[] = [];
  const laying = await countOperations(async () => {
    calls = Array.from({ length: count }, (_none, at) =>
      controller.fetch(change, { id: '1' }, { title: `t${at}` }),
    );
  });

  const settling = await countOperations(async () => {
    for (const call of calls) {
      while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
      answers.shift()?.();
      await call;
    }
  });
  expect(controller.get(Row, { id: '1' })).toMatchObject({ title: `t${count - 1}`, votes: count });
  expect(looks).toBeGreaterThan(0);
  return { laying, settling };
}

test.each<[string, Guess]>([
  ['that state what they send', (_snapshot, { id }, body) => ({ id, ...body })],
  [
    'that count on each other',
    (snapshot, { id }, body) => ({ id, ...body, votes: (snapshot.get(Row, { id })?.votes ?? 0) + 1 }),
  ],
])(
  'applying and settling eight times as many pending changes of one row, with optimistic updates %s, costs at most ten times as much',
  async (_name, guess) => {
    const few = await settle(20, guess);
    const many = await settle(160, guess);

    expect(few.settling).toBeGreaterThan(1_000);
    expect(many.settling / few.settling).toBeLessThanOrEqual(10);
    expect(few.laying).toBeGreaterThan(1_000);
    expect(many.laying / few.laying).toBeLessThanOrEqual(10);
  },
);
