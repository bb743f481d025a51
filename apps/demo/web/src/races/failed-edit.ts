// Three edits of one card, of which the server refuses the second.
import { named } from './race-names.ts';
import type { Race } from './race.ts';

export const failedEdit: Race = {
  ...named('failed-edit'),
  docs: { page: 'optimistic-updates', title: 'Optimistic updates' },
  card: { status: 'todo', title: 'Oil the winch', priority: 'low' },
  wants: { status: 'todo', title: 'Oil the winch, then test it', priority: 'urgent' },
  length: 2,
  async play({ say, pause, refuse, cardId }) {
    say('Three edits: a new title, a new column, a new priority. All show at once.');
    const refused = await refuse('PATCH', 2, (board) =>
      Promise.allSettled([
        board.edit(cardId, { title: 'Oil the winch, then test it' }),
        board.edit(cardId, { status: 'doing' }),
        board.edit(cardId, { priority: 'urgent' }),
      ]),
    );
    await pause();

    say('The server refuses the move.');
    await refused.release();
  },
};
