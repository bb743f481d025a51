// N1-N3: payloads enter the store. D1, D2: they are read back.
import { takeResponse } from '../contestants/contestant.ts';
import type { Contestant, FlatStore } from '../contestants/contestant.ts';
import { holdfast } from '../contestants/holdfast.ts';
import { createItemRows } from '../payloads/flat.ts';
import { createPostRows } from '../payloads/nested.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import type { Trial } from '../support/trial.ts';
import { countChangedReferences } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const flatRows = { label: '', size: 10_000, quickSize: 1000 };
const nestedRows = { label: '', size: 1000, quickSize: 50 };

/** Equal rows that share no object with `rows`, as every new response gives. */
function copyByJson<T>(rows: T): T {
  return JSON.parse(JSON.stringify(rows)) as T; // cast: plain JSON comes back as it went
}

/** As far as responses arrive in it. */
interface Store<Payload> {
  write(payload: Payload): void;
  take?(payload: Payload): void;
}

/**
 * A response arrives in an empty store. It is parsed for each run, as every response is: strings that a store has seen
 * before have their hashes, which spares whoever looks them up again.
 */
export function createArrival<Payload, S extends Store<Payload>>(
  create: () => S,
  payload: Payload,
  arrive: (store: S, response: Payload) => void,
): Trial {
  const text = JSON.stringify(payload);
  return defineTrial({
    runsPerState: 1,
    prepare: () => ({ response: JSON.parse(text) as Payload | undefined }), // cast: as it was before
    run(state) {
      const store = create();
      arrive(store, state.response as Payload); // cast: each state serves one run
      state.response = undefined;
      return store;
    },
  });
}

/** What is the data itself, and what we take when the caller keeps the payload: then it is copied. */
function createIngestFloors<Payload>(
  create: (() => Store<Payload>) | undefined,
  payload: Payload,
): ReadonlyMap<string, Trial> {
  const text = JSON.stringify(payload);
  const parse = defineTrial({ prepare: () => text, run: (source) => JSON.parse(source) as unknown });
  const floors = new Map([['JSON.parse', parse]]);
  const copy = create && createArrival(create, payload, (store, response) => store.write(response));
  if (copy) floors.set('holdfast, caller keeps it', copy);
  return floors;
}

/** A filled store, its list read once, as it is on a mounted page. */
export function createReadStore(contestant: Contestant, size: number): FlatStore | undefined {
  const store = contestant.flat?.();
  store?.write(copyByJson(createItemRows(size)));
  store?.read();
  return store;
}

const normalizeFlat: Scenario = {
  id: 'N1',
  title: 'normalize 10,000 flat rows into an empty store',
  variants: [flatRows],
  createTrial: ({ flat }, size) => flat && createArrival(flat, createItemRows(size), takeResponse),
  createFloors: (size) => createIngestFloors(holdfast.flat, createItemRows(size)),
  check({ name, flat }, size) {
    const store = flat?.();
    if (store) takeResponse(store, createItemRows(size));
    if (store) assertSame(store.read(), createItemRows(size), `${name} N1`);
    return {};
  },
};

const normalizeNested: Scenario = {
  id: 'N2',
  title: 'normalize 1,000 nested posts into an empty store',
  variants: [nestedRows],
  createTrial: ({ nested }, size) => nested && createArrival(nested, createPostRows(size), takeResponse),
  createFloors: (size) => createIngestFloors(holdfast.nested, createPostRows(size)),
  check({ name, nested }, size) {
    const store = nested?.();
    if (store) takeResponse(store, createPostRows(size));
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
          takeResponse(store, copyByJson(rows));
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
