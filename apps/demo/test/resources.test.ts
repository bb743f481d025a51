// The resources of the page with the library and the real server, without a browser: after one change, every list and every
// entity that it concerns is right.
import { Controller, loadMore } from 'holdfast';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readIssueActivity } from '../web/src/resources/activity.ts';
import { bulkManagers } from '../web/src/resources/bulk.ts';
import { CommentResource } from '../web/src/resources/comment.ts';
import { Issue, IssueResource } from '../web/src/resources/issue.ts';
import { Project, ProjectResource } from '../web/src/resources/project.ts';
import { User, UserResource } from '../web/src/resources/user.ts';
import type { Status } from '../web/src/resources/vocabulary.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

let demo: Demo;
let controller: Controller;
let sent: string[];
let beforeSend: ((body: string) => Promise<void> | undefined) | undefined;
beforeAll(async () => void (demo = await startDemo()));
afterAll(() => demo.close());
beforeEach(() => {
  beforeSend = undefined;
  sent = [];
  controller = new Controller({
    managers: bulkManagers,
    fetch: async (input, init) => {
      sent.push(`${init?.method ?? 'GET'} ${String(input)}`);
      await beforeSend?.(String(init?.body));
      const headers = new Headers(init?.headers);
      headers.set('cookie', demo.cookie);
      return fetch(demo.url + String(input), { ...init, headers });
    },
  });
});

const columnOf = (status: Status): { projectId: string; status: Status; orderBy: string } => ({
  projectId: 'ANC',
  status,
  orderBy: 'priority',
});
const loadColumn = (status: Status): Promise<unknown> =>
  controller.fetch(IssueResource.getList, columnOf(status));
const idsIn = (status: Status): string[] =>
  controller.getResponse(IssueResource.getList, columnOf(status)).data?.results?.map((issue) => issue.id) ??
  [];
const create = (fields: object = {}): Promise<Issue> =>
  controller.fetch(IssueResource.getList.push, {
    projectId: 'ANC',
    status: 'doing',
    title: 'Given',
    ...fields,
  });

test('a page of issues is read as entities with dates and decimals', async () => {
  const { results, total, cursor } = await controller.fetch(IssueResource.getList, columnOf('todo'));

  expect(results[0]).toBeInstanceOf(Issue);
  expect(results[0]?.createdAt).toBeInstanceOf(Date);
  expect(total).toBe(results.length);
  expect(cursor).toBe('');
});

test('a created issue enters its column at once, and no other column', async () => {
  await Promise.all([loadColumn('doing'), loadColumn('review')]);
  const before = idsIn('doing').length;

  const promise = create();
  expect(idsIn('doing')).toHaveLength(before + 1);
  const issue = await promise;

  expect(idsIn('doing').filter((id) => id === issue.id)).toHaveLength(1);
  expect(idsIn('doing')).toHaveLength(before + 1);
  expect(idsIn('review')).not.toContain(issue.id);
});

test('a moved issue leaves one column and enters the other, before and after the response', async () => {
  const issue = await create();
  await Promise.all([loadColumn('doing'), loadColumn('review')]);
  expect(idsIn('doing')).toContain(issue.id);

  const promise = controller.fetch(IssueResource.partialUpdate, { id: issue.id }, { status: 'review' });
  expect([idsIn('doing').includes(issue.id), idsIn('review').includes(issue.id)]).toEqual([false, true]);
  await promise;

  expect([idsIn('doing').includes(issue.id), idsIn('review').includes(issue.id)]).toEqual([false, true]);
});

test('the response to a move contains the new counts of the project and the activity', async () => {
  await controller.fetch(ProjectResource.getList);
  const issue = await create();
  await controller.fetch(readIssueActivity, { issueId: issue.id });
  const before = controller.get(Project, { id: 'ANC' })!.counts['review'] ?? 0;

  await controller.fetch(IssueResource.partialUpdate, { id: issue.id }, { status: 'review' });

  expect(controller.get(Project, { id: 'ANC' })?.counts['review']).toBe(before + 1);
  const activity = controller.getResponse(readIssueActivity, { issueId: issue.id }).data;
  expect(activity?.[0]).toMatchObject({ field: 'status', before: 'doing', after: 'review' });
});

test('a deleted issue leaves every list', async () => {
  const issue = await create();
  await loadColumn('doing');

  const promise = controller.fetch(IssueResource.delete, { id: issue.id });
  expect(idsIn('doing')).not.toContain(issue.id);
  await promise;

  expect(idsIn('doing')).not.toContain(issue.id);
  expect(controller.get(Issue, { id: issue.id })).toBeUndefined();
});

