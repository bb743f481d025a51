// The server follows its OpenAPI document: every operation is called, every promised status is provoked, and each response is
// validated.
import { validate } from '@readme/openapi-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { document } from '../server/openapi/document.ts';
import { Conformity } from './conformity.ts';
import { readCookies, startDemo } from './support.ts';
import type { Demo } from './support.ts';

let demo: Demo;
const conformity = new Conformity();

beforeAll(async () => void (demo = await startDemo()));
afterAll(() => demo.close());

async function call(
  status: number,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<{ value: unknown; response: Response }> {
  const response = await demo.request(method, path, body, headers);
  const value = await conformity.check(method, path, response);
  expect(response.status, `${method} ${path}: ${JSON.stringify(value)}`).toBe(status);
  return { value, response };
}

const SIGNED_OUT = { cookie: 'x=y' };
const TEXT = { 'content-type': 'text/plain' };

/** Reads, reads again with the tag, expects 304. */
async function readTwice(path: string): Promise<void> {
  const { response } = await call(200, 'GET', path);
  await call(304, 'GET', path, undefined, { 'if-none-match': response.headers.get('etag') ?? '' });
}

async function refuseBadBodies(method: string, path: string, wrong: unknown): Promise<void> {
  await call(400, method, path, '{"broken');
  await call(415, method, path, '{}', TEXT);
  const { value } = await call(422, method, path, wrong);
  expect(value).toHaveProperty('errors.0.field');
}

test('the document is a valid OpenAPI 3.1 document', async () => {
  const result = await validate(structuredClone(document) as unknown as Parameters<typeof validate>[0]);

  expect(result).toMatchObject({ valid: true });
});

test('the server serves its OpenAPI document', async () => {
  expect(await (await demo.request('GET', '/api/openapi.json')).json()).toEqual(document);
});

test('every status that the document promises for an operation occurs and conforms', async () => {
  await call(200, 'GET', '/api/session');
  const { response: session } = await call(200, 'PUT', '/api/session', { userId: 'teo' }, SIGNED_OUT);
  await refuseBadBodies('PUT', '/api/session', { userId: 'nobody' });
  const teo = { cookie: readCookies(session) };
  await call(200, 'GET', '/api/session/log', undefined, teo);
  await call(200, 'POST', '/api/session/refresh', undefined, teo);
  await call(401, 'POST', '/api/session/refresh', undefined, teo);
  await call(204, 'DELETE', '/api/session', undefined, teo);

  for (const path of ['/api/users/mira', '/api/projects/LTH']) {
    await readTwice(path);
    await readTwice(path.slice(0, path.lastIndexOf('/')));
    await call(404, 'GET', `${path}x`);
    await call(200, 'PATCH', path, { name: 'Renamed' });
    await call(404, 'PATCH', `${path}x`, { name: 'Renamed' });
    await call(401, 'PATCH', path, { name: 'Renamed' }, SIGNED_OUT);
    await refuseBadBodies('PATCH', path, { name: '  ' });
  }

  await readTwice('/api/issues?projectId=LTH&orderBy=-dueDate&limit=7');
  await call(422, 'GET', '/api/issues?limit=0');
  await readTwice('/api/search?q=the&limit=7');
  await call(422, 'GET', '/api/search?limit=0');
  const { value: created } = await call(201, 'POST', '/api/issues', { projectId: 'LTH', title: 'New' });
  await call(401, 'POST', '/api/issues', { projectId: 'LTH', title: 'New' }, SIGNED_OUT);
  await refuseBadBodies('POST', '/api/issues', { projectId: 'LTH' });

  const issue = `/api/issues/${(created as { id: string }).id}`;
  await readTwice(issue);
  await call(404, 'GET', '/api/issues/LTH-0');
  for (const method of ['PUT', 'PATCH']) {
    await call(200, method, issue, { title: `By ${method}`, estimate: '2.50' });
    await call(401, method, issue, { title: 'x' }, SIGNED_OUT);
    await call(404, method, '/api/issues/LTH-0', { title: 'x' });
    await call(412, method, issue, { title: 'x' }, { 'if-match': '"other"' });
    await refuseBadBodies(method, issue, { title: 'x', dueDate: 'tomorrow' });
  }

  await call(200, 'POST', '/api/issues/bulk', {
    update: [
      { id: 'LTH-1', status: 'done' },
      { id: 'LTH-3', status: 'gone' },
    ],
    delete: ['LTH-2', 'LTH-0'],
  });
  await call(401, 'POST', '/api/issues/bulk', { delete: ['LTH-3'] }, SIGNED_OUT);
  await refuseBadBodies('POST', '/api/issues/bulk', {});

  await readTwice(`${issue}/comments`);
  await call(404, 'GET', '/api/issues/LTH-0/comments');
  const { value: comment } = await call(201, 'POST', `${issue}/comments`, { body: 'Hello' });
  await call(401, 'POST', `${issue}/comments`, { body: 'Hello' }, SIGNED_OUT);
  await call(404, 'POST', '/api/issues/LTH-0/comments', { body: 'Hello' });
  await refuseBadBodies('POST', `${issue}/comments`, { body: '' });
  const commentPath = `${issue}/comments/${(comment as { id: string }).id}`;
  await readTwice(commentPath);
  await call(404, 'GET', `${issue}/comments/999999`);
  await call(200, 'PATCH', commentPath, { body: 'Edited' });
  await call(401, 'PATCH', commentPath, { body: 'Edited' }, SIGNED_OUT);
  await call(404, 'PATCH', `${issue}/comments/999999`, { body: 'Edited' });
  await refuseBadBodies('PATCH', commentPath, { text: 'Edited' });

  await readTwice(`${issue}/activity`);
  await call(404, 'GET', '/api/issues/LTH-0/activity');
  await readTwice('/api/activity?projectId=LTH&limit=5');
  await call(422, 'GET', '/api/activity?cursor=nonsense');

  await call(401, 'DELETE', commentPath, undefined, SIGNED_OUT);
  await call(200, 'DELETE', commentPath);
  await call(404, 'DELETE', commentPath);
  await call(401, 'DELETE', issue, undefined, SIGNED_OUT);
  await call(412, 'DELETE', issue, undefined, { 'if-match': '"other"' });
  await call(200, 'DELETE', issue);
  await call(404, 'DELETE', issue);

  const restore = `${issue}/restore`;
  await call(401, 'POST', restore, undefined, SIGNED_OUT);
  await call(200, 'POST', restore, undefined, { 'idempotency-key': 'restore' });
  await call(409, 'POST', restore);
  await call(404, 'POST', '/api/issues/LTH-0/restore');
  await call(422, 'POST', '/api/issues/LTH-0/restore', undefined, { 'idempotency-key': 'restore' });

  // the 200 response of the stream never ends, so stream.test.ts reads it
  await call(422, 'GET', '/api/stream', undefined, { 'last-event-id': 'x' });
  const left = conformity.promised.filter((name) => !conformity.seen.has(name));
  expect(left).toEqual(['streamChanges 200']);
});

test('a method that the document does not list is refused', async () => {
  const response = await demo.request('DELETE', '/api/users');

  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET');
});
