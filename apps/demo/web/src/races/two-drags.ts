// A card is dragged twice, and the first answer is late.
import { named } from './race-names.ts';
import type { Race } from './race.ts';

export const twoDrags: Race = {
  ...named('two-drags'),
  docs: { page: 'write-queues', title: 'Write queues' },
  card: { status: 'todo', title: 'Mend the net' },
  wants: { status: 'done' },
  length: 3,
  async play({ say, pause, both, hold, cardId }) {
    say('You drag the card to “In review”. The server saves it; its response is on its way.');
    const first = await hold('PATCH', 'after', (board) => board.edit(cardId, { status: 'review' }));
    await pause();

    say('You drag it on to “Done”.');
    await both((board) => board.edit(cardId, { status: 'done' }));
    await pause();

    say('The response to the first drag arrives.');
    await first.release();
  },
};
