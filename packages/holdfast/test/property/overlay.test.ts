// Laws of optimistic updates: the shown data is base with the pending intents applied in call order, after any mix of responses,
// failures and other writes; and the final data is the same as without optimistic updates.
import { Entity, schema } from 'holdfast';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf } from '../../src/schema/kinds/kind-of.ts';
import { Intent } from '../../src/store/intent.ts';
import { addIntent, removeIntent } from '../../src/store/overlay.ts';
import { createBench } from '../support/engine.ts';
import type { EngineBench } from '../support/engine.ts';

const RUNS = Number(process.env['RUNS'] ?? 1_000);
// the same runs every time; the nightly gives other seeds
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const TIME_LIMIT_MS = 600_000;

class Task extends Entity {
  static override key = 'Task';
  id = '';
  status = '';
  votes = 0;
}
const list = new schema.Collection([Task]);
const gone = new schema.Invalidate(Task);
const KEYS = [{}, { status: 'a' }, { status: 'b' }] as const;

/** One mutation: its optimistic update, computed from the row as it is shown below it. */
interface Mutation {
  readonly schema: unknown;
  readonly guess: (shown: Task | undefined) => unknown;
  readonly args: readonly unknown[];
  readonly id: string;
}

const id = fc.nat(3).map(String);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc
    .record({ id, status: fc.constantFrom('a', 'b') })
    .map((value): Mutation => ({ schema: Task, guess: () => value, args: [], id: value.id })),
  id.map((one): Mutation => ({
    schema: Task,
    guess: (shown) => ({ id: one, votes: (shown?.votes ?? 0) + 1 }),
    args: [],
    id: one,
  })),
  id.map((one): Mutation => ({ schema: gone, guess: () => ({ id: one }), args: [], id: one })),
  fc
    .record({ id: fc.nat(5).map((n) => `new${n}`), status: fc.constantFrom('a', 'b') })
    .map((value): Mutation => ({ schema: list.push, guess: () => value, args: [{}, value], id: value.id })),
);

type Step =
  | { readonly kind: 'start'; readonly mutation: Mutation }
  | { readonly kind: 'end'; readonly which: number; readonly isSuccess: boolean }
  | {
      readonly kind: 'write';
      readonly schema: unknown;
      readonly value: unknown;
      readonly args: readonly unknown[];
    };
const row = fc.record({ id, status: fc.constantFrom('a', 'b'), votes: fc.nat(5) }, { requiredKeys: ['id'] });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: mutation.map((one): Step => ({ kind: 'start', mutation: one })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(5), fc.boolean())
      .map(([which, isSuccess]): Step => ({ kind: 'end', which, isSuccess })),
  },
  row.map((value): Step => ({ kind: 'write', schema: Task, value, args: [] })),
  fc
    .tuple(fc.array(row, { maxLength: 4 }), fc.constantFrom(...KEYS))
    .map(([value, key]): Step => ({ kind: 'write', schema: list, value, args: [key] })),
  id.map((value): Step => ({ kind: 'write', schema: gone, value, args: [] })),
);

const read = (bench: EngineBench): unknown => ({
  rows: ['0', '1', '2', '3', 'new0', 'new1', 'new2', 'new3', 'new4', 'new5'].map((one) =>
    bench.get(Task, one),
  ),
  lists: KEYS.map((key) => (bench.get(list, key) as Task[] | undefined)?.map((task) => task.id)), // cast: a list of tasks
});

function apply(bench: EngineBench, kind: unknown, value: unknown, args: readonly unknown[]): void {
  const now = bench.engine.store.timeline.tick();
  bench.write({ schema: kind, value, args, sent: now, settled: now });
}

/** A pending mutation: its place in the log of the store, and the response that the server would send. */
interface Pending {
  readonly mutation: Mutation;
  readonly intent: Intent;
  readonly answer: { readonly value: unknown };
}

function start(bench: EngineBench, one: Mutation): Intent {
  const { engine } = bench;
  const intent: Intent = new Intent(engine.store.timeline.tick(), () => {
    const reads = new Map();
    const shown = engine.readWithoutMemo(engine.cellView(kindOf(Task), [one.id]), reads).value as
      | Task
      | undefined; // cast: its row
    intent.seenContents = reads;
    intent.effects = engine.normalize(kindOf(one.schema), one.guess(shown), {
      args: one.args,
      optimisticOf: intent,
    });
  });
  engine.store.batch(() => addIntent(engine.store, intent));
  return intent;
}

/** The same from scratch: a store that got only the writes to base, then the intents in call order. */
function replay(
  base: readonly (() => readonly [unknown, unknown, readonly unknown[]])[],
  pending: readonly Mutation[],
): unknown {
  const bench = createBench();
  for (const write of base) apply(bench, ...write());
  for (const one of pending) start(bench, one);
  return read(bench);
}

test(
  'the shown data is base with the pending intents over it, and the end is the same as without them',
  () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const bench = createBench();
        const plain = createBench();
        const base: (() => readonly [unknown, unknown, readonly unknown[]])[] = [];
        const pending: Pending[] = [];
        const write = (kind: unknown, value: unknown, args: readonly unknown[]): void => {
          base.push(() => [kind, value, args]);
          apply(bench, kind, value, args);
          apply(plain, kind, value, args);
        };
        const end = (which: number, isSuccess: boolean): void => {
          const [one] = pending.splice(which % pending.length, 1);
          if (!one) return;
          bench.engine.store.batch(() => {
            removeIntent(bench.engine.store, one.intent);
            if (isSuccess) write(one.mutation.schema, one.answer.value, one.mutation.args);
          });
        };
        for (const [at, action] of steps.entries()) {
          if (action.kind === 'start') {
            const intent = start(bench, action.mutation);
            // the response differs from the optimistic update in the votes, so that the two can be distinguished
            const answer =
              action.mutation.schema === gone
                ? action.mutation.guess(undefined)
                : { ...(action.mutation.guess(undefined) as object), votes: 10 + at }; // cast: an object
            pending.push({ mutation: action.mutation, intent, answer: { value: answer } });
          } else if (action.kind === 'end') {
            if (pending.length > 0) end(action.which, action.isSuccess);
          } else write(action.schema, action.value, action.args);
          expect(read(bench), `after step ${at}`).toEqual(
            replay(
              base,
              pending.map((one) => one.mutation),
            ),
          );
        }
        while (pending.length > 0) end(0, false);
        expect(read(bench)).toEqual(read(plain));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  },
  TIME_LIMIT_MS,
);
