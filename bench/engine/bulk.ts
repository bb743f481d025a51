// B1, B2, B3: a user does much at once. All go through requests and their answers, as an application's do, and are awaited.
import { createItemRow, createItemRows } from '../payloads/flat.ts';
import type { ItemRow } from '../payloads/flat.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import type { Scenario } from './scenario.ts';

/** Twice as many rows as are deleted: every other one goes. */
function createHalves(size: number): { rows: ItemRow[]; gone: { id: string }[]; left: ItemRow[] } {
  const rows = createItemRows(2 * size);
  const gone = rows.filter((_, index) => index % 2 === 0).map(({ id }) => ({ id }));
  return { rows, gone, left: rows.filter((_, index) => index % 2 === 1) };
}

const removeMany: Scenario = {
  id: 'B1',
  title: 'one response deletes n of 2n rows, and the list is read',
  variants: [
    { label: '5,000 rows', size: 5000, quickSize: 50 },
    { label: '20,000 rows', size: 20_000, quickSize: 200 },
  ],
  createTrial({ optimistic }, size) {
    if (!optimistic?.().remove) return undefined;
    const { rows, gone } = createHalves(size);
    return defineTrial({
      runsPerState: 1,
      isAwaited: true,
      prepare() {
        const store = optimistic();
        store.write(rows);
        store.read();
        return store;
      },
      async run(store) {
        await store.remove?.(gone);
        return store.read();
      },
    });
  },
  createFloors(size) {
    const { rows, gone } = createHalves(size);
    const filter = (list: readonly ItemRow[]): readonly ItemRow[] => {
      const ids = new Set(gone.map(({ id }) => id));
      return list.filter(({ id }) => !ids.has(id));
    };
    return new Map([['filter by a Set', defineTrial({ prepare: () => rows, run: filter })]]);
  },
  async check({ name, optimistic }, size) {
    const store = optimistic?.();
    if (!store?.remove) return {};
    const { rows, gone, left } = createHalves(size);
    store.write(rows);
    assertSame(store.read(), rows, `${name} B1`);
    await store.remove(gone);
    assertSame(store.read(), left, `${name} B1, after the answer`);
    return {};
  },
};

/** Changes of one row, each with a title of its own. */
function createChanges(count: number): ItemRow[] {
  return Array.from({ length: count }, (_, turn) => ({ ...createItemRow(0), title: `title ${turn}` }));
}

const settleMany: Scenario = {
  id: 'B2',
  title: 'n pending changes of one row settle, one after the other, and the row is read after each',
  variants: [
    { label: '50 changes', size: 50, quickSize: 5 },
    { label: '400 changes', size: 400, quickSize: 20 },
  ],
  createTrial({ optimistic }, size) {
    if (!optimistic?.().settle) return undefined;
    const changes = createChanges(size);
    return defineTrial({
      runsPerState: 1,
      isAwaited: true,
      prepare() {
        const store = optimistic();
        store.write([createItemRow(0)]);
        store.begin(changes);
        store.read();
        return store;
      },
      run: (store) => store.settle?.(),
    });
  },
  async check({ name, optimistic }, size) {
    const store = optimistic?.();
    if (!store?.settle) return {};
    const changes = createChanges(size);
    const last = changes.slice(-1);
    store.write([createItemRow(0)]);
    store.begin(changes);
    assertSame(store.read(), last, `${name} B2, all pending`);
    await store.settle();
    assertSame(store.read(), last, `${name} B2`);
    return {};
  },
};

/** Rows, what this client makes of them, what others have made of them meanwhile, and how they are in the end. */
function createConflicts(
  size: number,
  isJoined: boolean,
): Record<'rows' | 'mine' | 'theirs' | 'joined', ItemRow[]> {
  const rows = createItemRows(size);
  const mine = rows.map((row) => ({ ...row, title: `mine ${row.id}`, quantity: row.quantity + 2 }));
  const theirs = rows.map((row) => ({
    ...row,
    price: row.price + 1,
    quantity: row.quantity + (isJoined ? 3 : 0),
  }));
  return { rows, mine, theirs, joined: joinRows(rows, mine, theirs) };
}

const FIELDS = Object.keys(createItemRow(0)) as (keyof ItemRow)[]; // cast: a row has its fields

/** For each field the value that was changed; for a field that both have changed, both differences. */
function joinRows(rows: readonly ItemRow[], mine: readonly ItemRow[], theirs: readonly ItemRow[]): ItemRow[] {
  return rows.map((before, at) => {
    const [ours, other] = [mine[at]!, theirs[at]!]; // as long as the rows
    const joined: Record<string, unknown> = { ...other };
    for (const field of FIELDS)
      if (ours[field] !== before[field])
        joined[field] =
          other[field] === before[field]
            ? ours[field]
            : Number(ours[field]) + Number(other[field]) - Number(before[field]);
    return joined as unknown as ItemRow; // cast: it has every field
  });
}

/** Both have changed the quantity too, so that each change is joined with the other before it is sent. */
const JOINED = 'joined changes';

const judgeMany: Scenario = {
  id: 'B3',
  title:
    'a response brings what others have changed of n rows, and n waiting changes of them are compared with it and sent',
  variants: [
    { label: '250 changes', size: 250, quickSize: 5 },
    { label: '1,000 changes', size: 1000, quickSize: 20 },
    { label: `50 ${JOINED}`, size: 50, quickSize: 5 },
    { label: `200 ${JOINED}`, size: 200, quickSize: 20 },
  ],
  createTrial({ judged }, size, variant) {
    const { rows, mine, theirs } = createConflicts(size, variant.includes(JOINED));
    return (
      judged &&
      defineTrial({
        runsPerState: 1,
        isAwaited: true,
        prepare() {
          const store = judged();
          store.write(rows);
          store.begin(mine);
          store.read();
          return store;
        },
        run: (store) => store.settle(theirs),
      })
    );
  },
  createFloors(size) {
    const { rows, mine, theirs } = createConflicts(size, true);
    return new Map([
      ['compare by a loop', defineTrial({ prepare: () => rows, run: (all) => joinRows(all, mine, theirs) })],
    ]);
  },
  async check({ name, judged }, size, variant) {
    const store = judged?.();
    if (!store) return {};
    const { rows, mine, theirs, joined } = createConflicts(size, variant.includes(JOINED));
    store.write(rows);
    store.begin(mine);
    assertSame(store.read(), mine, `${name} B3, all pending`);
    await store.settle(theirs);
    assertSame(store.read(), joined, `${name} B3`);
    return {};
  },
};

export const bulkScenarios: readonly Scenario[] = [removeMany, settleMany, judgeMany];
