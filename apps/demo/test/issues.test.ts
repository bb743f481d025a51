// The behaviour of the issue routes beyond the shape of their payloads.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProblemDocument } from '../server/problem.ts';
import type { IssueJson, IssueSummaryJson } from '../server/representation.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface IssuePage {
  results: IssueSummaryJson[];
  total: number;
  cursor: string;
}

let demo: Demo;
beforeAll(async () => void (demo = await startDemo()));
afterAll(() => demo.close());

const json: Demo['json'] = (...given) => demo.json(...given);
const create = (fields: object = {}): Promise<IssueJson> =>
  json('POST', '/api/issues', { projectId: 'ANC', title: 'Given', ...fields });

async function readAllPages(query: string): Promise<IssueSummaryJson[]> {
  const all: IssueSummaryJson[] = [];
  let cursor = '';
  do {
    const page = await json<IssuePage>(
      'GET',
      `/api/issues?${query}&limit=37${cursor && `&cursor=${cursor}`}`,
    );
    all.push(...page.results);
    cursor = page.cursor;
  } while (cursor);
  return all;
}

test.each([
  'id',
  'title',
  'status',
  'priority',
  'assigneeId',
  'dueDate',
  'estimate',
  'rank',
  'createdAt',
  'updatedAt',
])('pages by cursor cover the list once, in both directions, ordered by %s', async (name) => {
  const { results: whole, total } = await json<IssuePage>('GET', `/api/issues?limit=500&orderBy=${name}`);
  const upwards = await readAllPages(`orderBy=${name}`);
  const downwards = await readAllPages(`orderBy=-${name}`);

  expect(total).toBe(whole.length);
  expect(upwards.map((issue) => issue.id)).toEqual(whole.map((issue) => issue.id));
  expect(downwards.map((issue) => issue.id)).toEqual(whole.map((issue) => issue.id).toReversed());
});

test('a row that is created before a cursor causes neither a repeated nor a hidden row', async () => {
  const first = await json<IssuePage>('GET', '/api/issues?projectId=CMP&limit=10');
  const expected = await json<IssuePage>('GET', '/api/issues?projectId=CMP&limit=10&offset=10');

  await create({ projectId: 'CMP' });
  const second = await json<IssuePage>('GET', `/api/issues?projectId=CMP&limit=10&cursor=${first.cursor}`);

  expect(second.results.map((issue) => issue.id)).toEqual(expected.results.map((issue) => issue.id));
});

test('windows of a list cover it once, wherever they start, and the last one is short', async () => {
  const query = 'status=done&orderBy=title';
  const whole = await json<IssuePage>('GET', `/api/issues?${query}&limit=500`);

  const ids: string[] = [];
  for (let offset = 0; offset < whole.total; offset += 40) {
    const page = await json<IssuePage>('GET', `/api/issues?${query}&offset=${offset}&limit=40`);
    expect([page.total, page.results.length]).toEqual([whole.total, Math.min(40, whole.total - offset)]);
    ids.push(...page.results.map((issue) => issue.id));
  }
  const beyond = await json<IssuePage>('GET', `/api/issues?${query}&offset=${whole.total}&limit=40`);

  expect(whole.total).toBeGreaterThan(80);
  expect(ids).toEqual(whole.results.map((issue) => issue.id));
  expect(beyond).toEqual({ results: [], total: whole.total, cursor: '' });
});

test('the cursor of a window continues at the end of the window', async () => {
  const window = await json<IssuePage>('GET', '/api/issues?orderBy=rank&offset=30&limit=10');
  const next = await json<IssuePage>('GET', `/api/issues?orderBy=rank&limit=10&cursor=${window.cursor}`);

  const expected = await json<IssuePage>('GET', '/api/issues?orderBy=rank&offset=40&limit=10');
  expect(next.results).toEqual(expected.results);
});

