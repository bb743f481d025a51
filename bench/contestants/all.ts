// Every contestant of the engine scenarios, the library first: ratios are taken against it.
import { apollo } from './apollo.ts';
import type { Contestant } from './contestant.ts';
import { dataClient010 } from './data-client-010.ts';
import { dataClient018 } from './data-client-018.ts';
import { handWritten } from './floors.ts';
import { holdfast } from './holdfast.ts';
import { normalizr } from './normalizr.ts';
import { normy } from './normy.ts';
import { reduxToolkit } from './redux-toolkit.ts';
import { swr } from './swr.ts';
import { tanstackDb } from './tanstack-db.ts';
import { tanstackQuery } from './tanstack-query.ts';
import { urql } from './urql.ts';

export const contestants: readonly Contestant[] = [
  holdfast,
  dataClient018,
  dataClient010,
  tanstackQuery,
  tanstackDb,
  reduxToolkit,
  normalizr,
  normy,
  apollo,
  urql,
  swr,
  handWritten,
];
