// The operations whose growth is measured: scenarios of bench/engine at sizes from 100 to 100,000 rows.
import { changeScenarios } from '../engine/change.ts';
import { ingestScenarios } from '../engine/ingest.ts';
import { listScenarios } from '../engine/lists.ts';
import type { Scenario } from '../engine/scenario.ts';

export interface Operation {
  readonly name: string;
  readonly scenario: Scenario;
  readonly variant: string;
  /** The exponent that the work itself asks for. */
  readonly expected: 0 | 1;
}

const scenarios = [...ingestScenarios, ...changeScenarios, ...listScenarios];

function define(id: string, name: string, expected: 0 | 1, variant = ''): Operation {
  const scenario = scenarios.find((candidate) => candidate.id === id);
  if (!scenario) throw new Error(`no scenario ${id}`);
  return { name, scenario, variant, expected };
}

export const operations: readonly Operation[] = [
  define('N1', 'normalize all rows', 1),
  define('N3', 'identical rows again', 1),
  define('D1', 'first read of the list', 1),
  define('D2', 'read the list again', 0),
  define('W4', 'write one row', 0),
  define('W5', 'write one row, that many mounted readers', 0),
  define('W1', 'write one row, read the list', 1),
  define('C1', 'push one row, read the list', 1),
  define('C2', 'push into one of that many lists', 0),
  define('Q1', 'sorted view, nothing changed', 0, 'nothing changed'),
  define('Q1', 'sorted view, one row changed', 1, 'one row changed'),
  define('O1', 'write with 20 optimistic updates in flight', 0, '20 in flight'),
  define('G1', 'a reader of the list comes and goes', 0),
];
