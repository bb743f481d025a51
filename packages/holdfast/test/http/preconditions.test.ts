// Preconditions: which mutation is sent with `If-Match`, and with which tag.
import { Controller, getDefaultManagers } from 'holdfast';
import { ConflictError } from 'holdfast/http';
import type { HttpSemantics } from 'holdfast/http';
import { expect, test } from 'vitest';
import type { RecordedRequest as Request, Reply } from '../support/server.ts';
import { Post, start } from './app.ts';

const KNOWN = { preconditions: 'known' } as const;
const REQUIRED = { preconditions: 'required' } as const;

/** A client of a server that counts the versions of a row, and refuses a mutation with the tag of another version. */
async function open(
  options: HttpSemantics.Options = KNOWN,
  { tag = (version: number) => `"${version}"`, isWriteTagged = true, isStrict = false } = {},
) {
  const app = await start({ validators: false, ...options });
  const { server, rows } = app;
  const versions = new Map<string, number>();
  const versionOf = (id: string): number => versions.get(id) ?? 1;
  const reply = (id: string, isTagged = true): Reply => ({
    body: rows.get(id),
    ...(isTagged && { headers: { etag: tag(versionOf(id)) } }),
  });
  const change = ({ params, headers, body, method }: Request): Reply => {
    const id = params['id']!;
    const match = headers['if-match'];
    if (isStrict && match === undefined && headers['if-none-match'] === undefined) return { status: 428 };
    if (match !== undefined && match !== tag(versionOf(id))) return { status: 412 };
    versions.set(id, versionOf(id) + 1);
    if (method === 'DELETE') {
      rows.delete(id);
      return { status: 204 };
    }
    rows.set(id, { ...rows.get(id), ...(body as Post), id }); // cast: what the tests send
    return reply(id, isWriteTagged);
  };
  server.on('GET', '/posts/:id', ({ params }) =>
    rows.has(params['id']!) ? reply(params['id']!) : { status: 404 },
  );
  for (const method of ['PUT', 'PATCH', 'DELETE']) server.on(method, '/posts/:id', change);
  server.on('POST', '/posts/:id/vote', ({ params }) => {
    versions.set(params['id']!, versionOf(params['id']!) + 1);
    return { body: rows.get(params['id']!) };
  });
  return {
    ...app,
    versions,
    /** What the mutations of row 1 were sent with. */
    matches: () =>
      server.requests
        .filter(({ method, path }) => /PUT|PATCH|DELETE/.test(method) && path === '/posts/1')
        .map(({ headers }) => headers['if-match']),
    /** The requests: `GET /posts/1`. */
    lines: () => server.requests.map(({ method, path }) => `${method} ${path}`),
  };
}

test('a mutation is sent with the tag of its address, and the tag in its response is that of the next one', async () => {
  const { controller, Posts, matches, lines } = await open();
  await controller.fetch(Posts.get, { id: '1' });

  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });
  await controller.fetch(Posts.update, { id: '1' }, { title: 'b', topic: 'a' });
  await controller.fetch(Posts.delete, { id: '1' });

  expect(matches()).toEqual(['"1"', '"2"', '"3"']);
  expect(lines()).toHaveLength(4);
});

test('the tag is forgotten when the response to a mutation has none, or when another address has changed the row', async () => {
  const { controller, Posts, matches } = await open(KNOWN, { isWriteTagged: false });
  await controller.fetch(Posts.get, { id: '1' });
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'b' });
  await controller.fetch(Posts.get, { id: '1' });
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'c' });
  await controller.fetch(Posts.get, { id: '1' });
  const vote = Posts.get.extend({ method: 'POST', path: '/posts/:id/vote', body: undefined });
  await controller.fetch(vote, { id: '1' });
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'd' });

  expect(matches()).toEqual(['"1"', undefined, '"3"', undefined]);
});

