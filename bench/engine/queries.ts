// Q2: a filter of a loaded list, kept up. Q3: a count by group. Q4: a filter that nobody has read before is painted from the list.
import { createChangedRow, createItemRows } from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import type { QueriesStore } from '../contestants/contestant.ts';
import { createQueryLoop } from '../contestants/floors.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import type { Scenario } from './scenario.ts';

/** How many users own the rows of the payload. */
const OWNERS = 200;

function fill(createStore: () => QueriesStore, size: number): QueriesStore {
  const store = createStore();
  store.write(createItemRows(size));
  return store;
}

const byId = (rows: readonly unknown[]): ItemRow[] =>
  (rows as ItemRow[]).toSorted((left, right) => (left.id < right.id ? -1 : 1)); // cast: the rows of the payload

const linesOf = (counts: ReadonlyMap<unknown, number>): string[] =>
  [...counts]
    .map(([group, count]) => `${String(group)} ${count}`)
    .toSorted((left, right) => (left < right ? -1 : 1));

/** The rows and counts of a store after one row has changed: what was active is not, and has another category. */
function checkQueries(name: string, store: QueriesStore, size: number): void {
  const floor = fill(createQueryLoop, size);
  store.readActive();
  store.readCounts();
  const [first] = createItemRows(size);
  const row = { ...first!, active: !first!.active, category: 'category-new' }; // there are rows
  for (const one of [store, floor]) one.writeOne(row);
  assertSame(byId(store.readActive()), byId(floor.readActive()), `${name} Q2`);
  assertSame(linesOf(store.readCounts()), linesOf(floor.readCounts()), `${name} Q3`);
  assertSame(byId(store.readFirst('user-7')), byId(floor.readFirst('user-7')), `${name} Q4`);
}

function createKeptUp(id: string, title: string, read: (store: QueriesStore) => unknown): Scenario {
  return {
    id,
    title,
    variants: [{ label: 'one row changed', size: 10_000, quickSize: 1000 }],
    createTrial: ({ queries }, size) => queries && createTrialOf(queries, size, read),
    check({ name, queries }, size) {
      if (queries) checkQueries(name, fill(queries, size), size);
      return {};
    },
  };
}

function createTrialOf(
  createStore: () => QueriesStore,
  size: number,
  read: (store: QueriesStore) => unknown,
) {
  const rows = createItemRows(size);
  return defineTrial({
    prepare() {
      const store = fill(createStore, size);
      read(store);
      return store;
    },
    run(store, turn) {
      store.writeOne(createChangedRow(rows, turn));
      return read(store);
    },
  });
}

const firstPaint: Scenario = {
  id: 'Q4',
  title: 'the first read of a filter over a loaded list of 10,000',
  variants: [{ label: '', size: 10_000, quickSize: 1000 }],
  createTrial: ({ queries }, size) => queries && createFirstReads(queries, size),
  check: () => ({}),
};

function createFirstReads(createStore: () => QueriesStore, size: number) {
  return defineTrial({
    runsPerState: OWNERS,
    prepare: () => fill(createStore, size),
    run: (store, turn) => store.readFirst(`user-${turn % OWNERS}`),
  });
}

export const queryScenarios: readonly Scenario[] = [
  createKeptUp('Q2', 'a filter of a loaded list of 10,000', (store) => store.readActive()),
  createKeptUp('Q3', 'a count by group over 10,000 rows', (store) => store.readCounts()),
  firstPaint,
];
