// Q2: a filter of a loaded list, kept up. Q3: a count by group. Q4: a filter that nobody has read before is painted from the list.
// Q5: a page shows the fields that a list brought, then all of them.
import { createChangedRow, createItemRows } from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import type { ItemSummary, QueriesStore, SummariesStore } from '../contestants/contestant.ts';
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

const toSummary = ({ id, title, price }: ItemRow): ItemSummary => ({ id, title, price });

function createSummaryTrial(createStore: () => SummariesStore, size: number) {
  const rows = createItemRows(size);
  return defineTrial({
    // most rows are summaries at any time
    runsPerState: Math.ceil(size / 10),
    prepare() {
      const store = createStore();
      store.write(rows.map(toSummary));
      store.read();
      return store;
    },
    run(store, turn) {
      const row = createChangedRow(rows, turn);
      const known = store.readKnown(row.id);
      store.writeWhole(row);
      return [known, store.readWhole(row.id)];
    },
  });
}

const summaryThenWhole: Scenario = {
  id: 'Q5',
  title: 'the page of one of 10,000 summaries: what the list brought, then the whole row',
  variants: [{ label: '', size: 10_000, quickSize: 1000 }],
  createTrial: ({ summaries }, size) => summaries && createSummaryTrial(summaries, size),
  check({ name, summaries }, size) {
    const store = summaries?.();
    if (!store) return {};
    const rows = createItemRows(size);
    store.write(rows.map(toSummary));
    assertSame(store.read(), rows.map(toSummary), `${name} Q5, the list`);
    const row = createChangedRow(rows, 0);
    const before = rows.find(({ id }) => id === row.id)!; // a changed row is one of them
    const known = store.readKnown(row.id);
    assertSame(known, toSummary(before), `${name} Q5, what is known`);
    // what the list left out must not be made up
    assertSame((known as Partial<ItemRow>).summary, undefined, `${name} Q5, what is not known`); // cast: compared above
    assertSame(store.readWhole(row.id) ?? undefined, undefined, `${name} Q5, before the whole row`);
    store.writeWhole(row);
    assertSame(store.readWhole(row.id), row, `${name} Q5, the whole row`);
    const after = rows.map((one) => toSummary(one.id === row.id ? row : one));
    assertSame(store.read(), after, `${name} Q5, the list after it`);
    return {};
  },
};

export const queryScenarios: readonly Scenario[] = [
  createKeptUp('Q2', 'a filter of a loaded list of 10,000', (store) => store.readActive()),
  createKeptUp('Q3', 'a count by group over 10,000 rows', (store) => store.readCounts()),
  firstPaint,
  summaryThenWhole,
];
