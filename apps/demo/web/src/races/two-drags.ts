// A card is dragged twice, and the first request is the slower one.
import { explainOrder, explainWrites } from './in-words.ts';
import type { Race } from './race.ts';

export const twoDrags: Race = {
  id: 'two-drags',
  name: 'Two drags out of order',
  happens: 'You drag a card, and at once again. The first request takes much longer than the second.',
  others:
    'Both are under way together. The server does the second first, and the card ends where the first one put it.',
  docs: { page: 'write-queues', title: 'Write queues' },
  async play(stage) {
    const { inspector } = stage;
    const { id } = await stage.given({ status: 'todo', title: 'Mend the net' });
    await stage.pause();

    stage.say('You drag the card to “In review”. The request is slow.');
    stage.delay('PATCH', `/api/issues/${id}`, 4);
    const first = stage.move(id, 'review');
    await stage.pause();

    stage.say('You drag it on to “Done”. It shows at once, and is sent when the first one is answered.');
    const second = stage.move(id, 'done');
    const why = explainWrites(inspector);
    await stage.pause();
    await Promise.all([first, second]);
    await stage.pause();
    const server = await stage.ask(id);
    return {
      checks: [
        { text: 'The card is in “Done”', isRight: stage.isIn(stage.column('done'), id) },
        { text: 'and only there', isRight: !stage.isIn(stage.column('review'), id) },
        { text: 'as on the server', isRight: server?.status === 'done' },
        {
          text: 'The second call waited for the first',
          isRight: why.some((line) => line.includes('earlier change')),
        },
      ],
      why: [...why, ...explainOrder(inspector, id)],
    };
  },
};
