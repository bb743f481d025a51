// W1-W4: one thing changes in a store that is on screen. S1: the same at 100,000 rows.
import { takeResponse } from '../contestants/contestant.ts';
import type { Contestant, FlatStore, NestedStore } from '../contestants/contestant.ts';
import { createChangedRow, createItemRows } from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import { createChangedAuthor, createPostRows, replaceAuthor } from '../payloads/nested.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import { createArrival, createReadStore } from './ingest.ts';
import { countChangedReferences } from './scenario.ts';
import type { Counts, Scenario } from './scenario.ts';

type WritableStore = FlatStore & { writeOne(row: ItemRow): void };

function createWritable(contestant: Contestant, size: number): WritableStore | undefined {
  const store = createReadStore(contestant, size);
  return store?.writeOne ? (store as WritableStore) : undefined; // cast: just tested
}

const CHECK_TURNS = 3;

function checkWrites(contestant: Contestant, size: number, id: string): Counts {
  const store = createWritable(contestant, size);
  if (!store) return {};
  const expected = createItemRows(size);
  let changedReferences = 0;
  for (let turn = 0; turn < CHECK_TURNS; turn += 1) {
    const row = createChangedRow(expected, turn);
    expected[expected.findIndex(({ id: other }) => other === row.id)] = row;
    const before = [...store.read()];
    store.writeOne(row);
    const after = store.read();
    assertSame(after, expected, `${contestant.name} ${id}`);
    changedReferences = countChangedReferences(before, after);
  }
  return { 'references changed': changedReferences };
}

const writeAndRead: Scenario = {
  id: 'W1',
  title: 'write one of 10,000 and read the list again',
  variants: [{ label: '', size: 10_000, quickSize: 1000 }],
  createTrial(contestant, size) {
    const rows = createItemRows(size);
    if (!contestant.flat?.().writeOne) return undefined;
    return defineTrial({
      prepare: () => createWritable(contestant, size) as WritableStore, // cast: tested above
      run(store, turn) {
        store.writeOne(createChangedRow(rows, turn));
        return store.read();
      },
    });
  },
  check: (contestant, size) => checkWrites(contestant, size, 'W1'),
};

const writeShared: Scenario = {
  id: 'W2',
  title: 'write one shared author (220 references) and read 1,000 nested posts',
  variants: [{ label: '', size: 1000, quickSize: 50 }],
  createTrial({ nested }, size) {
    if (!nested?.().writeAuthor) return undefined;
    const posts = createPostRows(size);
    return defineTrial({
      prepare() {
        const store = nested() as NestedStore & Required<Pick<NestedStore, 'writeAuthor'>>; // cast: tested above
        store.write(posts);
        store.read();
        return store;
      },
      run(store, turn) {
        store.writeAuthor(createChangedAuthor(turn));
        return store.read();
      },
    });
  },
  check({ name, nested }, size) {
    const store = nested?.();
    if (!store?.writeAuthor) return {};
    let expected = createPostRows(size);
    store.write(expected);
    let changedReferences = 0;
    for (let turn = 0; turn < CHECK_TURNS; turn += 1) {
      const author = createChangedAuthor(turn);
      expected = replaceAuthor(expected, author);
      const before = [...store.read()];
      store.writeAuthor(author);
      const after = store.read();
      assertSame(after, expected, `${name} W2`);
      changedReferences = countChangedReferences(before, after);
    }
    const holders = expected.filter((post) =>
      [post.author, ...post.comments.map((comment) => comment.author)].some(
        ({ id }) => id === createChangedAuthor(CHECK_TURNS - 1).id,
      ),
    );
    return { 'references changed': changedReferences, 'posts that hold the author': holders.length };
  },
};

const READERS = 1000;

/** Readers spread over the table; the writes go to their rows in turn. */
export function pickReaders(rows: readonly ItemRow[]): ItemRow[] {
  const step = Math.max(1, Math.floor(rows.length / READERS));
  return rows.filter((_, index) => index % step === 0).slice(0, READERS);
}

