// N1-N3: payloads enter the store. D1, D2: they are read back.
import type { Contestant, FlatStore } from '../contestants/contestant.ts';
import { createItemRows } from '../payloads/flat.ts';
import { createPostRows } from '../payloads/nested.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import type { Trial } from '../support/trial.ts';
import { countChangedReferences } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const flatRows = { label: '', size: 10_000, quickSize: 1000 };
const nestedRows = { label: '', size: 1000, quickSize: 50 };

function createParseFloor(payload: unknown): ReadonlyMap<string, Trial> {
  const text = JSON.stringify(payload);
  return new Map([
    ['JSON.parse', defineTrial({ prepare: () => text, run: (source) => JSON.parse(source) as unknown })],
  ]);
}

/** Equal rows that share no object with `rows`, as every new response gives. */
function copyByJson<T>(rows: T): T {
  return JSON.parse(JSON.stringify(rows)) as T; // cast: plain JSON comes back as it went
}

/** A new store with the payload in it: given back, so that the harness keeps one alive. */
function fill<Payload>(store: { write(payload: Payload): void }, payload: Payload): unknown {
  store.write(payload);
  return store;
}

/** A filled store, its list read once, as it is on a mounted page. */
export function createReadStore(contestant: Contestant, size: number): FlatStore | undefined {
  const store = contestant.flat?.();
  store?.write(createItemRows(size));
  store?.read();
  return store;
}

const normalizeFlat: Scenario = {
  id: 'N1',
  title: 'normalize 10,000 flat rows into an empty store',
  variants: [flatRows],
  createTrial({ flat }, size) {
    const rows = copyByJson(createItemRows(size));
    return flat && defineTrial({ prepare: () => flat, run: (create) => fill(create(), rows) });
  },
  createFloors: (size) => createParseFloor(createItemRows(size)),
  check({ name, flat }, size) {
    const store = flat?.();
    store?.write(createItemRows(size));
    if (store) assertSame(store.read(), createItemRows(size), `${name} N1`);
    return {};
  },
};

const normalizeNested: Scenario = {
  id: 'N2',
  title: 'normalize 1,000 nested posts into an empty store',
  variants: [nestedRows],
  createTrial({ nested }, size) {
    const posts = copyByJson(createPostRows(size));
    return nested && defineTrial({ prepare: () => nested, run: (create) => fill(create(), posts) });
  },
  createFloors: (size) => createParseFloor(createPostRows(size)),
  check({ name, nested }, size) {
    const store = nested?.();
    store?.write(createPostRows(size));
    if (store) assertSame(store.read(), createPostRows(size), `${name} N2`);
    return {};
  },
};

const COPIES = 3;

const refetchIdentical: Scenario = {
  id: 'N3',
  title: 'the same 10,000 rows again, identical, with the list read back',
  variants: [flatRows],
  createTrial(contestant, size) {
    if (contestant.isFloor || !contestant.flat) return undefined;
    // several copies in turn: no contestant may recognise the payload by its identity
    const copies = Array.from({ length: COPIES }, () => copyByJson(createItemRows(size)));
    return defineTrial({
      prepare: () => createReadStore(contestant, size) as FlatStore, // cast: flat was tested above
      run(store, turn) {
        store.write(copies[turn % COPIES] ?? []);
        return store.read();
      },
    });
  },
  check(contestant, size) {
    const store = createReadStore(contestant, size);
    if (!store || contestant.isFloor) return {};
    let woken = 0;
    store.watch?.(
      createItemRows(size).map((row) => row.id),
      () => (woken += 1),
    );
    const before = store.read();
    store.write(copyByJson(createItemRows(size)));
    const after = store.read();
    assertSame(after, createItemRows(size), `${contestant.name} N3`);
    const changed = { 'references changed': countChangedReferences(before, after) };
    return store.watch ? { ...changed, 'readers woken': woken } : changed;
  },
};

const firstRead: Scenario = {
  id: 'D1',
  title: 'first read of 10,000 rows',
  variants: [flatRows],
  createTrial({ flat }, size) {
    const rows = createItemRows(size);
    return (
      flat &&
      defineTrial({
        runsPerState: 1,
        prepare() {
          const store = flat();
          store.write(rows);
          return store;
        },
        run: (store) => store.read(),
      })
    );
  },
  check: normalizeFlat.check,
};

const readAgain: Scenario = {
  id: 'D2',
  title: 'read the list again, nothing changed',
  variants: [
    { label: '100 rows', size: 100, quickSize: 10 },
    { label: '10,000 rows', size: 10_000, quickSize: 1000 },
  ],
  createTrial(contestant, size) {
    if (!contestant.flat || contestant.isFloor) return undefined;
    return defineTrial({
      prepare: () => createReadStore(contestant, size) as FlatStore, // cast: flat was tested above
      run: (store) => store.read(),
    });
  },
  check(contestant, size) {
    const store = createReadStore(contestant, size);
    if (!store || contestant.isFloor) return {};
    return { 'references changed': store.read() === store.read() ? 0 : 1 };
  },
};

export const ingestScenarios: readonly Scenario[] = [
  normalizeFlat,
  normalizeNested,
  refetchIdentical,
  firstRead,
  readAgain,
];