test('a weak tag, an absent tag and the tag of a list are never sent', async () => {
  const weak = await open(KNOWN, { tag: (version) => `W/"${version}"` });
  await weak.controller.fetch(weak.Posts.get, { id: '1' });
  await weak.controller.fetch(weak.Posts.partialUpdate, { id: '1' }, { title: 'a' });
  const listed = await open();
  await listed.controller.fetch(listed.Posts.getList);
  await listed.controller.fetch(listed.Posts.partialUpdate, { id: '1' }, { title: 'a' });

  expect([...weak.matches(), ...listed.matches()]).toEqual([undefined, undefined]);
});

test('a message and `set` leave the tag as it is', async () => {
  const { controller, Posts, matches } = await open();
  await controller.fetch(Posts.get, { id: '1' });
  await controller.set(Post, { id: '1' }, { title: 'told' });

  await controller.fetch(Posts.partialUpdate, { id: '1' }, { topic: 'b' });

  expect(matches()).toEqual(['"1"']);
});

test('the tag of a read counts only if the read was sent after the last mutation was acknowledged', async () => {
  for (const isWriteTagged of [true, false]) {
    const { controller, Posts, matches, server } = await open(KNOWN, { isWriteTagged });
    await controller.fetch(Posts.get, { id: '1' });
    const held = server.hold('GET', '/posts/1');
    const late = controller.fetch(Posts.get, { id: '1' });
    const request = await held.next();
    await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });

    request.release();
    await late;
    await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'b' });

    expect(matches()).toEqual(['"1"', isWriteTagged ? '"2"' : undefined]);
  }
});

test('of two reads, the tag of the one that was sent later counts', async () => {
  const { controller, Posts, matches, server, versions } = await open();
  const held = server.hold('GET', '/posts/1');
  const early = controller.fetch(Posts.get, { id: '1' });
  const first = await held.next();
  versions.set('1', 7);
  controller.expireAll(Posts.get);
  const late = controller.fetch(Posts.get, { id: '1' });
  const second = await held.next();
  second.release();
  await late;
  first.release();
  await early;

  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });

  expect(matches()).toEqual(['"7"']);
});

test('the tag of another user, or of another address of the row, is never sent', async () => {
  const { controller, Posts, matches } = await open();
  const as = (token: string) => ({ requestInit: { headers: { Authorization: token } } });
  await controller.fetch(Posts.get.extend(as('a')), { id: '1' });
  await controller.fetch(Posts.partialUpdate.extend(as('b')), { id: '1' }, { title: 'a' });
  const get = Posts.get.extend({ searchParams: {} as { full?: number } });
  await controller.fetch(get, { id: '1', full: 1 });
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'b' });

  expect(matches()).toEqual([undefined, undefined]);
});

test('a reset forgets all tags', async () => {
  const { controller, Posts, matches } = await open();
  await controller.fetch(Posts.get, { id: '1' });
  controller.resetEntireStore();
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });

  expect(matches()).toEqual([undefined]);
});

test('a POST and a bulk call get no precondition, nor a request that has one of its own', async () => {
  const { controller, Posts, server, matches } = await open(REQUIRED);
  await controller.fetch(Posts.get, { id: '1' });
  server.on('PATCH', '/posts', { body: [] });
  server.on('POST', '/posts', { body: { id: '9', title: 'x', topic: 'a' } });
  const bulk = Posts.getList.extend({ method: 'PATCH', body: [] as Partial<Post>[] });
  await controller.fetch(bulk, {}, [{ id: '1', title: 'x' }]);
  await controller.fetch(Posts.getList.push, { title: 'x' });
  const own = Posts.partialUpdate.extend({ requestInit: { headers: { 'If-Match': '"mine"' } } });

  await expect(controller.fetch(own, { id: '1' }, { title: 'b' })).rejects.toMatchObject({ status: 412 });

  expect(matches()).toEqual(['"mine"']);
  expect(server.seen('PATCH', '/posts')[0]?.headers).not.toHaveProperty('if-match');
  expect(server.seen('POST', '/posts')[0]?.headers).not.toHaveProperty('if-match');
});

