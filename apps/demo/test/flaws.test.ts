// Broken rows on demand: the data of an API that violates its own description.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCheck } from '../server/validate.ts';
import { startDemo } from './support.ts';
import type { Demo } from './support.ts';

interface IssuePage {
  results: { id: string; status: unknown; title: unknown; dueDate: unknown }[];
  total: number;
}

let demo: Demo;
beforeAll(async () => void (demo = await startDemo()));
afterAll(() => demo.close());

const findFaults = createCheck('IssueSummary');
const readList = (query: string, network?: string): Promise<IssuePage> =>
  demo.json('GET', `/api/issues?limit=500&${query}`, undefined, network ? { 'demo-network': network } : {});
const brokenOf = ({ results }: IssuePage): IssuePage['results'] =>
  results.filter((issue) => findFaults(issue).length > 0);

test('broken=3 breaks three rows of all issues, each in its own way, and no other row', async () => {
  const [right, wrong] = [await readList(''), await readList('', 'broken=3')];

  const broken = brokenOf(wrong);
  expect(brokenOf(right)).toEqual([]);
  expect(broken.flatMap((issue) => findFaults(issue).map(({ field }) => field)).toSorted()).toEqual([
    'dueDate',
    'status',
    'title',
  ]);
  expect(broken.find((issue) => issue.status === 'on hold')).toBeDefined();
  expect(broken.find((issue) => issue.title === null)).toBeDefined();
  expect(broken.find((issue) => issue.dueDate === 20_261_117)).toBeDefined();
  expect([wrong.total, wrong.results.length]).toEqual([right.total, right.results.length]);
});

test('the same rows are broken in every list, whatever happens to the rows', async () => {
  const ids = brokenOf(await readList('', 'broken=3')).map((issue) => issue.id);

  for (const id of ids) await demo.request('PATCH', `/api/issues/${id}`, { priority: 'urgent', rank: 'zz' });
  await demo.request('DELETE', `/api/issues/${ids[0]}`);
  await demo.request('POST', `/api/issues/${ids[0]}/restore`);
  const column = await readList('projectId=LTH&status=todo&orderBy=-rank', 'broken=3; delay=0..1');

  expect(
    brokenOf(column)
      .map((issue) => issue.id)
      .toSorted(),
  ).toEqual(ids.toSorted());
  expect(brokenOf(await readList('', 'broken=1'))).toHaveLength(1);
});

test('the stored issue is right: only lists contain broken rows', async () => {
  const network = { 'demo-network': 'broken=3' };
  for (const { id } of brokenOf(await readList('', 'broken=3'))) {
    const issue = await demo.json<object>('GET', `/api/issues/${id}`, undefined, network);
    expect(issue).toMatchObject({ status: 'todo', title: expect.any(String) as unknown });
  }
});

test('lists with and without broken rows have different tags', async () => {
  const right = await demo.request('GET', '/api/issues?limit=500');
  const etag = right.headers.get('etag') ?? '';

  const headers = { 'if-none-match': etag, 'demo-network': 'broken=3' };
  expect((await demo.request('GET', '/api/issues?limit=500', undefined, headers)).status).toBe(200);
});
