// The table "Which statuses, tags and methods" of docs/conflicts.md is the test.
import { readFileSync } from 'node:fs';
import { ConflictError } from 'holdfast/http';
import { expect, test } from 'vitest';
import type { RecordedRequest, Reply } from '../support/server.ts';
import { openDocs } from './docs-app.ts';

const page = readFileSync(new URL('../../../../docs/conflicts.md', import.meta.url), 'utf8');
const cases = page
  .slice(page.indexOf('| status of the server |'))
  .split('\n\n', 1)[0]!
  .split('\n')
  .slice(2)
  .map(
    (line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()) as [string, string, string, string, string],
  ); // cast: five columns

test('the table has every status, tag and method', () => {
  expect(cases.length).toBeGreaterThan(10);
  for (const [at, words] of [
    ['412', '409', '428', 'none'],
    ['strong', 'weak', 'none'],
    ['PATCH', 'PUT', 'DELETE'],
  ].entries())
    for (const word of words) expect(cases.map((each) => each[at])).toContain(word);
});

test.each(cases)('status %s, tag %s, %s: %s saves %s', async (status, tag, method, requests, saved) => {
  const app = await openDocs();
  const { controller, Docs, rows, server, lines, version } = app;
  const tagOf = (): Readonly<Record<string, string>> =>
    tag === 'none' ? {} : { etag: `${tag === 'weak' ? 'W/' : ''}"${version('1')}"` };
  let isMoved = false;
  server.on('GET', '/docs/1', () => ({ body: rows.get('1'), headers: tagOf() }));
  server.on(method, '/docs/1', ({ headers, body }: RecordedRequest): Reply => {
    const match = headers['if-match'];
    const isStale = match === undefined ? isMoved : match !== tagOf()['etag'];
    if (status === '428' ? match === undefined : status !== 'none' && isStale) {
      isMoved = false;
      return { status: Number(status) };
    }
    if (method === 'DELETE') rows.delete('1');
    else rows.set('1', { ...(method === 'PATCH' && rows.get('1')), ...(body as object) });
    return method === 'DELETE' ? { status: 204 } : { body: rows.get('1'), headers: tagOf() };
  });
  // 428 asks a client that has no tag
  const { results } = { results: await controller.fetch(Docs.getList) };
  const row = status === '428' ? results[0]! : await controller.fetch(Docs.get, { id: '1' });
  app.other({ title: 'theirs' });
  isMoved = true;
  const before = lines().length;
  const { id, title, votes, tags } = row;
  const body = method === 'PUT' ? { id, title, text: 'mine', votes, tags } : { text: 'mine' };

  const call =
    method === 'DELETE'
      ? controller.fetch(Docs.delete, { id: '1' })
      : controller.fetch(method === 'PUT' ? Docs.update : Docs.partialUpdate, { id: '1' }, body);
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

  expect(
    lines()
      .slice(before)
      .map((line) => line.split(' ')[0])
      .join(', '),
  ).toBe(requests);
  const now = rows.get('1');
  const found =
    error instanceof ConflictError
      ? 'a conflict'
      : !now || now['title'] !== 'theirs'
        ? 'mine'
        : now['text'] === 'mine'
          ? 'both'
          : 'theirs';
  expect(found).toBe(saved);
  expect(error === undefined || error instanceof ConflictError).toBe(true);
});