test('offset paging links to first, previous, next and last', async () => {
  const response = await demo.request('GET', '/api/issues?status=done&limit=20&offset=20');
  const { total } = (await response.json()) as IssuePage;

  const links = response.headers.get('link') ?? '';
  const last = (Math.ceil(total / 20) - 1) * 20;
  expect(links).toBe(
    ['first', 'prev', 'next', 'last']
      .map(
        (rel, index) => `</api/issues?status=done&limit=20&offset=${[0, 0, 40, last][index]}>; rel="${rel}"`,
      )
      .join(', '),
  );
  const next = (await json('GET', '/api/issues?status=done&limit=20&offset=40')) as IssuePage;
  expect(next.total).toBe(total);
});

test('the Link header of a cursor page leads to the next page', async () => {
  const response = await demo.request('GET', '/api/issues?limit=5&q=the');
  const { cursor } = (await response.json()) as IssuePage;

  const target = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  expect(target).toContain(`cursor=${cursor}`);
  expect((await demo.request('GET', target)).status).toBe(200);
});

test('filters combine, and search words match id and title', async () => {
  const given = await create({
    title: 'A 100% unusual_title',
    status: 'review',
    labels: ['security', 'docs'],
    priority: 'urgent',
    assigneeId: 'ines',
    dueDate: '2020-01-01',
  });

  const all = 'projectId=ANC&status=review&priority=urgent&assigneeId=ines&label=docs&dueBefore=2020-01-02';
  for (const query of [all, 'q=unusual_title', 'q=100%25', `q=${given.id}%20unusual`]) {
    const { results } = await json<IssuePage>('GET', `/api/issues?${query}`);
    expect({ query, ids: results.map((issue) => issue.id) }).toEqual({ query, ids: [given.id] });
  }
  for (const query of ['q=unusual%25', 'label=bug&q=unusual_title', 'dueBefore=2020-01-01&q=unusual_title']) {
    const { results } = await json<IssuePage>('GET', `/api/issues?${query}`);
    expect({ query, results }).toEqual({ query, results: [] });
  }
});

test('a search sends a few fields of each issue that has the words, the last changed first', async () => {
  const first = await create({ title: 'A sought_for title', labels: ['docs'] });
  const second = await create({ title: 'Another sought_for title', description: 'Not in a hit.' });

  const hits = await json<object[]>('GET', '/api/search?q=sought_for');

  const { projectId, status, priority, assigneeId, version } = first;
  const shared = { projectId, status, priority, assigneeId, version };
  expect(hits).toEqual([
    { id: second.id, title: second.title, labels: [], ...shared },
    { id: first.id, title: first.title, labels: ['docs'], ...shared },
  ]);
  expect(await json<object[]>('GET', '/api/search?q=sought_for&limit=1')).toHaveLength(1);
});

test.each([
  [{ title: '   ' }, 'title'],
  [{ title: 'x', status: 'started' }, 'status'],
  [{ title: 'x', estimate: 2.5 }, 'estimate'],
  [{ title: 'x', estimate: '1e3' }, 'estimate'],
  [{ title: 'x', labels: ['bug', 'odd'] }, 'labels.1'],
  [{ title: 'x', dueDate: '2026-02-30' }, 'dueDate'],
  [{ title: 'x', assigneeId: 'nobody' }, 'assigneeId'],
  [{ title: 'x', projectId: 'NOPE' }, 'projectId'],
  [{ title: 'x', rank: 'not a rank' }, 'rank'],
  [{ title: 'x', rank: 'a10' }, 'rank'],
  [{ title: 'x', colour: 'red' }, 'colour'],
  [{}, 'title'],
])('a create with %j is refused, and the error names %s', async (fields, field) => {
  const response = await demo.request('POST', '/api/issues', { projectId: 'ANC', ...fields });
  const problem = (await response.json()) as ProblemDocument;

  expect(response.status).toBe(422);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(problem.errors?.map((error) => error.field)).toEqual([field]);
});

test('PATCH merges fields, null clears a field, PUT replaces the row', async () => {
  const { id } = await create({
    description: 'Kept',
    priority: 'high',
    dueDate: '2026-12-24',
    estimate: '0.10',
  });

  const patched = await json<IssueJson>('PATCH', `/api/issues/${id}`, { dueDate: null, title: '  Trimmed ' });
  expect(patched).toMatchObject({
    title: 'Trimmed',
    description: 'Kept',
    priority: 'high',
    dueDate: null,
    estimate: '0.10',
  });

  const replaced = await json<IssueJson>('PUT', `/api/issues/${id}`, { title: 'Only this' });
  expect(replaced).toMatchObject({ title: 'Only this', description: '', priority: 'none', estimate: null });
  expect(replaced.version).toBe(3);
});

