// The order of issues in their column: ranks that pages compute, that the server checks, and that it gives to new issues.
import { generateKeyBetween } from 'fractional-indexing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueJson, IssueSummaryJson } from '../server/representation.ts';
import { PRIORITIES } from '../server/vocabulary.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

let demo: Demo;
beforeAll(async () => void (demo = await startDemo()));
afterAll(() => demo.close());

const create = (fields: object = {}): Promise<IssueJson> =>
  demo.json('POST', '/api/issues', { projectId: 'ANC', title: 'Given', ...fields });
const readColumn = async (query: string): Promise<IssueSummaryJson[]> =>
  (await demo.json<{ results: IssueSummaryJson[] }>('GET', `/api/issues?limit=500&${query}`)).results;
const idsOf = (issues: readonly IssueSummaryJson[]): string[] => issues.map((issue) => issue.id);

test('the seed ranks the most urgent issues first, and gives no rank twice', async () => {
  const issues = await readColumn('orderBy=rank');

  const positions = issues.map((issue) => PRIORITIES.indexOf(issue.priority));
  expect(positions).toEqual(positions.toSorted((left, right) => left - right));
  expect(new Set(issues.map((issue) => issue.rank)).size).toBe(300);
  expect(idsOf(await readColumn('orderBy=-rank'))).toEqual(idsOf(issues).toReversed());
});

test('a new issue without a rank is first in its column', async () => {
  const column = 'projectId=ANC&status=review&orderBy=rank';
  const ids = [await create({ status: 'review' }), await create({ status: 'review' })].map(({ id }) => id);

  expect(idsOf(await readColumn(column)).slice(0, 2)).toEqual(ids.toReversed());
});

test('a moved issue is placed by its rank, with a new version and no activity', async () => {
  const column = 'projectId=ANC&status=backlog&orderBy=rank';
  const moved = await create();
  const [, second, third] = await readColumn(column);
  const rank = generateKeyBetween(second!.rank, third!.rank);

  const answer = await demo.json<IssueJson>('PATCH', `/api/issues/${moved.id}`, { rank });

  expect(answer).toMatchObject({ rank, version: 2, activity: moved.activity });
  expect(idsOf(await readColumn(column)).slice(0, 3)).toEqual([second!.id, moved.id, third!.id]);
});

test('issues of equal rank are ordered by their ids as strings', async () => {
  const place = { status: 'backlog', rank: 'Zz' };
  for (const id of ['ANC-9', 'ANC-10']) await demo.request('PATCH', `/api/issues/${id}`, place);

  const ids = idsOf(await readColumn('projectId=ANC&status=backlog&orderBy=rank'));

  expect(ids.filter((id) => id === 'ANC-9' || id === 'ANC-10')).toEqual(['ANC-10', 'ANC-9']);
});

test('a replaced issue without a rank keeps its place', async () => {
  const { id, rank } = await create();

  const replaced = await demo.json<IssueJson>('PUT', `/api/issues/${id}`, { title: 'Replaced' });

  expect(replaced.rank).toBe(rank);
});

test('a rank that leaves no room for another rank beside it is refused', async () => {
  const { id } = await create();

  const response = await demo.request('PATCH', `/api/issues/${id}`, { rank: 'a10' });

  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    errors: [{ field: 'rank', message: 'is not a fractional index' }],
  });
});