test('changes and deletions of several rows are one request each, and the rows and counts are those of the server', async () => {
  const rows = [await create(), await create(), await create(), await create()];
  await Promise.all([loadColumn('doing'), loadColumn('done')]);
  sent.length = 0;
  const before = controller.get(Project, { id: 'ANC' })?.counts;

  const ids = rows.map(({ id }) => id);
  const missing = controller.fetch(IssueResource.partialUpdate, { id: 'ANC-0' }, { status: 'done' });
  await Promise.allSettled([
    missing,
    ...ids.slice(0, 2).map((id) => controller.fetch(IssueResource.partialUpdate, { id }, { status: 'done' })),
  ]);
  const shown = controller.get(Project, { id: 'ANC' })?.counts;
  await Promise.all(ids.slice(2).map((id) => controller.fetch(IssueResource.delete, { id })));

  expect(sent).toEqual(['POST /api/issues/bulk', 'POST /api/issues/bulk']);
  expect(shown?.['done']).toBe((before?.['done'] ?? 0) + 2);
  await expect(missing).rejects.toMatchObject({ status: 404 });
  expect(idsIn('doing')).not.toEqual(expect.arrayContaining(ids));
  expect(idsIn('done')).toEqual(expect.arrayContaining(ids.slice(0, 2)));
  expect(controller.get(Issue, { id: ids[2]! })).toBeUndefined();
});

test('the next page is appended to its list', async () => {
  const filter = { orderBy: 'title' };
  const first = await controller.fetch(IssueResource.getList, filter);

  await loadMore(controller, IssueResource.getList, filter);

  const { data } = controller.getResponse(IssueResource.getList, filter);
  expect(data?.results).toHaveLength(200);
  expect(data?.cursor).not.toBe(first.cursor);
  const titles = data?.results?.map((issue) => issue.title.toLowerCase()) ?? [];
  expect(titles).toEqual(titles.toSorted());
});

test('a comment enters its list and changes the comment count of its issue', async () => {
  const issue = await create();
  await controller.fetch(CommentResource.getList, { issueId: issue.id });

  await controller.fetch(CommentResource.getList.push, { issueId: issue.id }, { body: 'Hello' });

  const comments = controller.getResponse(CommentResource.getList, { issueId: issue.id }).data ?? [];
  expect(comments.map((comment) => [comment.body, comment.author?.name])).toEqual([
    ['Hello', 'Mira Castellan'],
  ]);
  expect(controller.get(Issue, { id: issue.id })?.commentCount).toBe(1);

  await controller.fetch(CommentResource.delete, { issueId: issue.id, id: comments[0]!.id });
  expect(controller.getResponse(CommentResource.getList, { issueId: issue.id }).data).toEqual([]);
});

test('a renamed person has the new name wherever they appear', async () => {
  const people = await controller.fetch(UserResource.getList);
  expect(people.map(({ name }) => name)).toContain('Mira Castellan');

  await controller.fetch(UserResource.partialUpdate, { id: 'mira' }, { name: 'Mira C.' });

  expect(controller.get(User, { id: 'mira' })?.name).toBe('Mira C.');
  expect(controller.getResponse(UserResource.getList).data?.map(({ name }) => name)).toContain('Mira C.');
});

test('a refused change is rolled back, and its error names the wrong field', async () => {
  const issue = await create({ estimate: '2.50' });
  expect(issue.estimate?.toString()).toBe('2.5');

  const promise = controller.fetch(IssueResource.partialUpdate, { id: issue.id }, { estimate: '1e9' });
  await expect(promise).rejects.toMatchObject({ problem: { errors: [{ field: 'estimate' }] } });

  expect(controller.get(Issue, { id: issue.id })?.estimate?.toString()).toBe('2.5');
});

test('of two concurrent changes of one issue the server gets the later one last, however slow the first one is', async () => {
  const issue = await create();
  const { promise, resolve } = withResolvers();
  beforeSend = (body) => (body.includes('Sent first') ? promise : undefined);

  const first = controller.fetch(IssueResource.partialUpdate, { id: issue.id }, { title: 'Sent first' });
  const second = controller.fetch(IssueResource.partialUpdate, { id: issue.id }, { title: 'Sent second' });
  expect(controller.get(Issue, { id: issue.id })?.title).toBe('Sent second');
  resolve();
  await Promise.all([first, second]);

  expect(controller.get(Issue, { id: issue.id })?.title).toBe('Sent second');
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => void (resolve = done));
  return { promise, resolve };
}
