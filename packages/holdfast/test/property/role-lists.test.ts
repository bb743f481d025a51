// Lists whose arguments have declared roles, in many settings: see test/simulation/role-lists.ts.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { checkRoleLists, ROLE_STEPS, roleSetting } from '../simulation/role-lists.ts';

const runs = Number(process.env['RUNS'] ?? 60);
// the same runs every time; the nightly gives other seeds
const seed = Number(process.env['PROPERTY_SEED'] ?? 1);

test('a fresh list whose arguments have roles equals that of the server, whatever crosses on the way', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const played = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(roleSetting, (given) => checkRoleLists(given, played)),
    { numRuns: runs, seed },
  );

  // a few settings need not reach every step
  if (runs >= 60) expect(ROLE_STEPS.filter((step) => !played.has(step))).toEqual([]);
  warn.mockRestore();
}, 3_600_000);
