// Rows that parameters name by other fields than the key.
import { Entity, RestEndpoint } from 'holdfast';
import { expect, test } from 'vitest';
import { breathe } from '../../support/fake-world.ts';
import { start } from '../../writes/harness.ts';

test('fields that name a row together are its lane, as its key is (trials W1, R8)', async () => {
  class Issue extends Entity {
    static override key = 'Issue';
    id = 0;
    number = 0;
    title = '';
  }
  const { server, controller, writes, send } = await start();
  const options = { urlPrefix: server.url, schema: Issue, method: 'PATCH', body: {} as object } as const;
  const byNumber = new RestEndpoint({ ...options, path: '/issues/:number' });
  const byKey = new RestEndpoint({ ...options, path: '/issues/by-id/:id' });
  await controller.set(Issue, { id: 1002, number: 2, title: 'a' });
  server.hold('PATCH', '/issues/*');

  void send(byNumber, { number: 2 }, { title: 'b' });
  void send(byKey, { id: 1002 }, { title: 'c' });
  await breathe();

  expect(writes()).toEqual(['PATCH /issues/2 {"title":"b"}']);
});
