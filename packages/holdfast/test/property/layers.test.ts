// The law of layers: the shown row is its base with the layer of every pending intent on it, in call order. Intents are added, get
// other arguments and end in any order, and responses are written in between. Optimistic updates set fields, build on each other,
// look rows up by an index, throw or remove; one class has a custom merge. After all of it, the store must show the same as a new
// store.
import { Entity, schema } from 'holdfast';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf } from '../../src/schema/kinds/kind-of.ts';
import { Intent } from '../../src/store/intent.ts';
import { Row } from '../../src/store/nodes.ts';
import { addIntent, recomputeIntent, removeIntent } from '../../src/store/overlay.ts';
import { createBench } from '../support/engine.ts';
import type { EngineBench } from '../support/engine.ts';

const RUNS = Number(process.env['RUNS'] ?? 400);
// the same runs every time; the nightly gives other seeds
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const TIME_LIMIT_MS = 600_000;

class Card extends Entity {
  static override key = 'Card';
  static indexes = ['owner'];
  id = '';
  title = '';
  status = '';
  owner = '';
  votes = 0;
}
/** Keeps the higher vote, existing or incoming. */
class Highest extends Card {
  static override key = 'Highest';
  static override merge(existing: { votes?: number }, incoming: { votes?: number }): object {
    return { ...existing, ...incoming, votes: Math.max(existing.votes ?? 0, incoming.votes ?? 0) };
  }
}
const CLASSES = [Card, Highest] as const;
const IDS = ['0', '1'] as const;
const STATUSES = [{ status: 'a' }, { status: 'b' }] as const;
const lists = new Map(CLASSES.map((one) => [one, new schema.Collection([one])]));

type Read = (args: object) => Card | undefined;
/** Computed from the data shown below it; throws where that data is missing. */
type Guess = (read: Read) => object;
interface Call {
  readonly type: typeof Card;
  readonly schema: unknown;
  readonly args?: readonly unknown[];
  readonly guess: Guess;
}

// nearly all calls are about one row, because the test is about layers over each other
const type = fc.constantFrom(Card, Card, Card, Highest);
const id = fc.constantFrom('0', '0', '0', '1');
const fields = fc.record(
  {
    title: fc.constantFrom('s', 't'),
    status: fc.constantFrom('a', 'b'),
    owner: fc.constantFrom('x', 'y'),
    votes: fc.nat(4),
  },
  { requiredKeys: [] },
);
const guess: fc.Arbitrary<Guess> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(id, fields).map(([one, said]): Guess => () => ({ id: one, ...said })),
  },
  // fields by which no row is looked up or placed
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...IDS), fc.nat(4)).map(([one, at]): Guess => () => ({
      id: one,
      title: `u${at}`,
    })),
  },
  id.map((one): Guess => (read) => ({ id: one, votes: (read({ id: one })?.votes ?? 0) + 1 })),
  fc.tuple(id, id).map(([one, other]): Guess => (read) => ({
    id: one,
    title: `${read({ id: other })?.title}+`,
  })),
  {
    weight: 3,
    arbitrary: id.map((one): Guess => (read) => ({
      id: one,
      title: read({ owner: 'x' }) ? 'owned' : 'free',
    })),
  },
  id.map((one): Guess => (read) => {
    if (((read({ id: one })?.votes ?? 0) & 1) === 1) throw new Error('odd');
    return { id: one, title: 'even' };
  }),
);
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(type, guess).map(([one, how]): Call => ({ type: one, schema: one, guess: how })),
  },
  fc
    .tuple(type, id)
    .map(([one, pk]): Call => ({ type: one, schema: new schema.Invalidate(one), guess: () => ({ id: pk }) })),
  fc
    .tuple(type, fc.constantFrom(...STATUSES), fc.uniqueArray(fc.constantFrom(...IDS)))
    .map(([one, key, ids]): Call => ({
      type: one,
      schema: lists.get(one),
      args: [key],
      guess: () => ids.map((pk) => ({ id: pk })),
    })),
);
type Step =
  | { readonly kind: 'start'; readonly call: Call }
  | { readonly kind: 'amend'; readonly which: number; readonly call: Call }
  | { readonly kind: 'end'; readonly which: number; readonly said: object | null }
  | { readonly kind: 'write'; readonly type: typeof Card; readonly id: string; readonly said: object | null }
  | {
      readonly kind: 'list';
      readonly type: typeof Card;
      readonly key: object;
      readonly ids: readonly string[];
    };
const answer = fc.option(fields, { freq: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: call.map((one): Step => ({ kind: 'start', call: one })) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(8), call).map(([which, one]): Step => ({ kind: 'amend', which, call: one })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(8), answer).map(([which, said]): Step => ({ kind: 'end', which, said })),
  },
  fc.tuple(type, id, answer).map(([one, pk, said]): Step => ({ kind: 'write', type: one, id: pk, said })),
  fc
    .tuple(type, fc.constantFrom(...STATUSES), fc.uniqueArray(id))
    .map(([one, key, ids]): Step => ({ kind: 'list', type: one, key, ids })),
);