const writeWatched: Scenario = {
  id: 'W3',
  title: 'write one of 10,000 with 1,000 readers of one row each',
  variants: [{ label: '', size: 10_000, quickSize: 1000 }],
  createTrial(contestant, size) {
    const probe = contestant.flat?.();
    if (!probe?.watch || !probe.writeOne) return undefined;
    const rows = createItemRows(size);
    const watched = pickReaders(rows);
    return defineTrial({
      prepare() {
        const store = createWritable(contestant, size) as WritableStore; // cast: tested above
        store.watch?.(
          watched.map((row) => row.id),
          () => {},
        );
        return store;
      },
      run: (store, turn) => store.writeOne(createChangedRow(watched, turn)),
    });
  },
  check(contestant, size) {
    const store = createWritable(contestant, size);
    if (!store?.watch) return {};
    const watched = pickReaders(createItemRows(size));
    const woken: string[] = [];
    store.watch(
      watched.map((row) => row.id),
      (id) => woken.push(id),
    );
    const row = createChangedRow(watched, 1);
    store.writeOne(row);
    if (!woken.includes(row.id))
      throw new Error(`${contestant.name} W3: the reader of ${row.id} was not woken`);
    return { 'readers woken': woken.length, readers: watched.length };
  },
};

const writeByTable: Scenario = {
  id: 'W4',
  title: 'one write, by size of the table',
  variants: [
    { label: '1,000 rows', size: 1000, quickSize: 100 },
    { label: '100,000 rows', size: 100_000, quickSize: 1000 },
  ],
  tooSlow: ['Apollo Client', 'urql graphcache', 'normy', 'TanStack Query', 'hand-written loop'],
  createTrial(contestant, size) {
    if (!contestant.flat?.().writeOne) return undefined;
    const rows = createItemRows(size);
    return defineTrial({
      prepare() {
        const store = contestant.flat?.() as WritableStore; // cast: tested above
        store.write(rows);
        return store;
      },
      run: (store, turn) => store.writeOne(createChangedRow(rows, turn)),
    });
  },
  check: (contestant, size) => checkWrites(contestant, size, 'W4'),
};

/** So few that no garbage is collected meanwhile: the growth of the heap is what they allocate. */
const COUNTED_WRITES = 500;

/** One reader of each row. A write ends when the reader of its row is told, which some libraries do in a later task. */
function createWakes(observed: NonNullable<Contestant['observed']>, rows: readonly ItemRow[]) {
  const store = observed();
  let woken = 0;
  let onWake = (): void => {};
  store.write(rows);
  for (const row of rows)
    store.observe(row.id, () => {
      woken += 1;
      onWake();
    });
  return {
    count: () => woken,
    writeAndWait: (row: ItemRow) =>
      new Promise<void>((resolve) => {
        onWake = resolve;
        store.writeOne(row);
      }),
  };
}

const writeObserved: Scenario = {
  id: 'W5',
  title: 'one write through the controller, by number of mounted readers',
  variants: [
    { label: '10 readers', size: 10, quickSize: 10 },
    { label: '10,000 readers', size: 10_000, quickSize: 200 },
  ],
  createTrial({ observed }, size) {
    const rows = createItemRows(size);
    return (
      observed &&
      defineTrial({
        isAwaited: true,
        prepare: () => createWakes(observed, rows),
        run: ({ writeAndWait }, turn) => writeAndWait(createChangedRow(rows, turn)),
      })
    );
  },
  async check({ observed }, size) {
    if (!observed) return {};
    const rows = createItemRows(size);
    const { count, writeAndWait } = createWakes(observed, rows);
    await writeAndWait(createChangedRow(rows, 1));
    const woken = count();
    for (let turn = 2; turn < COUNTED_WRITES * 60; turn += 1)
      await writeAndWait(createChangedRow(rows, turn));
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let turn = 0; turn < COUNTED_WRITES; turn += 1) await writeAndWait(createChangedRow(rows, turn));
    const bytes = (process.memoryUsage().heapUsed - before) / COUNTED_WRITES;
    return { 'readers woken': woken, 'bytes allocated': Math.round(bytes / 100) * 100 };
  },
};

const manyRows: Scenario = {
  id: 'S1',
  title: 'a store of 100,000 rows',
  variants: [
    { label: 'store and read', size: 100_000, quickSize: 2000 },
    { label: 'one change and read', size: 100_000, quickSize: 2000 },
  ],
  tooSlow: ['Apollo Client', 'urql graphcache', 'normy', 'TanStack DB'],
  createTrial(contestant, size, variant) {
    const { flat } = contestant;
    const rows = createItemRows(size);
    if (variant !== 'store and read') return writeAndRead.createTrial(contestant, size, variant);
    return (
      flat &&
      createArrival(flat, rows, (store, response) => {
        takeResponse(store, response);
        store.read();
      })
    );
  },
  check: (contestant, size) => checkWrites(contestant, size, 'S1'),
};

export const changeScenarios: readonly Scenario[] = [
  writeAndRead,
  writeShared,
  writeWatched,
  writeByTable,
  writeObserved,
  manyRows,
];