test('a patch that changes nothing keeps version, tag and activity', async () => {
  const { id } = await create();
  const before = await demo.request('GET', `/api/issues/${id}`);

  await demo.request('PATCH', `/api/issues/${id}`, { title: 'Given', labels: [] });
  const after = await demo.request('GET', `/api/issues/${id}`);

  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
});

test('If-Match accepts the first of two writers and refuses the second', async () => {
  const { id } = await create();
  const etag = (await demo.request('GET', `/api/issues/${id}`)).headers.get('etag') ?? '';

  const first = await demo.request('PATCH', `/api/issues/${id}`, { title: 'First' }, { 'if-match': etag });
  const second = await demo.request('PATCH', `/api/issues/${id}`, { title: 'Second' }, { 'if-match': etag });

  expect([first.status, second.status]).toEqual([200, 412]);
  expect((await json<IssueJson>('GET', `/api/issues/${id}`)).title).toBe('First');
});

test('the response to a write contains the project counts and the activity that it caused', async () => {
  const before = await create({ status: 'todo' });

  const after = await json<IssueJson>('PATCH', `/api/issues/${before.id}`, { status: 'doing' });

  expect(after.project.counts.doing).toBe(before.project.counts.doing + 1);
  expect(after.project.counts.todo).toBe(before.project.counts.todo - 1);
  expect(after.activity[0]).toMatchObject({
    kind: 'changed',
    field: 'status',
    before: 'todo',
    after: 'doing',
    actor: { id: 'mira' },
  });
});

test('deleting an issue deletes its comments, and its id is never used again', async () => {
  const { id } = await create();
  await demo.request('POST', `/api/issues/${id}/comments`, { body: 'Soon gone' });

  await demo.request('DELETE', `/api/issues/${id}`);
  const next = await create();

  expect((await demo.request('GET', `/api/issues/${id}/comments`)).status).toBe(404);
  expect(next.id).not.toBe(id);
});

test('the comment count of an issue follows its comments', async () => {
  const { id } = await create();

  const comment = await json<{ id: string; issue: IssueSummaryJson }>('POST', `/api/issues/${id}/comments`, {
    body: 'One',
  });
  expect(comment.issue.commentCount).toBe(1);

  const deleted = await json<{ issue: IssueSummaryJson }>(
    'DELETE',
    `/api/issues/${id}/comments/${comment.id}`,
  );
  expect(deleted.issue.commentCount).toBe(0);
});

test('a creation that is repeated with its key creates nothing more, for comments too', async () => {
  const key = { 'idempotency-key': 'once' };
  const body = { projectId: 'ANC', title: 'Only one' };

  const first = await json<IssueJson>('POST', '/api/issues', body, key);
  const second = await json<IssueJson>('POST', '/api/issues', body, key);
  const other = await json<IssueJson>('POST', '/api/issues', body, { 'idempotency-key': 'twice' });

  expect(second.id).toBe(first.id);
  expect(other.id).not.toBe(first.id);
  const comment = { 'idempotency-key': 'comment' };
  const path = `/api/issues/${first.id}/comments`;
  const ids = [
    await json<{ id: string }>('POST', path, { body: 'x' }, comment),
    await json<{ id: string }>('POST', path, { body: 'x' }, comment),
  ];
  expect(ids[0]?.id).toBe(ids[1]?.id);
});

test('an idempotency key that was used for another request is refused', async () => {
  const key = { 'idempotency-key': 'taken' };
  const { id } = await json<IssueJson>('POST', '/api/issues', { projectId: 'ANC', title: 'First' }, key);

  const response = await demo.request('POST', `/api/issues/${id}/comments`, { body: 'x' }, key);

  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ field: 'Idempotency-Key' }] });
});
