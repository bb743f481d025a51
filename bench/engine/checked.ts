// V1: a payload is checked field by field on its way into the store.
import { z } from 'zod';

import { takeResponse } from '../contestants/contestant.ts';
import { createItemRows } from '../payloads/flat.ts';
import { itemShape } from '../payloads/item-schema.ts';
import { assertSame } from '../support/same-answer.ts';
import { defineTrial } from '../support/trial.ts';
import { createArrival } from './ingest.ts';
import type { Scenario } from './scenario.ts';

const rows = z.array(z.object(itemShape));

const normalizeChecked: Scenario = {
  id: 'V1',
  title: 'check 10,000 flat rows with zod and normalize them into an empty store',
  variants: [{ label: '', size: 10_000, quickSize: 1000 }],
  createTrial: ({ checked }, size) => checked && createArrival(checked, createItemRows(size), takeResponse),
  createFloors(size) {
    const given = createItemRows(size);
    return new Map([['zod alone', defineTrial({ prepare: () => given, run: (value) => rows.parse(value) })]]);
  },
  check({ name, checked }, size) {
    const store = checked?.();
    if (store) takeResponse(store, createItemRows(size));
    if (store) assertSame(store.read(), createItemRows(size), `${name} V1`);
    return {};
  },
};

export const checkedScenarios: readonly Scenario[] = [normalizeChecked];
