// Rows that parameters name by other fields than the key: `/issues/:number` where the key is `id`.
import { createResource, Entity, RestEndpoint } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { breathe } from '../support/fake-world.ts';
import { start } from './harness.ts';

class Issue extends Entity {
  static override key = 'Issue';
  id = 0;
  number = 0;
  repo = '';
  title = '';
}

const ISSUES = [
  { id: 1001, number: 1, repo: 'a', title: 'a' },
  { id: 1002, number: 2, repo: 'a', title: 'b' },
  { id: 2, number: 9, repo: 'a', title: 'victim' },
];

async function startIssues(optimistic = false) {
  const world = await start();
  const { server, controller } = world;
  const issues = new Map(ISSUES.map((issue) => [issue.number, { ...issue }]));
  server.on('GET', '/issues', () => ({ body: [...issues.values()] }));
  server.on('GET', '/issues/:number', ({ params }) => ({ body: issues.get(Number(params['number'])) }));
  server.on('PATCH', '/issues/:number', ({ params, body }) => ({
    body: { ...issues.get(Number(params['number'])), ...Object(body) },
  }));
  server.on('DELETE', '/issues/:number', { status: 204 });
  const resource = createResource({
    urlPrefix: server.url,
    path: '/issues/:number',
    schema: Issue,
    body: {} as { title: string },
    optimistic,
  });
  const shown = (): string | undefined => {
    const { data } = controller.getResponse(resource.getList);
    return data?.map(({ id, title }) => `${id} ${title}`).join(', ');
  };
  return { ...world, resource, shown };
}

describe.each([false, true])('optimistic: %s', (optimistic) => {
  test.each([2, '2'])(
    'an edit and a delete by a field apply to the row that has the field: %o',
    async (number) => {
      const { controller, resource, shown } = await startIssues(optimistic);
      await controller.fetch(resource.getList);

      const editing = controller.fetch(resource.partialUpdate, { number }, { title: 'edited' });
      if (optimistic) expect(shown()).toBe('1001 a, 1002 edited, 2 victim');
      await editing;
      expect(shown()).toBe('1001 a, 1002 edited, 2 victim');
      const deleting = controller.fetch(resource.delete, { number });
      if (optimistic) expect(shown()).toBe('1001 a, 2 victim');
      await deleting;

      expect(shown()).toBe('1001 a, 2 victim');
    },
  );

  test('a delete of an unknown row removes none and makes the lists stale', async () => {
    const { controller, resource, shown, isFresh } = await startIssues(optimistic);
    await controller.fetch(resource.getList);

    const deleting = controller.fetch(resource.delete, { number: 1001 });
    expect(shown()).toBe('1001 a, 1002 b, 2 victim');
    await deleting;

    expect(shown()).toBe('1001 a, 1002 b, 2 victim');
    expect(isFresh(resource.getList)).toBe(false);
  });

  test('fields that several rows have identify none of them', async () => {
    const { controller, resource, shown, isFresh } = await startIssues(optimistic);
    await controller.fetch(resource.getList);
    await controller.set(Issue, { id: 7, number: 2, title: 'other' });

    const deleting = controller.fetch(resource.delete, { number: 2 });
    expect(shown()).toBe('1001 a, 1002 b, 2 victim');
    await deleting;

    expect(isFresh(resource.getList)).toBe(false);
  });
});

test('a read by a field never shows the row whose key is that value', async () => {
  const { controller, resource } = await startIssues();
  await controller.fetch(resource.getList);

  expect(controller.getResponse(resource.get, { number: 2 }).data).toBeUndefined();
  expect(await controller.fetch(resource.get, { number: 2 })).toMatchObject({ id: 1002 });
});

test('all the fields among the parameters identify the row together', async () => {
  const { server, controller, send } = await start();
  const edit = new RestEndpoint({
    urlPrefix: server.url,
    path: '/:repo/issues/:number',
    method: 'PATCH',
    schema: Issue,
    body: {} as { title: string },
    optimistic: true,
  });
  const held = server.hold('PATCH', '/b/issues/2');
  await controller.set(Issue, { id: 1002, number: 2, repo: 'a', title: 'a' });
  await controller.set(Issue, { id: 1003, number: 2, repo: 'b', title: 'b' });

  const editing = send(edit, { repo: 'b', number: 2 }, { title: 'x' });

  expect(controller.get(Issue, { id: 1002 })?.title).toBe('a');
  expect(controller.get(Issue, { id: 1003 })?.title).toBe('x');
  (await held.next()).release({ status: 204 });
  await editing;
  expect(controller.get(Issue, { id: 1003 })).toMatchObject({ id: 1003, number: 2, title: 'x' });
});

test('fields that identify a row are its queue, as its key is', async () => {
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

test('a creation under a parent does not apply to the one row of the parent', async () => {
  const { server, controller, send } = await start();
  const create = new RestEndpoint({
    urlPrefix: server.url,
    path: '/:repo/issues',
    method: 'POST',
    schema: Issue,
    body: {} as { title: string },
  });
  server.on('POST', '/a/issues', { status: 201, body: { id: 1003, number: 3, repo: 'a', title: 'new' } });
  await controller.set(Issue, { id: 1001, number: 1, repo: 'a', title: 'a' });

  await send(create, { repo: 'a' }, { title: 'new' });

  expect(controller.get(Issue, { id: 1001 })?.title).toBe('a');
  expect(controller.get(Issue, { id: 1003 })?.title).toBe('new');
});
