// Redux Toolkit's entity adapter: one flat table per type in a Redux store, updated through immer. It keeps no
// relations, so it takes part in the flat scenarios only.
import { configureStore, createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit';
import { z } from 'zod';

import { selectActiveByPrice } from '../payloads/flat.ts';
import { itemShape } from '../payloads/item-schema.ts';
import type { ItemRow } from '../payloads/flat.ts';
import type { Contestant } from './contestant.ts';

const checkedRows = z.array(z.object(itemShape));

export const reduxToolkit: Contestant = {
  name: 'RTK entity adapter',
  packageName: '@reduxjs/toolkit',
  // as RTK Query's `responseSchema` does: the whole response is parsed, and what the schema gives is stored
  checked() {
    const adapter = createEntityAdapter<ItemRow>();
    const slice = createSlice({
      name: 'items',
      initialState: adapter.getInitialState(),
      reducers: { all: adapter.setAll },
    });
    const store = configureStore({ reducer: slice.reducer });
    const { selectAll } = adapter.getSelectors();
    return {
      write: (rows) => void store.dispatch(slice.actions.all(checkedRows.parse(rows))),
      read: () => selectAll(store.getState()),
    };
  },
  flat() {
    const adapter = createEntityAdapter<ItemRow>();
    const slice = createSlice({
      name: 'items',
      initialState: adapter.getInitialState(),
      reducers: {
        all: adapter.setAll,
        upsert: adapter.upsertMany,
        update: adapter.updateOne,
        add: adapter.addOne,
      },
    });
    const store = configureStore({ reducer: slice.reducer });
    const { selectAll, selectById } = adapter.getSelectors();
    const selectSorted = createSelector(selectAll, (rows) => selectActiveByPrice(rows));
    let isFilled = false;
    return {
      write(rows) {
        store.dispatch(isFilled ? slice.actions.upsert(rows) : slice.actions.all(rows));
        isFilled = true;
      },
      read: () => selectAll(store.getState()),
      writeOne(row) {
        store.dispatch(slice.actions.update({ id: row.id, changes: row }));
      },
      push(row) {
        store.dispatch(slice.actions.add(row));
      },
      watch(ids, onWake) {
        for (const id of ids) {
          let value = selectById(store.getState(), id);
          // every subscriber of a Redux store runs after every action, and compares for itself
          store.subscribe(() => {
            onWake(id);
            value = selectById(store.getState(), id);
            return value;
          });
        }
      },
      readSelected: () => selectSorted(store.getState()),
    };
  },
};
