// C1, C2: creations join lists. L1: a list in a declared order. Q1: a filtered and sorted view. G1: readers come and go. O1: optimism in flight.
import type { FlatStore } from '../contestants/contestant.ts';
import {
  createChangedRow,
  createItemRows,
  createMovedRow,
  createNewRow,
  selectActiveByPrice,
  sortByPrice,
} from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import { createReadStore } from './ingest.ts';
import type { Scenario } from './scenario.ts';

const push: Scenario = {
  id: 'C1',
  title: 'push into a list of 10,000 and read it',
  variants: [{ label: '', size: 10_000, quickSize: 1000 }],
  createTrial(contestant, size) {
    if (!contestant.flat?.().push) return undefined;
    return defineTrial({
      runsPerState: Math.ceil(size / 10), // the list grows by a tenth at most
      prepare: () => createReadStore(contestant, size) as FlatStore, // cast: tested above
      run(store, turn) {
        store.push?.(createNewRow(turn));
        return store.read();
      },
    });
  },
  check(contestant, size) {
    const store = createReadStore(contestant, size);
    if (!store?.push) return {};
    const expected = createItemRows(size);
    for (let turn = 0; turn < 3; turn += 1) {
      expected.push(createNewRow(turn));
      store.push(createNewRow(turn));
      assertSame(store.read(), expected, `${contestant.name} C1`);
    }
    return {};
  },
};

const ROWS_PER_LIST = 5;
const ownerName = (index: number) => `owner-${index}`;
const createOwnedRows = (index: number) =>
  createItemRows(ROWS_PER_LIST).map((row, position) => ({
    ...row,
    id: `${index}-${position}`,
    owner: ownerName(index),
  }));

const pushAmongLists: Scenario = {
  id: 'C2',
  title: 'a push that concerns one of many cached lists',
  variants: [
    { label: '10 lists', size: 10, quickSize: 10 },
    { label: '1,000 lists', size: 1000, quickSize: 100 },
  ],
  createTrial({ lists }, size) {
    return (
      lists &&
      defineTrial({
        runsPerState: size, // every list grows by one row
        prepare() {
          const store = lists();
          for (let index = 0; index < size; index += 1) store.write(ownerName(index), createOwnedRows(index));
          return store;
        },
        run: (store, turn) => store.push({ ...createNewRow(turn), owner: ownerName(turn % size) }),
      })
    );
  },
  check({ name, lists }, size) {
    const store = lists?.();
    if (!store) return {};
    for (let index = 0; index < size; index += 1) store.write(ownerName(index), createOwnedRows(index));
    const row = { ...createNewRow(1), owner: ownerName(3) };
    store.push(row);
    assertSame(store.read(ownerName(3)), [...createOwnedRows(3), row], `${name} C2`);
    assertSame(store.read(ownerName(4)), createOwnedRows(4), `${name} C2`);
    return {};
  },
};

const sortedView: Scenario = {
  id: 'Q1',
  title: 'a filtered and sorted view over 10,000 rows',
  variants: [
    { label: 'nothing changed', size: 10_000, quickSize: 1000 },
    { label: 'one row changed', size: 10_000, quickSize: 1000 },
  ],
  createTrial(contestant, size, variant) {
    const probe = contestant.flat?.();
    if (!probe?.readSelected || !probe.writeOne) return undefined;
    const rows = createItemRows(size);
    const hasChange = variant === 'one row changed';
    return defineTrial({
      prepare() {
        const store = createReadStore(contestant, size) as FlatStore; // cast: tested above
        store.readSelected?.();
        return store;
      },
      run(store, turn) {
        if (hasChange) store.writeOne?.(createChangedRow(rows, turn));
        return store.readSelected?.();
      },
    });
  },
  check(contestant, size) {
    const store = createReadStore(contestant, size);
    if (!store?.readSelected || !store.writeOne) return {};
    const rows = createItemRows(size);
    assertSame(store.readSelected(), selectActiveByPrice(rows), `${contestant.name} Q1`);
    const isStable = store.readSelected() === store.readSelected();
    const row = createChangedRow(rows, 1);
    rows[rows.findIndex(({ id }) => id === row.id)] = row;
    store.writeOne(row);
    assertSame(store.readSelected(), selectActiveByPrice(rows), `${contestant.name} Q1 after a change`);
    return { 'references changed, nothing written': isStable ? 0 : 1 };
  },
};

