// A list is read, and its response is late. Meanwhile a card of it moves away.
import { named } from './race-names.ts';
import type { Race } from './race.ts';

export const lateRead: Race = {
  ...named('late-read'),
  docs: { page: 'freshness', title: 'Freshness' },
  card: { status: 'doing', title: 'Paint the hull' },
  wants: { status: 'review' },
  length: 3,
  async play({ say, pause, both, hold, cardId }) {
    say('“Doing” is read again. The server has sent the response; it is on its way.');
    const late = await hold('GET', 'after', (board) => board.read('doing'));
    await pause();

    say('You move the card to “In review”, and the server saves it.');
    await both((board) => board.edit(cardId, { status: 'review' }));
    await pause();

    say('The old response arrives. In it, the card is still in “Doing”.');
    await late.release();
  },
};
