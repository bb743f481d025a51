// A visitor signs out while responses are in flight, and somebody else signs in.
import { readIssueActivity } from '../resources/activity.ts';
import { IssueResource } from '../resources/issue.ts';
import { auth, signIn, signOut } from '../resources/session.ts';
import { explainEnd } from './in-words.ts';
import type { Race } from './race.ts';

/** The next user. */
const OTHER = 'ravi';

export const logOut: Race = {
  id: 'log-out',
  name: 'A logout in flight',
  happens: 'A change and a read are under way. You sign out, and somebody else signs in on the same page.',
  others: 'The late answers fill the cache of the next person with what the one before has asked for.',
  docs: { page: 'sessions', title: 'Sessions' },
  async play(stage) {
    const { controller, inspector, userId } = stage;
    const { id } = await stage.given({ status: 'doing', title: 'Settle the harbour dues' });
    const activity = { issueId: id };
    await stage.pause();

    stage.say('You change the card, and read what happened to it. Both answers are long on their way.');
    stage.hold('PATCH', `/api/issues/${id}`, 6);
    stage.hold('GET', `/api/issues/${id}/activity`, 6);
    const late = [stage.edit(id, { priority: 'high' }), controller.fetch(readIssueActivity, activity)];
    await stage.pause();

    stage.say('You sign out. The store is empty.');
    await controller.fetch(signOut);
    auth.end();
    await stage.pause();

    stage.say('Somebody else signs in.');
    const other = await controller.fetch(signIn, { userId: OTHER === userId ? 'mira' : OTHER });
    if (other) auth.begin(other);
    const ends = await Promise.allSettled(late);
    // the responses themselves are still in flight: wait until they have arrived
    await stage.pause(5);

    stage.say('The two answers have arrived, and nobody took them.');
    const told = inspector.explain(readIssueActivity, activity);
    const hasRows = inspector.entityTypes().some(({ entity }) => entity === 'Activity');
    const server = await stage.ask(id);
    const checks = [
      { text: 'Nothing of the first visitor is in the store', isRight: told.found === 'nothing' && !hasRows },
      { text: 'Both calls ended as given up', isRight: ends.every(({ status }) => status === 'rejected') },
      { text: 'The change is on the server', isRight: server?.priority === 'high' },
    ];
    const why = [
      ...explainEnd(inspector, readIssueActivity.name),
      ...explainEnd(inspector, IssueResource.partialUpdate.name),
    ];
    await stage.pause();
    await controller.fetch(signOut);
    auth.end();
    const own = await controller.fetch(signIn, { userId });
    if (own) auth.begin(own);
    return { checks, why };
  },
};
