// The page of a row that the server has not named yet: what hangs on the row is read by its local id, and stays right.
import { Controller, createResource, Entity, RestEndpoint, schema } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Note extends Entity {
  static override key = 'Note';
  id = '';
  issueId = '';
  text = '';
}
const notes = new schema.Collection([Note], {
  argsKey: ({ issueId }: { issueId: string }) => ({ issueId }),
  nestKey: (issue: { id: string }) => ({ issueId: issue.id }),
});
class Issue extends Entity {
  static override key = 'Issue';
  id = '';
  title = '';
  static override schema = { notes };
}

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller(new FakeWorld().options);
  const written = [{ id: 'n1', issueId: 'A-1', text: 'created' }];
  server.on('GET', '/issues', { body: [] });
  server.on('GET', '/issues/:id', { body: { id: 'A-1', title: 't', notes: written } });
  server.on('GET', '/issues/:id/notes', { body: written });
  server.on('POST', '/issues', { status: 201, body: { id: 'A-1', title: 't', notes: written } });
  server.on('PATCH', '/issues/:id', ({ body }) => ({
    body: { id: 'A-1', title: 't', ...(body as object), notes: written },
  }));
});
afterEach(() => server.close());

test('a list below a draft that is read by its local id is the list of the row that the server returns', async () => {
  const IssueResource = createResource({
    urlPrefix: server.url,
    path: '/issues/:id',
    schema: Issue,
    body: {} as { title: string },
    optimistic: true,
  });
  const readNotes = new RestEndpoint({
    urlPrefix: server.url,
    path: '/issues/:issueId/notes',
    schema: notes,
  });
  await controller.fetch(IssueResource.getList, {});
  const post = server.hold('POST', '/issues');
  const creating = controller.fetch(IssueResource.getList.push, { title: 't' });
  const localId = String(controller.getResponse(IssueResource.getList, {}).data?.[0]?.id);
  const observer = controller.watch(readNotes, { issueId: localId });
  const stop = observer.subscribe(() => undefined);
  const issue = controller.watch(IssueResource.get, { id: localId });
  const stopIssue = issue.subscribe(() => undefined);
  const renaming = controller.fetch(IssueResource.partialUpdate, { id: localId }, { title: 'u' });

  (await post.next()).release();
  await creating;
  await renaming;
  await expect.poll(() => observer.read().isFetching).toBe(false);
  expect(observer.read().data?.map(({ text }) => text)).toEqual(['created']);
  stop();
  stopIssue();
});
