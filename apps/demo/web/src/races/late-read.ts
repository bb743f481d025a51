// A list is read, and its response is slow. Meanwhile a card of it moves away.
import { IssueResource } from '../resources/issue.ts';
import { explainField, lostRule } from './in-words.ts';
import type { Race } from './race.ts';

export const lateRead: Race = {
  id: 'late-read',
  name: 'A late read after a write',
  happens: 'A column is read and the answer is slow. You move a card out of it. Then the old answer arrives.',
  others: 'The last answer to arrive wins: the card jumps back to where it was, until the next read.',
  docs: { page: 'freshness', title: 'Freshness' },
  async play(stage) {
    const { controller, inspector } = stage;
    const { id } = await stage.given({ status: 'doing', title: 'Paint the hull' });
    await stage.pause();

    stage.say('“Doing” is read again. The server answers at once; the answer is long on its way.');
    stage.hold('GET', '/api/issues', 4, { status: 'doing', orderBy: 'rank' });
    let isLate = true;
    // the losers are read when the response arrives: a later read replaces them
    const lost = controller.fetch(IssueResource.getList, stage.column('doing')).then(() => {
      isLate = false;
      return lostRule(inspector, id, 'status');
    });
    await stage.pause();

    stage.say('You move the card to “In review”, and the server agrees.');
    await stage.move(id, 'review');
    // on a busy machine the response may have arrived first: that is no race
    if (!isLate) return lateRead.play(stage);
    await stage.pause();

    stage.say('The old answer arrives. In it, the card is still in “Doing”.');
    const rule = await lost;
    await stage.pause();
    const server = await stage.ask(id);
    return {
      checks: [
        { text: 'The card is in “In review”', isRight: stage.isIn(stage.column('review'), id) },
        { text: 'and not in “Doing”', isRight: !stage.isIn(stage.column('doing'), id) },
        { text: 'as on the server', isRight: server?.status === 'review' },
        { text: 'The late answer lost', isRight: rule !== undefined },
      ],
      why: explainField(inspector, id, 'status'),
    };
  },
};
