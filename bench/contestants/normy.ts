// @normy/core: finds which cached queries a mutation's data touches, and gives their new contents. The query
// client that would hold those contents is a plain variable here, which flatters it a little.
import { createNormalizer } from '@normy/core';

import type { Contestant } from './contestant.ts';

type Answer = Parameters<ReturnType<typeof createNormalizer>['setQuery']>[1];

/** One cached list; `mutate` is what happens when a mutation answers with a row. */
function createListQuery() {
  const queryKey = 'list';
  const normalizer = createNormalizer({
    getNormalizationObjectKey: (row) => row['id'] as string | undefined, // cast: every row of the payloads has one
  });
  let held: unknown;
  const hold = (answer: Answer) => {
    normalizer.setQuery(queryKey, answer);
    held = answer;
  };
  return {
    write: (rows: unknown) => hold(rows as Answer), // cast: its Data type has no readonly arrays
    read: () => held as unknown[], // cast: both payloads are lists
    mutate(row: unknown) {
      for (const query of normalizer.getQueriesToUpdate(row as Answer)) hold(query.data);
    },
  };
}

export const normy: Contestant = {
  name: 'normy',
  packageName: '@normy/core',
  flat() {
    const query = createListQuery();
    return { write: query.write, read: query.read, writeOne: query.mutate };
  },
  nested() {
    const query = createListQuery();
    return { write: query.write, read: query.read, writeAuthor: query.mutate };
  },
};
