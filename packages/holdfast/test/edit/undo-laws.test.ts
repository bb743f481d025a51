// Laws of transactions and undo, over a network whose requests are sent, handled and delivered at three separate moments.
import { schema } from 'holdfast';
import { transaction, TransactionError } from 'holdfast/edit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calm } from '../support/moments.ts';
import { FIELDS, Item, ItemResource, moves, UnshownResource, World, writes } from './undo-world.ts';
import type { End, Write } from './undo-world.ts';

const RUNS = Number(process.env['RUNS'] ?? 60);
// the same runs every time; the nightly gives other seeds
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const settings = { seed: SEED, numRuns: RUNS };

type Call = (endpoint: never, ...args: readonly unknown[]) => void;

/** Calls a mutation with a value that no other one has. A row that is not on screen is not changed. */
function call(world: World, fetch: Call, { do: kind, row, field, isShown }: Write, value: string): void {
  const ids = Object.keys(world.screen);
  const id = ids[row % (ids.length || 1)];
  const { getList, partialUpdate, delete: remove } = isShown ? ItemResource : UnshownResource;
  if (kind === 'create') fetch(getList.push as never, { title: value, status: value });
  else if (id !== undefined)
    if (kind === 'change') fetch(partialUpdate as never, { id }, { [field]: value });
    else {
      world.removed.push(id);
      fetch(remove as never, { id });
    }
}

const knownEnds = fc.record({
  do: fc.constant('end' as const),
  end: fc.constantFrom<End>('whole', 'empty', 'refused'),
});
const anyEnds = fc.record({
  do: fc.constant('end' as const),
  end: fc.constantFrom<End>('whole', 'empty', 'refused', 'broken', 'lost'),
});
const write = fc.record({ do: fc.constant('write' as const), write: writes });
const group = fc.record({
  do: fc.constant('group' as const),
  writes: fc.array(writes, { minLength: 1, maxLength: 4 }),
});
const together = fc.record({
  do: fc.constant('transaction' as const),
  writes: fc.array(writes, { minLength: 1, maxLength: 4 }),
});
const move = moves.map((each) => ({ do: 'move' as const, move: each }));
const undo = fc.record({ do: fc.constantFrom('undo' as const, 'redo' as const) });
const read = fc.record({ do: fc.constant('read' as const), row: fc.nat(3) });

type StepOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Step = StepOf<
  typeof write | typeof group | typeof together | typeof move | typeof undo | typeof read | typeof anyEnds
>;

/** Plays a step of the client. */
function play(world: World, step: Step, count: number): Promise<void> | undefined {
  const { controller, past } = world;
  const fetch: Call = (endpoint, ...args) =>
    world.send(controller.fetch(endpoint, ...(args as never)), args.at(-1)); // cast: checked by the schedules
  if (step.do === 'write') call(world, fetch, step.write, `v${count}`);
  else if (step.do === 'group')
    past!.group('group', () => {
      for (const [at, each] of step.writes.entries()) call(world, fetch, each, `v${count}.${at}`);
    });
  else if (step.do === 'transaction') {
    const others = new Set(Object.keys(world.screen));
    const { done } = transaction(controller, (tx) => {
      const fetch: Call = (endpoint, ...args) => {
        others.delete((args[0] as { id?: string }).id ?? ''); // cast: the parameters, or the body of a creation
        (tx.fetch as Call)(endpoint, ...args);
      };
      for (const [at, each] of step.writes.entries()) call(world, fetch, each, `v${count}.${at}`);
    });
    const { length } = world.removed;
    done.catch((error: unknown) => {
      const isRemoved = world.removed.slice(length).some((id) => !others.has(id));
      if (error instanceof TransactionError && (error.left.length || isRemoved)) world.hasLeft = true;
    });
  } else if (step.do === 'end') world.nextEnd = step.end;
  else if (step.do === 'move') return world.move(step.move);
  else if (step.do === 'read') world.send(controller.fetch(ItemResource.getList, {}));
  else world.send(past![step.do]());
  return undefined;
}
const aloneSteps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: write },
    { weight: 1, arbitrary: group },
    { weight: 1, arbitrary: together },
    { weight: 8, arbitrary: move },
    { weight: 3, arbitrary: undo },
    { weight: 3, arbitrary: knownEnds },
    { weight: 1, arbitrary: read },
  ),
  { maxLength: 50 },
);

