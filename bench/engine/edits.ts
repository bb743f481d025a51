// E1: somebody types into one of many rows, while others are on screen. E2: many rows change as one.
import { createItemRows } from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import { pickReaders } from './change.ts';
import type { Scenario } from './scenario.ts';

const typeLetter: Scenario = {
  id: 'E1',
  title: 'a letter is typed into one of 10,000 rows with 1,000 readers of one row each',
  variants: [{ label: '', size: 10_000, quickSize: 1000 }],
  createTrial({ typed }, size) {
    const rows = createItemRows(size);
    const watched = pickReaders(rows);
    return (
      typed &&
      defineTrial({
        prepare() {
          const store = typed();
          store.write(rows);
          store.watch(
            watched.map((row) => row.id),
            () => {},
          );
          return store;
        },
        run: (store, turn) => store.type(watched[0]!.id, `letters ${turn}`), // there are rows
      })
    );
  },
  check({ name, typed }, size) {
    const store = typed?.();
    if (!store) return {};
    const watched = pickReaders(createItemRows(size));
    const woken: string[] = [];
    store.write(createItemRows(size));
    store.watch(
      watched.map((row) => row.id),
      (id) => woken.push(id),
    );
    const { id } = watched[0]!; // there are rows
    for (const text of ['t', 'te', 'tea']) {
      woken.length = 0;
      store.type(id, text);
      if (!woken.includes(id) || store.read(id) !== text)
        throw new Error(`${name} E1: the reader of ${id} does not show ${text}`);
    }
    return { 'readers woken': woken.length, readers: watched.length };
  },
};

/** A list of twice as many rows as are changed, and the changed ones. */
function createChanges(size: number): { rows: ItemRow[]; changed: ItemRow[] } {
  const rows = createItemRows(2 * size);
  const changed = rows
    .filter((_, index) => index % 2 === 0)
    .map((row) => ({ ...row, title: `moved ${row.id}` }));
  return { rows, changed };
}

const change = (rows: readonly ItemRow[], changed: readonly ItemRow[]): readonly ItemRow[] => {
  const byId = new Map(changed.map((row) => [row.id, row]));
  return rows.map((row) => byId.get(row.id) ?? row);
};

const transact: Scenario = {
  id: 'E2',
  title: 'n of 2n rows change in one transaction, and the list is read',
  variants: [
    { label: '50 calls', size: 50, quickSize: 5 },
    { label: '500 calls', size: 500, quickSize: 50 },
  ],
  createTrial({ transacted }, size) {
    const { rows, changed } = createChanges(size);
    return (
      transacted &&
      defineTrial({
        runsPerState: 1,
        prepare() {
          const store = transacted();
          store.write(rows);
          store.read();
          return store;
        },
        run(store) {
          store.change(changed);
          return store.read();
        },
      })
    );
  },
  createFloors(size) {
    const { rows, changed } = createChanges(size);
    return new Map([
      ['replace by a Map', defineTrial({ prepare: () => rows, run: (list) => change(list, changed) })],
    ]);
  },
  check({ name, transacted }, size) {
    const store = transacted?.();
    if (!store) return {};
    const { rows, changed } = createChanges(size);
    store.write(rows);
    assertSame(store.read(), rows, `${name} E2`);
    store.change(changed);
    assertSame(store.read(), change(rows, changed), `${name} E2, after the transaction`);
    return {};
  },
};

export const editScenarios: readonly Scenario[] = [typeLetter, transact];
