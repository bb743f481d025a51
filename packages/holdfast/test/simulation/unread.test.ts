// Unread responses under random schedules: see unread.ts. SIM_SEED replays one of them.
import { expect, test, vi } from 'vitest';
import { checkUnread } from './unread.ts';

const seed = process.env['SIM_SEED'];
const first = Number(seed ?? process.env['SIM_BASE'] ?? 0);
const count = seed === undefined ? Number(process.env['SIM_UNREAD'] ?? 12) : 1;

test('a response that is not read ends like the same response read', async () => {
  let unread = 0;
  let notModified = 0;
  let askedAgain = 0;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  for (let at = first; at < first + count; at += 1) {
    const tally = await checkUnread(at);
    unread += tally.unread;
    notModified += tally.notModified;
    askedAgain += tally.askedAgain;
  }
  console.log(
    `${count} schedules: ${unread} bodies unread, ${notModified} not sent, ${askedAgain} runs asked again`,
  );

  if (count >= 12) {
    expect(unread).toBeGreaterThan(count / 4);
    expect(notModified).toBeGreaterThan(count / 4);
    expect(askedAgain).toBeLessThan(count / 3);
  }
}, 3_600_000);
