// A card is created, renamed and moved before the server has given it an id.
import type { Board } from './boards.ts';
import { named } from './race-names.ts';
import type { Race } from './race.ts';

const SECOND = 'Order new sails, red ones';

export const draft: Race = {
  ...named('draft'),
  docs: { page: 'optimistic-updates', title: 'Rows that you create' },
  card: { status: 'todo', title: 'Order new sails' },
  isAdded: true,
  wants: { status: 'doing', title: SECOND },
  length: 4,
  async play({ say, pause, hold }) {
    const local = new Map<Board, string>();
    say('You add a card. The server creates it; the response with the id is on its way.');
    const creation = await hold('POST', 'after', (board) => {
      const { localId, saved } = board.add({ status: 'todo', title: 'Order new sails' });
      local.set(board, localId);
      return saved;
    });
    await pause();

    say('You rename it and move it to “Doing”. It has no id yet.');
    const edit = (board: Board): Promise<unknown> => {
      const id = local.get(board) ?? '';
      return Promise.allSettled([board.edit(id, { title: SECOND }), board.edit(id, { status: 'doing' })]);
    };
    const edits = await hold('PATCH', 'before', edit, 2);
    await pause();

    say('The response arrives, with the id.');
    await creation.release();
    await pause();

    say('The two edits reach the server.');
    await edits.release();
  },
};
