// Somebody deletes a card while its new title is on its way.
import { named } from './race-names.ts';
import type { Race } from './race.ts';

export const deletedRow: Race = {
  ...named('deleted-row'),
  docs: { page: 'live', title: 'Live updates' },
  card: { status: 'doing', title: 'Check the anchor' },
  wants: null,
  length: 3,
  async play({ say, pause, both, hold, asSomebodyElse, cardId }) {
    say('You type a new title and press Enter. The request is on its way.');
    const edit = await hold('PATCH', 'before', (board) =>
      board.edit(cardId, { title: 'Check the anchor chain, link by link' }),
    );
    await pause();

    say('Somebody else deletes the card. The column is read, and has it no longer.');
    await asSomebodyElse('DELETE', `/cards/${cardId}`);
    await both((board) => board.read('doing'));
    await pause();

    say('Your request reaches the server: there is no such card.');
    await edit.release();
  },
};
