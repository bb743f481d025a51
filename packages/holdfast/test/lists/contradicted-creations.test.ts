// A created row whose fields differ from its request, and that arrives in another response before that of its creation: its lists
// are right or stale.
import { Controller, Endpoint, Entity, schema } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Job extends Entity {
  static override key = 'Job';
  id = '';
  owner = '';
}
class Person extends Entity {
  static override key = 'Person';
  id = '';
  jobs: Job[] = [];
  static override schema = {
    jobs: new schema.Collection([Job], { nestKey: ({ id }: { id: string }) => ({ owner: id }) }),
  };
}

const jobs = new schema.Collection([Job]);
const job = (id: string, owner: string) => ({ id, owner });

type Args = { owner?: string; id?: string };

/** An endpoint whose response arrives when the test resolves it. */
function later(name: string, of: unknown, sideEffect = false) {
  let resolve: (value: unknown) => void = () => {};
  const answer = new Promise<unknown>((give) => (resolve = give));
  const endpoint = new Endpoint(async (_args: Args) => answer as never, {
    name,
    schema: of as undefined, // cast: loose here
    ...(sideEffect && { sideEffect }),
  });
  return { endpoint, resolve };
}

describe.each([
  ['a list', jobs, { owner: 'p2' }, [job('1', 'p2')]],
  ['a list in a row', Person, { id: 'p2' }, { id: 'p2', jobs: [job('1', 'p2')] }],
])('%s', (_name, of, args: Args, answered) => {
  /** The request contains p2; the server made it p1, as another response showed before. */
  async function create(order: 'before' | 'after') {
    const world = new FakeWorld();
    const controller = new Controller(world.options);
    const creation = later('create', jobs.push, true);
    const list = later('list', of);
    const created = controller.fetch(creation.endpoint, { owner: 'p2' });
    const all = later('all', [Job]);
    all.resolve([job('1', 'p2'), job('2', 'p1')]);
    await controller.fetch(all.endpoint, {});
    world.time.advance(10);
    const read = controller.fetch(list.endpoint, args);
    const answers = [
      async () => {
        creation.resolve(job('2', 'p1'));
        await created;
      },
      async () => {
        list.resolve(answered);
        await read;
      },
    ];
    for (const answer of order === 'before' ? answers.toReversed() : answers) await answer();
    const { data, expiresAt } = controller.getResponse(list.endpoint, args);
    const rows = data as unknown as Job[] | Person; // cast: as above
    const found = (Array.isArray(rows) ? rows : rows.jobs).map(({ id }) => id);
    return { isStale: expiresAt <= world.time.clock.now(), isRight: found.join() === '1' };
  }

  test.each(['before', 'after'] as const)(
    'is right, or stale, when it is read %s the response to the creation',
    async (order) => {
      const { isStale, isRight } = await create(order);
      expect(isStale || isRight).toBe(true);
    },
  );
});
