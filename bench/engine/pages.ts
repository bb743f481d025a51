// L2: a list of many loaded pages is read again, and nothing in it has changed.
import { createItemRows } from '../payloads/flat.ts';
import { PAGE_ROWS } from '../contestants/contestant.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import { countChangedReferences } from './scenario.ts';
import type { Scenario } from './scenario.ts';

const reread: Scenario = {
  id: 'L2',
  title: 'a list of 10 loaded pages of 100 rows is read again, and nothing has changed',
  variants: [{ label: '', size: 10, quickSize: 3 }],
  createTrial({ paged }, size) {
    if (!paged) return undefined;
    return defineTrial({
      isAwaited: true,
      prepare() {
        const store = paged();
        return { store, loaded: store.load(size) };
      },
      async run({ store, loaded }) {
        await loaded;
        await store.reread();
        return store.read();
      },
    });
  },
  async check({ name, paged }, size) {
    const store = paged?.();
    if (!store) return {};
    await store.load(size);
    const before = store.read();
    assertSame(before, createItemRows(size * PAGE_ROWS), `${name} L2`);
    const { requests, wakes } = store;
    await store.reread();
    return {
      'requests per page': (store.requests - requests) / size,
      'references changed': countChangedReferences(before, store.read()),
      'readers woken': store.wakes - wakes,
    };
  },
};

export const pageScenarios: readonly Scenario[] = [reread];
