// Two people rename one card, and the second one has not seen the name that the first one has given it.
import { named } from './race-names.ts';
import type { Race } from './race.ts';

const JOINED = 'Tar the hull, both sides, on Friday';

export const oneTitle: Race = {
  ...named('one-title'),
  docs: { page: 'conflicts', title: 'Conflicts' },
  card: { status: 'todo', title: 'Tar the hull' },
  wants: { status: 'todo', title: JOINED, priority: 'high' },
  asks: {
    loss: 'The title that somebody else has given is gone, and nobody was told.',
    gain: 'Every card is as on the server, and has the changes of both people.',
  },
  length: 4,
  async play({ say, pause, both, hold, asSomebodyElse, cardId }) {
    say('You open a card and type a new title. The request is on its way.');
    await both((board) => board.open(cardId));
    const edit = await hold('PATCH', 'before', (board) =>
      board.edit(cardId, { title: 'Tar the hull on Friday' }),
    );
    await pause();

    say('Somebody else saves another title, and a higher priority.');
    await asSomebodyElse('PATCH', `/cards/${cardId}`, {
      title: 'Tar the hull, both sides',
      priority: 'high',
    });
    await pause();

    say('Your request reaches the server. One board replaces the other title; the other board asks.');
    await edit.letGo();
    await pause();

    say('Where you were asked, you join both titles.');
    await both((board) => board.decide(JOINED));
    await edit.release();
  },
};
