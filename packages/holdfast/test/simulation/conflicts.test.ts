// The laws of conflicts under random schedules: see conflicts.ts. SIM_SEED replays one of them.
import { expect, test } from 'vitest';
import { checkConflicts } from './conflicts.ts';

const seed = process.env['SIM_SEED'];
const first = Number(seed ?? process.env['SIM_BASE'] ?? 0);
const count = seed === undefined ? Number(process.env['SIM_CONFLICTS'] ?? 100) : 1;

test('no edit replaces another one in silence, and none is lost', async () => {
  for (let at = first; at < first + count; at += 1) expect(await checkConflicts(at)).toBeUndefined();
}, 3_600_000);
