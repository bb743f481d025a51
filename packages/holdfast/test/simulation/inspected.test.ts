// The laws of the inspector in the simulator: nobody can tell that it is there, and everything that happened has a reason.
import type { Manager } from 'holdfast';
import { expect, test } from 'vitest';
import type { Core } from '../../src/controller/state/core.ts';
import { INSTALL } from '../../src/dispatch/manager.ts';
import { checkInspected, checkTransparent } from './inspected.ts';

const isNightly = process.env['NIGHTLY'] !== undefined;
const count = Number(process.env['SIM_INSPECTED'] ?? (isNightly ? 4_000 : 40));
const first = Number(process.env['SIM_BASE'] ?? 0);

/** A probe that does nothing. */
function createIdleProbe(): Manager {
  const nothing = (): void => undefined;
  return {
    [INSTALL](core: unknown) {
      (core as Core).probe = {
        leavesAside: nothing,
      };
    },
  };
}

test('a run with a probe that does nothing is the run without', async () => {
  for (let seed = first; seed < first + count / 2; seed += 1)
    await expect(checkTransparent(seed, () => [createIdleProbe()])).resolves.toBeDefined();
}, 3_600_000);

test('with an inspector values, references, requests and wake-ups are the same, and each has a reason', async () => {
  for (let seed = first; seed < first + count; seed += 1)
    await expect(checkInspected(seed)).resolves.toBeUndefined();
}, 3_600_000);
