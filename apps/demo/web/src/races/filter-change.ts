// The filter of a board is widened while a card moves into the list that is being read.
import { named } from './race-names.ts';
import type { Race } from './race.ts';

export const filterChange: Race = {
  ...named('filter-change'),
  docs: { page: 'lists', title: 'Lists' },
  card: { status: 'doing', title: 'Splice the mooring line' },
  columns: ['todo', 'doing'],
  wants: { status: 'review' },
  length: 3,
  async play({ say, pause, both, hold, cardId }) {
    say('You request “In review” too. The server has sent the response; it is on its way.');
    const late = await hold('GET', 'after', (board) => board.read('review'));
    await pause();

    say('You move the card to “In review”, and the server saves it.');
    await both((board) => board.edit(cardId, { status: 'review' }));
    await pause();

    say('The response arrives. It is older than the move, and does not have the card.');
    await late.release();
  },
};
