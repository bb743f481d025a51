// The laws of the inspector in the simulator: it has no visible effect, and everything that happened has a reason.
import type { Manager } from 'holdfast';
import { expect, test } from 'vitest';
import { EXTENSION, extend } from '../../src/dispatch/extension.ts';
import { checkInspected, checkTransparent } from './inspected.ts';

const count = Number(process.env['SIM_INSPECTED'] ?? 16);
const first = Number(process.env['SIM_BASE'] ?? 0);

/** Takes the place of an inspector, and does nothing. */
function createIdle(): Manager {
  return {
    [EXTENSION]: (_host, inner) =>
      extend(inner, {
        sendFlight: (request, flight, next) => next(request, flight),
        beforeStore: () => () => undefined,
        onIgnored: () => undefined,
        onReader: () => undefined,
      }),
  };
}

test('a run with an inspector that does nothing equals the run without one', async () => {
  for (let seed = first; seed < first + count / 2; seed += 1)
    await expect(checkTransparent(seed, () => [createIdle()])).resolves.toBeDefined();
}, 3_600_000);

test('with an inspector values, references, requests and notifications are the same, and each has a reason', async () => {
  for (let seed = first; seed < first + count; seed += 1)
    await expect(checkInspected(seed)).resolves.toBeUndefined();
}, 3_600_000);
