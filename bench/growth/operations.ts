// The operations whose growth is measured: scenarios of bench/engine at sizes from 100 to 100,000 rows.
import { changeScenarios } from '../engine/change.ts';
import { ingestScenarios } from '../engine/ingest.ts';
import { listScenarios } from '../engine/lists.ts';
import type { Scenario } from '../engine/scenario.ts';

export interface Operation {
  readonly name: string;
  readonly scenario: Scenario;
  readonly variant: string;
  readonly expected: 0 | 1;
  readonly contestants: readonly string[];
}

const scenarios = [...ingestScenarios, ...changeScenarios, ...listScenarios];
const NEWEST = ['holdfast', 'data-client 0.18'];
/** Collections, queries and optimism need the matching set of packages. */
const MATCHING = ['holdfast', 'data-client 0.10'];

function define(
  id: string,
  name: string,
  expected: 0 | 1,
  contestants: readonly string[],
  variant = '',
): Operation {
  const scenario = scenarios.find((candidate) => candidate.id === id);
  if (!scenario) throw new Error(`no scenario ${id}`);
  return { name, scenario, variant, expected, contestants };
}

export const operations: readonly Operation[] = [
  define('N1', 'normalize all rows', 1, NEWEST),
  define('N3', 'identical rows again', 1, NEWEST),
  define('D1', 'first read of the list', 1, NEWEST),
  define('D2', 'read the list again', 0, NEWEST),
  define('W4', 'write one row', 0, NEWEST),
  define('W5', 'write one row, that many mounted readers', 0, ['holdfast', 'TanStack Query']),
  define('W1', 'write one row, read the list', 1, NEWEST),
  define('C1', 'push one row, read the list', 1, MATCHING),
  define('C2', 'push into one of many lists', 0, MATCHING),
  define('Q1', 'sorted view, nothing changed', 0, MATCHING, 'nothing changed'),
  define('Q1', 'sorted view, one row changed', 1, MATCHING, 'one row changed'),
  define('O1', 'write with 20 optimistic updates in flight', 0, MATCHING, '20 in flight'),
  define('G1', 'a reader of the list comes and goes', 0, ['holdfast', 'TanStack Query']),
];
