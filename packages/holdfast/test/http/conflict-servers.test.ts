// Conflicts with servers as people install them: json-server, which refuses nothing, and Express, whose tags are weak unless it is told
// otherwise. Each test has two clients of one server. docs/conflicts.md has the results in its table "Tried with".
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { Controller, createResource, Entity, getDefaultManagers } from 'holdfast';
import { edit } from 'holdfast/edit';
import { ConflictError, HttpSemantics } from 'holdfast/http';
import { expect, onTestFinished, test } from 'vitest';
import { createExpressApp, listen, startJsonServer017, startJsonServer1 } from '../presets/servers.ts';
import type { RunningServer } from '../presets/servers.ts';
import { FakeWorld } from '../support/fake-world.ts';

class Post extends Entity {
  static override key = 'Post';
  id = 0;
  title = '';
  state = '';
  views = 0;
  version = 0;
}

const ID = { id: 1 };

/** A client of the server, which records its requests. */
function createClient({ url }: RunningServer, options: HttpSemantics.Options = {}) {
  const world = new FakeWorld();
  const lines: string[] = [];
  const matches: (string | null)[] = [];
  const tags: (string | null)[] = [];
  const controller = new Controller({
    ...world.options,
    managers: [
      new HttpSemantics({ preconditions: 'known', conflicts: {}, ...options }),
      ...getDefaultManagers(),
    ],
    async fetch(address, init) {
      lines.push(`${init?.method ?? 'GET'} ${new URL(address).pathname}`);
      matches.push(new Headers(init?.headers).get('if-match'));
      const response = await fetch(address, init);
      tags.push(response.headers.get('etag'));
      return response;
    },
  });
  const Posts = createResource({
    urlPrefix: url,
    path: '/posts/:id',
    schema: Post,
    body: {} as Partial<Post>,
    optimistic: true,
  });
  return { world, lines, matches, tags, controller, Posts };
}

/** Two clients that have read post 1. */
async function openTwo(server: RunningServer, options: HttpSemantics.Options = {}) {
  onTestFinished(() => server.close());
  const [mine, theirs] = [createClient(server, options), createClient(server)];
  for (const { controller, Posts } of [mine, theirs]) await controller.fetch(Posts.get, ID);
  return { mine, theirs, read: async (): Promise<unknown> => (await fetch(`${server.url}/posts/1`)).json() };
}

const failure = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );

const JSON_SERVERS = [
  ['0.17', startJsonServer017, 'W/"'],
  ['1.0', startJsonServer1, undefined],
] as const;

test.each(JSON_SERVERS)(
  'json-server %s: with a row that is out of date, a PATCH keeps the other fields of another client and replaces the same field',
  async (_version, startServer) => {
    const { mine, theirs, read } = await openTwo(await startServer());
    await theirs.controller.fetch(theirs.Posts.partialUpdate, ID, { title: 'theirs', views: 5 });

    expect(
      await mine.controller.fetch(mine.Posts.partialUpdate, ID, { state: 'mine', views: 6 }),
    ).toMatchObject({ title: 'theirs', state: 'mine', views: 6 });

    expect(await read()).toMatchObject({ title: 'theirs', state: 'mine', views: 6 });
    expect(mine.lines).toEqual(['GET /posts/1', 'PATCH /posts/1']);
  },
);

test.each(JSON_SERVERS)(
  'json-server %s: a save that waits while the row is read again is in conflict, and is not sent',
  async (_version, startServer) => {
    const { mine, theirs, read } = await openTwo(await startServer());
    const { controller, Posts, lines } = mine;
    const post = edit(controller, Posts.partialUpdate, ID);
    post.set({ title: 'mine' });
    await theirs.controller.fetch(theirs.Posts.partialUpdate, ID, { title: 'theirs' });
    await controller.fetch(Posts.get, ID);

    const error = await failure(post.flush());
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      conflicts: [{ field: 'title', base: 'tea', mine: 'mine', theirs: 'theirs' }],
    });
    expect(error).not.toHaveProperty('response');
    expect(await read()).toMatchObject({ title: 'theirs' });
    expect(lines).toEqual(['GET /posts/1', 'GET /posts/1']);
  },
);

test.each(JSON_SERVERS)(
  'json-server %s: with `required` each save reads the row first, and finds the conflict',
  async (_version, startServer) => {
    const { mine, theirs, read } = await openTwo(await startServer(), { preconditions: 'required' });
    const { controller, Posts, lines } = mine;
    await controller.fetch(Posts.partialUpdate, ID, { state: 'mine' });
    await theirs.controller.fetch(theirs.Posts.partialUpdate, ID, { title: 'theirs' });

    expect(await failure(controller.fetch(Posts.partialUpdate, ID, { title: 'mine' }))).toBeInstanceOf(
      ConflictError,
    );
    expect(await read()).toMatchObject({ title: 'theirs', state: 'mine' });
    expect(lines).toEqual(['GET /posts/1', 'GET /posts/1', 'PATCH /posts/1', 'GET /posts/1']);
  },
);

