// A visitor signs out while responses are on their way, and somebody else signs in.
import { named } from './race-names.ts';
import type { Race } from './race.ts';

export const logOut: Race = {
  ...named('log-out'),
  docs: { page: 'sessions', title: 'Sessions' },
  card: { status: 'doing', title: 'Settle the harbour dues' },
  wants: { status: 'doing', priority: 'high' },
  length: 3,
  async play({ say, pause, both, hold, cardId }) {
    say('You raise the priority of a card, and your column is read. Both responses are on their way.');
    const change = await hold('PATCH', 'after', (board) => board.edit(cardId, { priority: 'high' }));
    const read = await hold('GET', 'after', (board) => board.read('doing'));
    await pause();

    say('You sign out, and Ravi signs in. The boards show his cards.');
    await both((board) => board.signIn('ravi'));
    await pause();

    say('The two responses for you arrive, on Ravi’s screen.');
    await change.release();
    await read.release();
  },
};
