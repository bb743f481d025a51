import { inPages, loadMore, loadPrevious, RestEndpoint, schema, totalOf } from 'holdfast';
import type { Inspector } from 'holdfast/inspect';
import { expect, test } from 'vitest';
import { createInspected, settle } from './held-network.ts';
import { Todo, TodoResource } from './parts.ts';

const todos = new schema.Collection([Todo]);
const getPages = new RestEndpoint({
  urlPrefix: 'http://held.test',
  path: '/pages',
  searchParams: {} as { userId?: string },
  schema: { results: todos, total: totalOf(todos), next: '', previous: '' },
  paginationField: 'cursor',
  pages: inPages({ next: 'next', previous: 'previous' }),
});

function listOf(inspector: Inspector): Inspector.ExplainedList {
  const answer = inspector.explain(getPages, { userId: '1' });
  if (answer.found !== 'answer' || !answer.collections[0]) throw new Error(JSON.stringify(answer));
  return answer.collections[0];
}

test('a list in pages contains at which ends there is more, how many rows, and the response of each page', async () => {
  const { controller, network, inspector } = createInspected();
  const row = (id: string) => ({ id, title: id, userId: '1' });
  const read = controller.fetch(getPages, { userId: '1' });
  await network.answer('GET /pages?userId=1', { results: [row('3')], total: 5, next: 'n', previous: 'p' });
  await read;
  expect(listOf(inspector)).toMatchObject({ more: 'at-both-ends', rest: 4 });

  const before = loadPrevious(controller, getPages, { userId: '1' });
  await settle();
  await network.answer(network.waiting[0]!, { results: [row('2')], total: 5, previous: 'q' });
  await before;
  const after = loadMore(controller, getPages, { userId: '1' });
  await settle();
  await network.answer(network.waiting[0]!, { results: [row('4')], total: 5 });
  await after;

  const [first, second, third] = inspector.requests();
  expect([second?.cause, third?.cause]).toEqual(['page', 'page']);
  expect(listOf(inspector)).toMatchObject({
    more: 'at-the-start',
    rest: 2,
    pages: [second?.id, first?.id, third?.id],
    items: [
      { pk: '2', how: 'answered', by: second?.id },
      { pk: '3', how: 'answered', by: first?.id },
      { pk: '4', how: 'answered', by: third?.id },
    ],
  });

  const removal = controller.fetch(TodoResource.delete, { id: '3' });
  await settle();
  await network.answer('DELETE /todos/3');
  await removal;
  expect(listOf(inspector)).toMatchObject({ rest: 2, gone: [{ pk: '3', how: 'deleted' }] });
});

test('a list without a page rule and without a total has an unknown end and an unknown rest', async () => {
  const { controller, network, inspector } = createInspected();
  const read = controller.fetch(TodoResource.getList, { userId: '1' });
  await network.answer('GET /todos?userId=1', [{ id: '1', userId: '1' }]);
  await read;

  const answer = inspector.explain(TodoResource.getList, { userId: '1' });
  expect(answer).toMatchObject({ collections: [{ more: 'unknown', rest: undefined }] });
});

test('a reader that waits for the first page before it is mounted is listed as the one that requested it', async () => {
  const { controller, network, inspector } = createInspected();
  const observer = controller.watch(getPages, { userId: '1' });
  void observer.ensurePromise();
  await network.answer('GET /pages?userId=1', { results: [], total: 0 });
  const stop = observer.subscribe(() => undefined);
  stop();

  expect(inspector.requests()).toMatchObject([{ cause: 'mount', reasons: [{ rule: 'never-fetched' }] }]);
});
