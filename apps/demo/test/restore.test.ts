// A deleted issue is removed everywhere, and restored unchanged.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityJson, CommentJson, IssueJson, IssueSummaryJson } from '../server/representation.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

let demo: Demo;
beforeAll(async () => void (demo = await startDemo()));
afterAll(() => demo.close());

const create = (fields: object = {}): Promise<IssueJson> =>
  demo.json('POST', '/api/issues', { projectId: 'ANC', title: 'Given', ...fields });
const readColumn = async (): Promise<IssueSummaryJson[]> => {
  const path = '/api/issues?projectId=ANC&status=doing&orderBy=rank&limit=500';
  return (await demo.json<{ results: IssueSummaryJson[] }>('GET', path)).results;
};

test('a restored issue returns to its place with its fields, comments, activity and counts', async () => {
  const { id } = await create({ status: 'doing', estimate: '2.50', labels: ['docs'], assigneeId: 'ines' });
  await create({ status: 'doing' });
  await demo.request('POST', `/api/issues/${id}/comments`, { body: 'Kept' });
  const before = await demo.json<IssueJson>('GET', `/api/issues/${id}`);
  const comments = await demo.json<CommentJson[]>('GET', `/api/issues/${id}/comments`);
  const place = (await readColumn()).findIndex((issue) => issue.id === id);

  await demo.request('DELETE', `/api/issues/${id}`);
  expect((await readColumn()).map((issue) => issue.id)).not.toContain(id);
  const answer = await demo.json<IssueJson>('POST', `/api/issues/${id}/restore`);

  const { activity, ...fields } = before;
  expect(answer).toMatchObject({ ...fields, version: before.version + 1 });
  expect(answer.activity.map((entry) => entry.kind).slice(0, 2)).toEqual(['restored', 'deleted']);
  expect(answer.activity.slice(2)).toEqual(activity);
  expect(await demo.json<ActivityJson[]>('GET', `/api/issues/${id}/activity`)).toEqual(answer.activity);
  expect(await demo.json('GET', `/api/issues/${id}/comments`)).toEqual(comments);
  expect((await readColumn())[place]?.id).toBe(id);
});

test('an issue can be deleted and restored repeatedly', async () => {
  const { id } = await create();
  await demo.request('POST', `/api/issues/${id}/comments`, { body: 'Kept' });

  for (let round = 0; round < 3; round++) {
    expect((await demo.request('DELETE', `/api/issues/${id}`)).status).toBe(200);
    expect((await demo.request('POST', `/api/issues/${id}/restore`)).status).toBe(200);
  }

  expect(await demo.json('GET', `/api/issues/${id}`)).toMatchObject({ version: 5, commentCount: 1 });
});

test('an issue that exists, and one that never existed, cannot be restored', async () => {
  const { id } = await create();

  expect((await demo.request('POST', `/api/issues/${id}/restore`)).status).toBe(409);
  expect((await demo.request('POST', '/api/issues/ANC-0/restore')).status).toBe(404);
});

test('a restoration that is repeated with its key is done once and has the same response', async () => {
  const { id } = await create();
  await demo.request('DELETE', `/api/issues/${id}`);
  const key = { 'idempotency-key': 'restore-once' };

  const first = await demo.json<IssueJson>('POST', `/api/issues/${id}/restore`, undefined, key);
  const second = await demo.json<IssueJson>('POST', `/api/issues/${id}/restore`, undefined, key);

  expect(second).toEqual(first);
});

test('the number of a deleted issue is not reused while the issue can be restored', async () => {
  const { id } = await create();
  await demo.request('DELETE', `/api/issues/${id}`);
  const other = await create();

  await demo.request('POST', `/api/issues/${id}/restore`);

  expect(other.id).not.toBe(id);
  expect((await demo.request('GET', `/api/issues/${other.id}`)).status).toBe(200);
});
