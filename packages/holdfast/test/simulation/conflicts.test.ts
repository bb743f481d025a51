// The laws of conflicts under random schedules: see conflicts.ts. SIM_SEED replays one of them.
import { expect, test } from 'vitest';
import { typed } from './conflict-typing.ts';
import { checkConflicts } from './conflicts.ts';

const seed = process.env['SIM_SEED'];
const first = Number(seed ?? process.env['SIM_BASE'] ?? 0);
const count = seed === undefined ? Number(process.env['SIM_CONFLICTS'] ?? 100) : 1;

test('no edit replaces another one in silence, and none is lost', async () => {
  for (let at = first; at < first + count; at += 1) expect(await checkConflicts(at)).toBeUndefined();
  if (count > 20) expect(typed.letters, 'letters while a person decides').toBeGreaterThan(count);
}, 3_600_000);