test('`required` reads the row first where no tag is known, and the read is the only further request', async () => {
  const { controller, Posts, matches, lines } = await open(REQUIRED);
  await controller.fetch(Posts.getList);
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'b' });

  expect(matches()).toEqual(['"1"', '"2"']);
  expect(lines().slice(-3)).toEqual(['GET /posts/1', 'PATCH /posts/1', 'PATCH /posts/1']);
});

test.each(['PATCH', 'PUT'])(
  'without `conflicts`, a %s fails when the read that it needs brings a change of a field that it sends',
  async (method) => {
    const { controller, Posts, rows, lines } = await open(REQUIRED);
    await controller.fetch(Posts.getList);
    rows.set('1', { ...rows.get('1')!, title: 'theirs' });
    const endpoint = method === 'PUT' ? Posts.update : Posts.partialUpdate;

    const thrown: unknown = await controller
      .fetch(endpoint, { id: '1' }, { title: 'mine' })
      .catch((error: unknown) => error);

    expect(thrown).toBeInstanceOf(ConflictError);
    expect(thrown).toMatchObject({
      conflicts: [{ entity: 'Post', pk: '1', field: 'title', 'base': 't1', mine: 'mine', theirs: 'theirs' }],
    });
    expect(rows.get('1')).toMatchObject({ title: 'theirs' });
    expect(lines()).toEqual(['GET /posts', 'GET /posts/1']);
  },
);

test('without `conflicts`, a mutation after 428 fails when the read brings a change of a field that it sends', async () => {
  const { controller, Posts, rows } = await open(KNOWN, { isStrict: true });
  await controller.fetch(Posts.getList);
  rows.set('1', { ...rows.get('1')!, title: 'theirs' });

  await expect(controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'mine' })).rejects.toMatchObject({
    code: 'WRITE_CONFLICT',
  });

  expect(rows.get('1')).toMatchObject({ title: 'theirs' });
});

test('without `conflicts`, a mutation is sent when the read that it needs brings a change of another field', async () => {
  const { controller, Posts, rows, matches } = await open(REQUIRED);
  await controller.fetch(Posts.getList);
  rows.set('1', { ...rows.get('1')!, topic: 'theirs' });

  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'mine' });

  expect(rows.get('1')).toMatchObject({ title: 'mine', topic: 'theirs' });
  expect(matches()).toEqual(['"1"']);
});

test('without `conflicts`, a mutation that the server refuses with 412 fails with its status', async () => {
  for (const options of [KNOWN, REQUIRED]) {
    const { controller, Posts, versions, matches } = await open(options);
    await controller.fetch(Posts.get, { id: '1' });
    versions.set('1', 2);

    await expect(controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'mine' })).rejects.toMatchObject(
      { name: 'HttpError', status: 412 },
    );

    expect(matches()).toEqual(['"1"']);
  }
});

test('`required` sends the mutation without a precondition when the server gives no tag', async () => {
  const { controller, Posts, matches } = await open(REQUIRED, { tag: () => 'W/"1"' });

  await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });

  expect(matches()).toEqual([undefined]);
});

test('when the read that a mutation needs fails, the mutation fails as the read did, and is not sent', async () => {
  const { controller, Posts, lines, server, now } = await open(REQUIRED);
  await controller.fetch(Posts.getList);
  server.on('GET', '/posts/1', { status: 403 });

  await expect(controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' })).rejects.toMatchObject({
    status: 403,
  });

  expect(lines().filter((line) => line.startsWith('PATCH'))).toEqual([]);
  expect(controller.getResponse(Posts.getList).expiresAt).toBeGreaterThan(now());
});

