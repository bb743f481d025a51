// The inspector's explanation of each field, in many races: see test/simulation/source-model.ts.
import fc from 'fast-check';
import { test } from 'vitest';
import { checkSources, KNOWN_SETTINGS, sourceSetting } from '../simulation/source-model.ts';

const runs = Number(process.env['RUNS'] ?? 100);

// the suite always runs the same seeds; the nightly run has others
const seed = Number(process.env['PROPERTY_SEED'] ?? 123_456_789);

test('the source of each field, the losers and the rules follow from the order of requests', async () => {
  await fc.assert(fc.asyncProperty(sourceSetting, checkSources), {
    numRuns: runs,
    examples: KNOWN_SETTINGS,
    seed,
  });
}, 3_600_000);
