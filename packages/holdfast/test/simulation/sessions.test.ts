// Sessions under random schedules: see sessions.ts. SIM_SEED replays one of them.
import { expect, test, vi } from 'vitest';
import { judgeSessions } from './sessions.ts';

const seed = process.env['SIM_SEED'];

test('the laws of sessions hold in every schedule of tabs, expiries, failures and log-outs', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const base = Number(process.env['SIM_BASE'] ?? 271_828);

  const { message } = seed
    ? await judgeSessions(1, Number(seed))
    : await judgeSessions(Number(process.env['SIM_SESSIONS'] ?? 150), base);

  expect(message).toBeUndefined();
  warn.mockRestore();
}, 3_600_000);