test('alone, undoing every step gives the state of the beginning, and redoing them the state before', async () => {
  const played: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(aloneSteps, async (schedule) => {
      const world = await new World().open();
      const past = world.past!; // opened with a history
      const first = world.state;
      // only what the user asks for may be refused: a refused undo leaves what it cannot undo
      world.mayFail = ({ body }) =>
        Object.values(Object(body) as object).some((value) => fresh.delete(String(value)));
      const fresh = new Set<string>();
      for (const [count, step] of schedule.entries()) {
        played[step.do] = (played[step.do] ?? 0) + 1;
        for (let at = 0; at < 4; at += 1) fresh.add(`v${count}`).add(`v${count}.${at}`);
        await play(world, step, count);
        await calm();
        for (const rows of world.shown.splice(0, world.shown.length - 1))
          for (const { id, title } of rows) expect(title, `title of ${id} on screen`).not.toBe('');
      }
      await world.rest();
      const last = world.state;
      expect(world.screen, 'on screen').toEqual(last);

      let steps = 0;
      for (; past.read().undo !== undefined && steps < 100; steps += 1) {
        const undone = past.undo();
        await world.rest();
        expect((await undone).left, 'left').toEqual([]);
        expect(world.screen, 'on screen after an undo').toEqual(world.state);
      }
      // a later mutation has written a field of a transaction that has failed, or has deleted a row of it: its undo restores what
      // it found
      if (world.hasLeft) return;
      expect(world.state, 'undone').toEqual(first);
      for (; steps > 0; steps -= 1) {
        const redone = past.redo();
        await world.rest();
        await redone;
      }
      expect(world.state, 'redone').toEqual(last);
      expect(world.screen).toEqual(last);
      expect(world.openWrites).toBe(0);
    }),
    settings,
  );
  for (const step of ['write', 'group', 'transaction', 'move', 'undo', 'redo', 'end', 'read'])
    expect(played[step], step).toBeGreaterThan(0);
}, 600_000);

const theirs = fc.record({
  do: fc.constant('theirs' as const),
  row: fc.nat(2),
  field: fc.constantFrom(...FIELDS),
  isTold: fc.boolean(),
});
const reset = fc.record({ do: fc.constant('reset' as const) });

test('an undo never overwrites what the client knows to be the work of others, nor a write whose end is unknown', async () => {
  const seen = { inverses: 0, theirs: 0, unknown: 0, resets: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 6, arbitrary: write },
          { weight: 10, arbitrary: move },
          { weight: 4, arbitrary: undo },
          { weight: 3, arbitrary: theirs },
          { weight: 4, arbitrary: anyEnds },
          { weight: 2, arbitrary: read },
          { weight: 1, arbitrary: together },
          { weight: 1, arbitrary: reset },
        ),
        { minLength: 10, maxLength: 50 },
      ),
      fc.boolean(),
      async (schedule, holds) => {
        const world = await new World().open(holds ? { holdMs: 500 } : {});
        const { controller } = world;
        /** The values of others, and those that were sent. */
        const [others, sent] = [new Set<unknown>(), new Set<unknown>()];
        world.onSent = (method, path, body) => {
          if (method !== 'PATCH') return;
          const known = world.known(path.split('/')[2]!); // the path of a row
          for (const [field, value] of Object.entries(body ?? {})) {
            const isInverse = sent.has(value) || !String(value).startsWith('v');
            sent.add(value);
            if (!isInverse) continue;
            seen.inverses += 1;
            expect([...others], `${field} before ${String(value)}`).not.toContain(known[field]);
            expect([...world.unknownEnds], `${field} before ${String(value)}`).not.toContain(known[field]);
          }
        };
        for (const [count, step] of schedule.entries()) {
          if (step.do === 'theirs') {
            const id = [...world.rows.keys()][step.row % (world.rows.size || 1)];
            if (id === undefined) continue;
            seen.theirs += 1;
            others.add(`o${count}`);
            world.rows.set(id, { ...world.rows.get(id), [step.field]: `o${count}` });
            if (step.isTold) world.send(controller.fetch(ItemResource.get, { id }));
          } else if (step.do === 'reset') {
            seen.resets += 1;
            controller.resetEntireStore();
            expect(world.past!.read()).toEqual({}); // opened with a history
            await calm();
            expect(world.openWrites, 'mutations after a reset').toBe(0);
            world.send(controller.fetch(ItemResource.getList, {}));
          } else await play(world, step, count);
          await calm();
        }
        seen.unknown += world.unknownEnds.size;
        await world.rest();
        world.send(controller.fetch(ItemResource.getList, {}));
        await world.rest();
        expect(world.screen, 'on screen').toEqual(world.state);
        expect(world.openWrites).toBe(0);
      },
    ),
    settings,
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 600_000);

/** The calls of one transaction: each changes the field `status` of a row or creates one, and some name a created row. */
const parts = fc.array(fc.record({ row: fc.nat(3), isCreation: fc.boolean() }), {
  minLength: 2,
  maxLength: 5,
});

