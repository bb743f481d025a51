// Many issues in one request: each row succeeds or fails separately, and the response contains every row.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueJson, IssueSummaryJson, ProjectJson } from '../server/representation.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface BulkResult {
  updated: IssueSummaryJson[];
  deleted: { id: string }[];
  failed: { id: string; status: number; message: string }[];
  projects: ProjectJson[];
}

let demo: Demo;
beforeAll(async () => void (demo = await startDemo()));
afterAll(() => demo.close());

const create = (fields: object = {}): Promise<IssueJson> =>
  demo.json('POST', '/api/issues', { projectId: 'ANC', title: 'Given', ...fields });
const bulk = (body: object, headers?: Record<string, string>): Promise<BulkResult> =>
  demo.json('POST', '/api/issues/bulk', body, headers);

test('a bulk request changes its valid rows and refuses its invalid ones', async () => {
  const [changed, invalid, unassigned, deleted] = await Promise.all([create(), create(), create(), create()]);

  const answer = await bulk({
    update: [
      { id: changed.id, title: 'Changed', rank: 'a5' },
      { id: invalid.id, dueDate: 'tomorrow', estimate: 3 },
      { id: unassigned.id, assigneeId: 'nobody' },
      { id: 'ANC-0', title: 'Changed' },
    ],
    delete: [deleted.id, 'ANC-00'],
  });

  expect(answer.updated).toMatchObject([{ id: changed.id, title: 'Changed', rank: 'a5', version: 2 }]);
  expect(answer.deleted).toEqual([{ id: deleted.id }]);
  expect(answer.failed).toEqual([
    {
      id: invalid.id,
      status: 422,
      message: expect.stringMatching(/^dueDate must be a day like .*, estimate /) as unknown,
    },
    { id: unassigned.id, status: 422, message: 'assigneeId names no user' },
    { id: 'ANC-0', status: 404, message: 'There is no issue ANC-0.' },
    { id: 'ANC-00', status: 404, message: 'There is no issue ANC-00.' },
  ]);
  expect(answer.projects).toEqual([await demo.json('GET', '/api/projects/ANC')]);
  expect(await demo.json('GET', `/api/issues/${invalid.id}`)).toMatchObject({ version: 1, dueDate: null });
  expect((await demo.request('GET', `/api/issues/${deleted.id}`)).status).toBe(404);
});

test('a bulk request whose rows all fail changes nothing and reports it', async () => {
  const answer = await bulk({ delete: ['ANC-0'] });

  expect(answer).toEqual({
    updated: [],
    deleted: [],
    failed: [{ id: 'ANC-0', status: 404, message: 'There is no issue ANC-0.' }],
    projects: [],
  });
});

test('a row that was deleted in bulk can be restored', async () => {
  const { id } = await create();
  await bulk({ delete: [id] });

  expect((await demo.request('POST', `/api/issues/${id}/restore`)).status).toBe(200);
});

test('refuse=2 refuses every second row, updates first, and leaves it as it was', async () => {
  const ids = (await Promise.all([create(), create(), create(), create()])).map((issue) => issue.id);
  const [first, second, third, fourth] = ids;

  const answer = await bulk(
    { update: [first, second, third].map((id) => ({ id, priority: 'low' })), delete: [fourth] },
    { 'demo-network': 'refuse=2' },
  );

  expect(answer.updated.map((issue) => issue.id)).toEqual([first, third]);
  expect(answer.deleted).toEqual([]);
  expect(answer.failed).toEqual(
    [second, fourth].map((id) => ({ id, status: 409, message: 'Somebody else has locked it.' })),
  );
  expect(await demo.json('GET', `/api/issues/${second}`)).toMatchObject({ priority: 'none', version: 1 });
  expect((await demo.request('GET', `/api/issues/${fourth}`)).status).toBe(200);
});

test('a bulk change that is repeated with its idempotency key is done once and has the same response', async () => {
  const [changed, deleted] = [await create(), await create()];
  const body = { update: [{ id: changed.id, title: 'Once' }], delete: [deleted.id, 'ANC-0'] };
  const key = { 'idempotency-key': 'bulk-once' };

  const first = await bulk(body, key);
  const second = await bulk(body, key);

  expect(first.deleted).toEqual([{ id: deleted.id }]);
  expect(second).toEqual(first);
});
