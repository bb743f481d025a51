// The filter of the table changes while a row moves into the requested list.
import { IssueResource } from '../resources/issue.ts';
import { rowsOf } from '../home/rows-of.ts';
import { explainField, explainPlace, findList } from './in-words.ts';
import type { Race } from './race.ts';

export const filterChange: Race = {
  id: 'filter-change',
  name: 'A filter change moves rows',
  happens:
    'You filter the table, and the answer is slow. Meanwhile a card moves into what you have asked for.',
  others:
    'The answer was made before the move: the row is missing in the table, though the board shows it there.',
  docs: { page: 'lists', title: 'Lists' },
  async play(stage) {
    const { controller, inspector, projectId } = stage;
    const { id } = await stage.given({ status: 'doing', title: 'Splice the mooring line' });
    const filter = rowsOf(projectId, 'review');
    await stage.pause();

    stage.say(
      'You filter the table by “In review”. The server answers at once; the answer is long on its way.',
    );
    stage.hold('GET', '/api/issues', 4, { status: 'review', orderBy: '-updatedAt' });
    let isLate = true;
    // read when the response arrives: the total of the list is stale then, so the list is read again by itself
    const found = controller.fetch(IssueResource.getList, filter).then(() => {
      isLate = false;
      const list = findList(inspector, filter);
      return { member: list?.items.find(({ pk }) => pk === id), why: explainPlace(inspector, id, list) };
    });
    stage.filterTable('review');
    await stage.pause();

    stage.say('You move the card into “In review”.');
    await stage.move(id, 'review');
    // on a busy machine the response may have arrived first: that is no race
    if (!isLate) {
      stage.filterTable(null);
      return filterChange.play(stage);
    }
    // the list is read again as soon as the response has arrived, and some engines have that second response before `found` is
    // notified of the first
    stage.hold('GET', '/api/issues', 2, { status: 'review', orderBy: '-updatedAt' });
    await stage.pause();

    stage.say('The answer arrives. It was made before the move, and does not have the row.');
    const { member, why } = await found;
    await stage.pause();
    const server = await stage.ask(id);
    return {
      checks: [
        { text: 'The table shows the row', isRight: stage.isIn(filter, id) },
        { text: 'and so does the column', isRight: stage.isIn(stage.column('review'), id) },
        { text: 'as on the server', isRight: server?.status === 'review' },
        { text: 'Its own fields put it there', isRight: member !== undefined && member.how !== 'answered' },
      ],
      why: [...why, ...explainField(inspector, id, 'status')],
    };
  },
};