test('between two notifications a transaction is shown as a whole or not at all, and an undone one leaves nothing', async () => {
  const seen = { done: 0, undone: 0, thrown: 0 };
  await fc.assert(
    fc.asyncProperty(
      parts,
      fc.array(
        fc.oneof(
          { weight: 5, arbitrary: move },
          { weight: 1, arbitrary: theirs },
          { weight: 1, arbitrary: read },
          { weight: 2, arbitrary: knownEnds },
        ),
        { maxLength: 30 },
      ),
      fc.boolean(),
      async (calls, schedule, throws) => {
        const world = await new World().open();
        const { controller, shown, past } = world;
        // an undo that is refused leaves what it cannot undo
        world.mayFail = ({ body }) => (body as { status?: string } | undefined)?.status === 'new'; // cast: what the client sends
        const before = { state: world.state, rows: controller.getResponse(ItemResource.getList, {}).data };
        const targets = new Set<number>();
        let created = 0;
        const counts: number[] = [];
        world.onShown = (rows) =>
          counts.push(
            rows.filter(({ id, status }) => status === 'new' && !world.unacknowledged.has(id)).length,
          );
        const run = (): Promise<void> =>
          transaction(controller, (tx) => {
            let last: string | undefined;
            for (const { row, isCreation } of calls)
              if (isCreation) {
                created += 1;
                last = tx.create(ItemResource.getList.push, { title: '', status: 'new' }).id;
              } else if (row === 3 && last !== undefined)
                tx.fetch(ItemResource.partialUpdate, { id: last }, { status: 'new' });
              else {
                targets.add(row % 3);
                tx.fetch(ItemResource.partialUpdate, { id: String((row % 3) + 1) }, { status: 'new' });
              }
            if (throws) throw new Error('thrown');
          }).done;

        if (throws) {
          expect(run).toThrow('thrown');
          await world.rest();
          seen.thrown += 1;
          expect(shown).toHaveLength(1);
          expect(controller.getResponse(ItemResource.getList, {}).data).toBe(before.rows);
          expect(world.network.sent.filter((line) => !line.startsWith('GET'))).toEqual([]);
          expect(past!.read()).toEqual({}); // opened with a history
          return;
        }
        const error = run().then(
          () => undefined,
          (thrown: unknown) => thrown as TransactionError, // cast: checked below
        );
        for (const [count, step] of schedule.entries()) {
          if (step.do === 'theirs') {
            const id = String(step.row + 1);
            world.rows.set(id, { ...world.rows.get(id), title: `o${count}` });
            if (step.isTold) world.send(controller.fetch(ItemResource.get, { id }));
          } else await play(world, step, count);
          await calm();
        }
        await world.rest();
        const failure = await error;

        for (const [at, count] of counts.entries())
          expect([0, targets.size + created], `notification ${at} of ${counts.length}`).toContain(count);
        const statuses = (): unknown[] => [...world.rows.values()].map(({ status }) => status);
        if (failure) {
          seen.undone += 1;
          expect(failure).toBeInstanceOf(TransactionError);
          expect(failure.left).toEqual([]);
          expect(failure.done).toBe(0);
          expect(statuses()).toEqual(['s1', 's2', 's3']);
          expect(past!.read(), 'steps').toEqual({});
        } else {
          seen.done += 1;
          expect(statuses().filter((status) => status === 'new')).toHaveLength(targets.size + created);
        }
        world.send(controller.fetch(ItemResource.getList, {}));
        await world.rest();
        expect(world.screen).toEqual(world.state);
        const ids = (controller.get(new schema.All(Item)) ?? []).map(({ id }) => id);
        expect(ids.toSorted(), 'rows without a draft').toEqual([...world.rows.keys()].toSorted());
        expect(world.openWrites).toBe(0);
      },
    ),
    settings,
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 600_000);

test('a history that is not used changes nothing: the same requests, and the same on screen', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: write },
          { weight: 6, arbitrary: move },
          { weight: 2, arbitrary: theirs },
          { weight: 2, arbitrary: anyEnds },
          { weight: 1, arbitrary: read },
        ),
        { maxLength: 40 },
      ),
      async (schedule) => {
        const worlds = [await new World().open(), await new World().open(false)];
        for (const world of worlds) {
          for (const [count, step] of schedule.entries()) {
            if (step.do === 'theirs') {
              const id = String(step.row + 1);
              if (world.rows.has(id))
                world.rows.set(id, { ...world.rows.get(id), [step.field]: `o${count}` });
              world.send(world.controller.fetch(ItemResource.get, { id }));
            } else await play(world, step, count);
            await calm();
          }
          await world.rest();
        }
        const [used, unused] = worlds.map(({ network, shown }) => [
          network.sent,
          shown.map((rows) => rows.map(({ id, title, status }) => [id, title, status])),
        ]);
        expect(used).toEqual(unused);
      },
    ),
    settings,
  );
}, 600_000);
