// One application whose server speaks in headers, as the tests of `holdfast/http` use it.
import { Controller, createResource, Entity, getDefaultManagers } from 'holdfast';
import type { ControllerOptions } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { onTestFinished } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { Reply } from '../support/server.ts';

export class Post extends Entity {
  static override key = 'Post';
  id = '';
  title = '';
  topic = '';
}

/** A server with three posts and a client of it, in a time that the test moves. Every read has the headers that the test wants. */
export async function start(options: HttpSemantics.Options = {}, more: ControllerOptions = {}) {
  const server = await startServer();
  onTestFinished(() => server.close());
  const world = new FakeWorld();
  const rows = new Map(['1', '2', '3'].map((id) => [id, { id, title: `t${id}`, topic: 'a' }]));
  let headers: Readonly<Record<string, string>> = {};
  /** Reads whose bodies were read. */
  const read: string[] = [];
  const tagged = (body: unknown): Reply => {
    const etag = `"${Buffer.from(JSON.stringify(body)).toString('base64url')}"`;
    return { body, headers: { etag, ...headers } };
  };
  server.on('GET', '/posts', ({ headers: asked }) =>
    answer(tagged([...rows.values()]), asked['if-none-match']),
  );
  server.on('GET', '/posts/:id', ({ params, headers: asked }) => {
    const row = rows.get(params['id']!);
    return row ? answer(tagged(row), asked['if-none-match']) : { status: 404 };
  });
  server.on('PATCH', '/posts/:id', ({ params, body }) => {
    const row = { ...rows.get(params['id']!)!, ...(body as object) }; // cast: what the tests send
    rows.set(row.id, row);
    return { body: row };
  });
  const controller = new Controller({
    ...world.options,
    ...more,
    managers: [new HttpSemantics(options), ...(more.managers ?? getDefaultManagers())],
    fetch: async (input, init) => {
      const response = await (more.fetch ?? fetch)(input, init);
      const text = response.text.bind(response);
      response.text = () => {
        if (init?.method === 'GET') read.push(input.slice(server.url.length));
        return text();
      };
      return response;
    },
  });
  const Posts = createResource({
    urlPrefix: server.url,
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { topic?: string },
    body: {} as Partial<Post>,
  });
  return {
    server,
    world,
    rows,
    controller,
    Posts,
    read,
    /** The headers of later responses. */
    say: (said: Readonly<Record<string, string>>) => void (headers = said),
    now: () => world.time.clock.now(),
  };
}

/** The response, or "not modified" for a client that has it. */
function answer(reply: Reply, known: string | undefined): Reply {
  return known !== undefined && known === reply.headers?.['etag']
    ? { status: 304, headers: reply.headers }
    : reply;
}
