// Three edits of one card, of which the server refuses the second.
import { explainField, explainOrder } from './in-words.ts';
import type { Race } from './race.ts';

export const failedEdit: Race = {
  id: 'failed-edit',
  name: 'A failure in the middle of three edits',
  happens: 'You rename a card, move it and make it urgent, all at once. The server refuses the move.',
  others:
    'A snapshot from before the move is put back: the third edit disappears from the screen, or the first one does.',
  docs: { page: 'optimistic-updates', title: 'Optimistic updates' },
  async play(stage) {
    const { inspector } = stage;
    const { id } = await stage.given({ status: 'todo', title: 'Oil the winch', priority: 'low' });
    const path = `/api/issues/${id}`;
    await stage.pause();

    stage.say(
      'Three edits, one after the other: a new title, a new column, a new priority. All show at once.',
    );
    stage.delay('PATCH', path, 1.5);
    stage.refuse('PATCH', path, 1.5);
    stage.delay('PATCH', path, 1.5);
    const edits = [
      stage.edit(id, { title: 'Oil the winch, then test it' }),
      stage.move(id, 'doing'),
      stage.edit(id, { priority: 'urgent' }),
    ];
    await edits[0];
    stage.say('The title is saved. The move is refused: only the move is taken back.');
    await edits[1]?.catch(() => undefined);
    stage.say('The third edit goes on as if nothing had happened.');
    await edits[2];
    await stage.pause();
    const [shown, server] = [stage.shown(id), await stage.ask(id)];
    const isSame =
      shown?.title === server?.title &&
      shown?.status === server?.status &&
      shown?.priority === server?.priority;
    return {
      checks: [
        { text: 'The new title stays', isRight: shown?.title === 'Oil the winch, then test it' },
        { text: 'the move is taken back', isRight: shown?.status === 'todo' },
        { text: 'the card is urgent', isRight: shown?.priority === 'urgent' },
        { text: 'as on the server', isRight: isSame },
        { text: 'The move is kept for another try', isRight: stage.failedOf(id).length === 1 },
      ],
      why: [...explainOrder(inspector, id), ...explainField(inspector, id, 'status')],
    };
  },
};