type Write = (bench: EngineBench) => void;

function write(kind: unknown, value: unknown, args: readonly unknown[] = []): Write {
  return (bench) => {
    const now = bench.engine.store.timeline.tick();
    bench.write({ schema: kind, value, args, sent: now, settled: now });
  };
}

/** Sets the fields of the row, or removes the row when there are no fields. */
function writeRow(one: typeof Card, pk: string, said: object | null): Write {
  return said === null ? write(new schema.Invalidate(one), pk) : write(one, { id: pk, ...said });
}

/** A pending mutation. It has another call once it was amended. */
interface Pending {
  call: Call;
  readonly intent: Intent;
}

function start({ engine }: EngineBench, called: Call): Pending {
  const intent: Intent = new Intent(engine.store.timeline.tick(), () => {
    const one = pending.call;
    intent.seenContents = new Map();
    intent.effects = null;
    const read: Read = (args) =>
      engine.readWithoutMemo(engine.cellView(kindOf(one.type), [args]), intent.seenContents).value as
        | Card
        | undefined; // cast: its row
    try {
      intent.effects = engine.normalize(kindOf(one.schema), one.guess(read), {
        args: one.args ?? [],
        optimisticOf: intent,
      });
    } catch {
      // no optimistic update
    }
  });
  const pending: Pending = { call: called, intent };
  engine.store.batch(() => addIntent(engine.store, intent));
  return pending;
}

const read = (bench: EngineBench): unknown =>
  CLASSES.map((one) => ({
    rows: IDS.map((pk) => bench.get(one, { id: pk })),
    owned: ['x', 'y'].map((owner) => bench.get(one, { owner }) !== undefined),
    // in any order: the place of a row depends on the order of the writes
    lists: STATUSES.map((key) =>
      (bench.get(lists.get(one), key) as Card[] | undefined)?.map((card) => card.id).toSorted(),
    ), // cast: a list of cards
  }));

/** The slow way: a store that got only the writes, then the calls that are still pending. */
function replay(writes: readonly Write[], pending: readonly Call[]): unknown {
  const bench = createBench();
  for (const one of writes) one(bench);
  for (const one of pending) start(bench, one);
  return read(bench);
}

function rowsOf(bench: EngineBench) {
  return [...bench.engine.store.tables.values()].flatMap((table) => [...table.rows.values()]);
}

test(
  'the shown data is base with every pending layer in call order, however the calls end',
  () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24, size: 'max' }), (steps) => {
        const bench = createBench();
        const { store } = bench.engine;
        const writes: Write[] = [];
        const pending: Pending[] = [];
        const apply = (one: Write): void => {
          writes.push(one);
          one(bench);
        };
        for (const one of CLASSES)
          for (const pk of IDS) apply(writeRow(one, pk, { title: 'old', votes: 0, owner: 'y' }));
        for (const [at, action] of steps.entries()) {
          if (action.kind === 'start') pending.push(start(bench, action.call));
          else if (action.kind === 'write') apply(writeRow(action.type, action.id, action.said));
          else if (action.kind === 'list') {
            const rows = action.ids.map((pk) => ({ id: pk, ...action.key }));
            apply(write(lists.get(action.type), rows, [action.key]));
          } else if (pending.length === 0) continue;
          else if (action.kind === 'amend') {
            const amended = pending[action.which % pending.length]!; // it is not empty
            amended.call = action.call;
            recomputeIntent(store, amended.intent);
          } else {
            const [ended] = pending.splice(action.which % pending.length, 1);
            const rows = [...ended!.intent.appliedLayers.values()].flatMap((node) =>
              node instanceof Row ? node : [],
            ); // spliced from a list that is not empty
            store.batch(() => {
              removeIntent(store, ended!.intent);
              for (const row of new Set(rows))
                if (action.said) apply(writeRow(ended!.call.type, row.pk, action.said));
            });
          }
          expect(read(bench), `after step ${at}`).toEqual(
            replay(
              writes,
              pending.map((one) => one.call),
            ),
          );
          for (const row of rowsOf(bench)) {
            let slow = row.base;
            for (const { edit } of row.layers?.values() ?? []) slow = edit(slow);
            expect(row.shown).toEqual(slow);
          }
        }
        for (const { intent } of pending) store.batch(() => removeIntent(store, intent));
        expect(read(bench)).toEqual(replay(writes, []));
        expect(store.dependencies.size + store.layeredLists.size + store.intents.size).toBe(0);
        expect(rowsOf(bench).every(({ layers }) => layers === null)).toBe(true);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  },
  TIME_LIMIT_MS,
);