const ordered: Scenario = {
  id: 'L1',
  title: 'a row comes into, or moves within, 10,000 in a declared order',
  variants: [
    { label: 'insert', size: 10_000, quickSize: 1000 },
    { label: 'move', size: 10_000, quickSize: 1000 },
  ],
  createTrial({ ordered: create }, size, variant) {
    const rows = sortByPrice(createItemRows(size));
    const change = variant === 'move' ? 'writeOne' : 'push';
    const rowOf = (turn: number): ItemRow =>
      variant === 'move' ? createMovedRow(rows, turn) : createNewRow(turn);
    return (
      create &&
      defineTrial({
        runsPerState: Math.ceil(size / 10), // as for C1
        prepare() {
          const store = create();
          store.write(rows);
          store.read();
          return store;
        },
        run(store, turn) {
          store[change](rowOf(turn));
          return store.read();
        },
      })
    );
  },
  check({ name, ordered: create }, size) {
    const store = create?.();
    if (!store) return {};
    const rows = sortByPrice(createItemRows(size));
    store.write(rows);
    assertSame(store.read(), rows, `${name} L1`);
    for (let turn = 0; turn < 3; turn += 1) {
      const moved = createMovedRow(rows, turn);
      store.writeOne(moved);
      store.push(createNewRow(turn));
      rows[rows.findIndex(({ id }) => id === moved.id)] = moved;
      rows.push(createNewRow(turn));
      const prices = (list: readonly unknown[]): number[] => (list as ItemRow[]).map(({ price }) => price); // cast: as written
      assertSame(prices(store.read()), prices(sortByPrice(rows)), `${name} L1 after ${turn}`);
    }
    return {};
  },
};

const retain: Scenario = {
  id: 'G1',
  title: 'a reader of a list comes and goes',
  variants: [
    { label: '100 rows', size: 100, quickSize: 10 },
    { label: '10,000 rows', size: 10_000, quickSize: 1000 },
  ],
  createTrial(contestant, size) {
    if (!contestant.flat?.().retainAndRelease) return undefined;
    return defineTrial({
      prepare: () => createReadStore(contestant, size) as FlatStore, // cast: tested above
      run: (store) => store.retainAndRelease?.(),
    });
  },
  check: () => ({}),
};

const IN_FLIGHT = 20;

const optimism: Scenario = {
  id: 'O1',
  title: 'one unrelated write with optimistic updates in flight, 10,000 rows',
  variants: [
    { label: 'none in flight', size: 10_000, quickSize: 1000 },
    { label: '20 in flight', size: 10_000, quickSize: 1000 },
  ],
  createTrial({ optimistic }, size, variant) {
    const rows = createItemRows(size);
    const others = rows.slice(IN_FLIGHT);
    return (
      optimistic &&
      defineTrial({
        prepare() {
          const store = optimistic();
          store.write(rows);
          store.read();
          if (variant === '20 in flight') {
            store.begin(rows.slice(0, IN_FLIGHT).map((row) => ({ ...row, title: 'guessed' })));
          }
          return store;
        },
        run: (store, turn) => store.writeOne(createChangedRow(others, turn)),
      })
    );
  },
  check({ name, optimistic }, size) {
    const store = optimistic?.();
    if (!store) return {};
    const expected = createItemRows(size);
    store.write(expected);
    for (let index = 0; index < IN_FLIGHT; index += 1) {
      const row = expected[index];
      if (row) expected[index] = { ...row, title: 'guessed' };
    }
    store.begin(expected.slice(0, IN_FLIGHT));
    const changed = createChangedRow(expected.slice(IN_FLIGHT), 1);
    expected[expected.findIndex(({ id }) => id === changed.id)] = changed;
    store.writeOne(changed);
    assertSame(store.read(), expected, `${name} O1`);
    return {};
  },
};

const key: Scenario = {
  id: 'K1',
  title: 'cache key of a request with one path parameter',
  variants: [{ label: '', size: 1000, quickSize: 100 }],
  createTrial({ createKey }, size) {
    const ids = createItemRows(size).map((row) => row.id);
    return (
      createKey &&
      defineTrial({ prepare: createKey, run: (toKey, turn) => toKey(ids[turn % size] as string) }) // cast: below size
    );
  },
  check({ name, createKey }) {
    const toKey = createKey?.();
    if (toKey && (toKey('a') === toKey('b') || toKey('a') !== toKey('a'))) {
      throw new Error(`${name} K1: keys must tell ids apart, and only ids`);
    }
    return {};
  },
};

export const listScenarios: readonly Scenario[] = [
  push,
  pushAmongLists,
  ordered,
  optimism,
  sortedView,
  key,
  retain,
];