test('with `required`, a mutation of an address without a GET fails as the read did, unless its `precondition` decides', async () => {
  const { controller, Posts, lines, server } = await open(REQUIRED);
  await controller.fetch(Posts.get, { id: '1' });
  server.on('GET', '/posts/:id/title', { status: 405 });
  server.on('PATCH', '/posts/:id/title', ({ body }) => ({
    body: { id: '1', topic: 'a', ...(body as object) },
  }));
  const rename = Posts.partialUpdate.extend({ path: '/posts/:id/title' });

  await expect(controller.fetch(rename, { id: '1' }, { title: 'b' })).rejects.toMatchObject({ status: 405 });
  const unconditional = rename.extend({ precondition: () => ({}) });
  await controller.fetch(unconditional, { id: '1' }, { title: 'b' });

  expect(lines().slice(1)).toEqual(['GET /posts/1/title', 'PATCH /posts/1/title']);
  expect(server.seen('PATCH', '/posts/1/title')[0]?.headers).not.toHaveProperty('if-match');
});

test('with `required`, an action by POST is sent without a read and without a precondition', async () => {
  const { controller, Posts, lines, server } = await open(REQUIRED);
  const vote = Posts.get.extend({ path: '/posts/:id/vote', method: 'POST' });
  await controller.fetch(vote, { id: '1' });

  expect(lines()).toEqual(['POST /posts/1/vote']);
  expect(server.seen('POST', '/posts/1/vote')[0]?.headers).not.toHaveProperty('if-match');
});

test('after 428 the row is read, and the mutation is sent with its tag', async () => {
  const { controller, Posts, matches } = await open(KNOWN, { isStrict: true });

  expect(await controller.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' })).toMatchObject({
    title: 'a',
  });

  expect(matches()).toEqual([undefined, '"1"']);
  const off = await open({}, { isStrict: true });
  await expect(
    off.controller.fetch(off.Posts.partialUpdate, { id: '1' }, { title: 'a' }),
  ).rejects.toMatchObject({ status: 428 });
});

test('a PUT that creates a row does not replace one that was created meanwhile', async () => {
  const { controller, Posts, server } = await open(REQUIRED);

  await controller.fetch(Posts.update, { id: '7' }, { title: 'new', topic: 'a' });

  expect(server.seen('PUT', '/posts/7')[0]?.headers).toMatchObject({ 'if-none-match': '*' });
});

test('the `precondition` of an endpoint gets the row as the server has it', async () => {
  const { controller, Posts, matches, server } = await open({});
  await controller.fetch(Posts.getList);
  const update = Posts.partialUpdate.extend({
    optimistic: true,
    precondition: ({ title }: Post) => ({ 'If-Match': `"${title}"` }),
  });
  const held = server.hold('PATCH', '/posts/1');
  const first = controller.fetch(update, { id: '1' }, { title: 'a' });
  const second = controller.fetch(update, { id: '1' }, { title: 'b' });
  held.releaseAll();
  await Promise.allSettled([first, second]);

  expect(matches()).toEqual(['"t1"', '"t1"']);
  const broken = update.extend({
    precondition: () => {
      throw new Error('no');
    },
  });
  await expect(controller.fetch(broken, { id: '2' }, { title: 'a' })).rejects.toMatchObject({
    code: 'HEADERS_INVALID',
  });
});

test('not switched on, nothing is sent or read that is not sent and read without the manager', async () => {
  const { controller, Posts, lines, matches, server } = await open({});
  const plain = new Controller({ managers: getDefaultManagers() });
  const runs: string[][] = [];
  for (const each of [controller, plain]) {
    const before = lines().length;
    await each.fetch(Posts.get, { id: '1' });
    await each.fetch(Posts.partialUpdate, { id: '1' }, { title: 'a' });
    await each.fetch(Posts.partialUpdate, { id: '1' }, { title: 'b' });
    runs.push(lines().slice(before));
  }
  expect(runs[0]).toEqual(runs[1]);
  expect(matches()).toEqual([undefined, undefined, undefined, undefined]);
  expect(server.seen('GET', '/posts/1')).toHaveLength(2);
});
