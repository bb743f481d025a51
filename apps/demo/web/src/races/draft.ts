// A card is created, renamed and moved before the server has given it an id.
import { isDraft } from 'holdfast';
import { addIssue, IssueResource } from '../resources/issue.ts';
import type { Issue } from '../resources/issue.ts';
import { explainOrder, explainWrites } from './in-words.ts';
import type { Race } from './race.ts';

const FIRST = 'Order new sails';
const SECOND = 'Order new sails, red ones';

export const draft: Race = {
  id: 'draft',
  name: 'A draft edited before it has an id',
  happens: 'You add a card and go on working with it, while the server has not named it yet.',
  others:
    'The edits go to an id that does not exist and fail, or the card cannot be touched until it is saved.',
  docs: { page: 'optimistic-updates', title: 'Rows that you create' },
  async play(stage) {
    const { controller, inspector, projectId } = stage;
    stage.say('You add a card. Creating it takes the server a while.');
    stage.delay('POST', '/api/issues', 4);
    const creation = controller.fetch(addIssue, { projectId, status: 'todo', title: FIRST });
    const { data } = controller.getResponse(IssueResource.getList, stage.column('todo'));
    // somebody else may play the same race
    const isOwn = (issue: Issue): boolean => isDraft(issue) && issue.title === FIRST;
    const local = data?.results?.find(isOwn)?.id ?? '';
    await stage.pause();

    stage.say('You rename it and move it to “Doing”. It has no id yet, so both wait.');
    const renaming = stage.edit(local, { title: SECOND });
    const moving = stage.move(local, 'doing');
    const why = explainWrites(inspector);
    await stage.pause();

    const { id } = await creation;
    stage.keep(id);
    stage.say(`The server names it ${id}. The two edits leave, with that id.`);
    await Promise.all([renaming, moving]);
    await stage.pause();
    const server = await stage.ask(id);
    const isThere = (status: 'todo' | 'doing'): boolean => stage.isIn(stage.column(status), id);
    return {
      checks: [
        { text: 'There is one card, in “Doing”', isRight: isThere('doing') && !isThere('todo') },
        { text: 'with its new title', isRight: stage.shown(id)?.title === SECOND },
        { text: 'as on the server', isRight: server?.title === SECOND && server.status === 'doing' },
        { text: 'Its first id still means it', isRight: stage.shown(local)?.id === id },
      ],
      why: [...why, ...explainOrder(inspector, id)],
    };
  },
};
