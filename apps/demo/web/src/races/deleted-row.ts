// Somebody deletes an issue while its new title is being typed.
import { Issue } from '../resources/issue.ts';
import { explainEnd, explainRow } from './in-words.ts';
import type { Race } from './race.ts';

const TEXT = 'Check the anchor chain, link by link';

export const deletedRow: Race = {
  id: 'deleted-row',
  name: 'A row deleted by another while I type',
  happens: 'You type a new title. Somebody else deletes the issue. You press Enter.',
  others: 'The optimistic title brings the row back as a ghost, or the form disappears with what you typed.',
  docs: { page: 'live', title: 'Live updates' },
  async play(stage) {
    const { inspector } = stage;
    const { id } = await stage.given({ status: 'doing', title: 'Check the anchor' });
    const isGone = (): boolean => {
      const row = inspector.explain(Issue, { id });
      return row.found === 'entity' && row.isDeleted;
    };
    const typeUntil = async (from: number, until: number): Promise<void> => {
      for (let length = from; length <= until; length += 3) {
        stage.type({ id, text: TEXT.slice(0, length) });
        await stage.pause(0.1);
      }
    };
    await stage.pause();

    stage.say('You type a new title.');
    await typeUntil(1, 20);
    stage.say(
      'Somebody else deletes the issue. The stream says so, and the row leaves the board and the table.',
    );
    await fetch(`/api/issues/${id}`, { method: 'DELETE', headers: { 'client-id': 'another visitor' } });
    await stage.until(isGone);
    await stage.pause();

    stage.say('You type on, and press Enter.');
    await typeUntil(20, TEXT.length);
    stage.type({ id, text: TEXT });
    await stage.edit(id, { title: TEXT }).catch(() => undefined);
    await stage.pause();
    return {
      checks: [
        { text: 'The row is gone from the board and the table', isRight: stage.shown(id) === undefined },
        { text: 'no column has a ghost of it', isRight: !stage.isIn(stage.column('doing'), id) },
        { text: 'as on the server', isRight: (await stage.ask(id)) === undefined },
        { text: 'What was typed is kept, with the failure', isRight: stage.failedOf(id).length === 1 },
      ],
      why: [...explainRow(inspector, id), ...explainEnd(inspector, 'Issue.partialUpdate')],
    };
  },
};
