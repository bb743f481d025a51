// E1: somebody types into one of many rows, while others are on screen.
import { createItemRows } from '../payloads/flat.ts';
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

export const editScenarios: readonly Scenario[] = [typeLetter];