test.each(JSON_SERVERS)(
  'json-server %s: its tags are weak, or it has none, and none is sent with a mutation',
  async (_version, startServer, tag) => {
    const { mine } = await openTwo(await startServer());
    const { controller, Posts, matches, tags } = mine;
    await controller.fetch(Posts.partialUpdate, ID, { title: 'a' });
    await controller.fetch(Posts.update, ID, { id: 1, title: 'b', state: 'open', views: 1 });
    await controller.fetch(Posts.delete, ID);

    expect(tags.map((each) => each?.slice(0, 3))).toEqual([tag, tag, tag, tag]);
    expect(matches).toEqual([null, null, null, null]);
  },
);

/** An application of Express that counts the versions of its post and refuses an old version with this status. */
async function startVersioned(status: 409 | 412): Promise<RunningServer> {
  const app = await createExpressApp();
  let row: Partial<Post> = { id: 1, title: 'tea', state: 'open', views: 0, version: 1 };
  app.get('/posts/1', (_request: unknown, response: any) => response.json(row));
  app.patch('/posts/1', (request: any, response: any) => {
    const match = request.get('if-match');
    const version = status === 409 ? request.body.version : match && Number(match.replaceAll('"', ''));
    if (version !== row.version) return response.status(status).json({ title: 'Another version' });
    row = { ...row, ...request.body, version: row.version! + 1 };
    return response.json(row);
  });
  return listen(createServer(app as RequestListener));
}

test.each([409, 412] as const)(
  'Express: a refusal with %s makes the client read the row, and a save without a refusal costs one request',
  async (status) => {
    const merge = [[Post, { version: (_base: unknown, _mine: unknown, now: unknown) => now }]] as const;
    const { mine, theirs, read } = await openTwo(await startVersioned(status), { conflicts: { merge } });
    const save = async ({ controller, Posts }: typeof mine, fields: Partial<Post>): Promise<unknown> => {
      const { version } = controller.get(Post, ID)!;
      return status === 409
        ? controller.fetch(Posts.partialUpdate, ID, { ...fields, version })
        : controller.fetch(
            Posts.partialUpdate.extend({
              precondition: (post: Post) => ({ 'If-Match': `"${post.version}"` }),
            }),
            ID,
            fields,
          );
    };
    await save(theirs, { title: 'theirs' });
    expect(theirs.lines).toEqual(['GET /posts/1', 'PATCH /posts/1']);

    await save(mine, { state: 'mine' });
    expect(mine.lines.slice(1)).toEqual(['PATCH /posts/1', 'GET /posts/1', 'PATCH /posts/1']);
    expect(await read()).toMatchObject({ title: 'theirs', state: 'mine', version: 3 });
    expect(mine.tags.map((tag) => tag?.slice(0, 3))).toEqual(['W/"', 'W/"', 'W/"', 'W/"']);
    expect([...mine.matches, ...theirs.matches].filter((match) => match?.startsWith('W/'))).toEqual([]);
  },
);

/** An application of Express with strong tags. Express does not obey `If-Match`; the application may do it with the tags of Express. */
async function startTagged(obeys: boolean): Promise<RunningServer> {
  const app = (await createExpressApp()).set('etag', 'strong');
  let row: Partial<Post> = { id: 1, title: 'tea', state: 'open', views: 0 };
  app.get('/posts/1', (_request: unknown, response: any) => response.type('json').send(JSON.stringify(row)));
  app.patch('/posts/1', (request: any, response: any) => {
    const match = request.get('if-match');
    const present = app.get('etag fn')(JSON.stringify(row));
    if (obeys && match !== undefined && match !== present) return response.status(412).end();
    row = { ...row, ...request.body };
    return response.type('json').send(JSON.stringify(row));
  });
  return listen(createServer(app as RequestListener));
}

test('Express with strong tags: each save is sent with the tag of the last response, and every conflict is found', async () => {
  const { mine, theirs, read } = await openTwo(await startTagged(true));
  const save = ({ controller, Posts }: typeof mine, fields: Partial<Post>): Promise<unknown> =>
    controller.fetch(Posts.partialUpdate, ID, fields);
  await save(theirs, { title: 'theirs' });
  await save(theirs, { views: 1 });
  expect(theirs.lines).toEqual(['GET /posts/1', 'PATCH /posts/1', 'PATCH /posts/1']);
  expect(theirs.matches.slice(1)).toEqual(theirs.tags.slice(0, 2));

  await save(mine, { state: 'mine' });
  expect(await read()).toMatchObject({ title: 'theirs', state: 'mine', views: 1 });
  expect(mine.lines.slice(1)).toEqual(['PATCH /posts/1', 'GET /posts/1', 'PATCH /posts/1']);

  await save(theirs, { title: 'theirs once more' });
  expect(await failure(save(mine, { title: 'mine' }))).toBeInstanceOf(ConflictError);
});

test('Express with strong tags that ignores `If-Match`: the same field is replaced, and no client can know', async () => {
  const { mine, theirs, read } = await openTwo(await startTagged(false));
  await theirs.controller.fetch(theirs.Posts.partialUpdate, ID, { title: 'theirs' });
  await mine.controller.fetch(mine.Posts.partialUpdate, ID, { title: 'mine' });

  expect(mine.matches[1]).toBe(mine.tags[0]);
  expect(await read()).toMatchObject({ title: 'mine' });
});
