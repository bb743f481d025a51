// The servers of the tests of presets: json-server 0.17 and 1 and Feathers as they are installed, and servers of the shapes of
// GitHub's API and of Django REST framework. Each has the same posts.
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from '../support/server.ts';

export interface PostFields {
  readonly id: number | string;
  readonly title: string;
  readonly state: string;
  readonly views: number;
}

export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

const installed = createRequire(join(import.meta.dirname, '../../../../compat/servers/package.json'));
// oxlint-disable-next-line typescript/no-explicit-any -- packages without types
const load = async (name: string): Promise<any> => import(pathToFileURL(installed.resolve(name)).href);

const TITLES = ['tea', 'coffee', 'green tea', 'milk', 'water', 'black tea', 'juice'];

/** Seven posts, every second one open. The ids are texts for servers that compare ids strictly. */
const posts = (isText: boolean): PostFields[] =>
  TITLES.map((title, at) => ({
    id: isText ? String(at + 1) : at + 1,
    title,
    state: at % 2 === 0 ? 'open' : 'closed',
    views: (at * 3) % 7,
  }));

export async function listen(server: Server): Promise<RunningServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An application of the Express that json-server 0.17 brings, with its parser of bodies. */
// oxlint-disable-next-line typescript/no-explicit-any -- a package without types
export async function createExpressApp(): Promise<any> {
  const { default: jsonServer } = await load('json-server');
  return jsonServer.create().use(jsonServer.bodyParser);
}

export async function startJsonServer017(): Promise<RunningServer> {
  const { default: jsonServer } = await load('json-server');
  const app = jsonServer.create();
  app.use(jsonServer.defaults({ logger: false, static: import.meta.dirname }));
  app.use(jsonServer.router({ posts: posts(false) }));
  return listen(createServer(app as RequestListener));
}

export async function startJsonServer1(): Promise<RunningServer> {
  const { createApp } = await load('json-server-1/lib/app.js');
  const app = createApp({ data: { posts: posts(true) }, write: async () => {} }, { logger: false });
  return listen(createServer((request, response) => app.handler(request, response)));
}

export async function startFeathers(): Promise<RunningServer> {
  const [{ feathers }, { koa, rest, bodyParser, errorHandler }, { MemoryService }] = await Promise.all(
    ['@feathersjs/feathers', '@feathersjs/koa', '@feathersjs/memory'].map(load),
  );
  const app = koa(feathers());
  app.use(errorHandler());
  app.use(bodyParser());
  app.configure(rest());
  const store = Object.fromEntries(posts(false).map((post) => [post.id, post]));
  app.use('posts', new MemoryService({ store, startId: 8, paginate: { default: 5, max: 6 } }));
  return listen(createServer(app.callback() as RequestListener));
}

type Query = URLSearchParams;
type Rows = Map<string, PostFields>;
const byField =
  (name: string, direction: number) =>
  (left: PostFields, right: PostFields): number => {
    const [a, b] = [left, right].map((row) => (row as unknown as Record<string, number | string>)[name]!); // cast: one of the four fields
    return a === b ? Number(left.id) - Number(right.id) : direction * (a! < b! ? -1 : 1);
  };

/** Routes for the posts; `list` makes the response to a list. */
async function startShaped(
  end: string,
  list: (
    rows: readonly PostFields[],
    query: Query,
    url: string,
  ) => { body: unknown; headers?: Record<string, string> },
): Promise<RunningServer> {
  const rows: Rows = new Map(posts(false).map((row) => [String(row.id), row]));
  let made = rows.size;
  const server = await startServer();
  server.on('GET', `/posts${end}`, ({ query }) => list([...rows.values()], query, server.url));
  server.on('GET', `/posts/:id${end}`, ({ params }) => ({ body: rows.get(params['id']!) }));
  server.on('POST', `/posts${end}`, ({ body }) => {
    const row = { ...(body as PostFields), id: (made += 1) };
    rows.set(String(row.id), row);
    return { status: 201, body: row };
  });
  server.on('PATCH', `/posts/:id${end}`, ({ params, body }) => {
    const row = { ...rows.get(params['id']!)!, ...(body as Partial<PostFields>) };
    rows.set(params['id']!, row);
    return { body: row };
  });
  server.on('DELETE', `/posts/:id${end}`, ({ params }) => {
    rows.delete(params['id']!);
    return { status: 204 };
  });
  return server;
}

/** Five rows on a page in place of thirty, so that seven posts are more than one page. */
export const startGithub = (): Promise<RunningServer> =>
  startShaped('', (rows, query, url) => {
    const state = query.get('state') ?? 'open';
    const q = query.get('q') ?? '';
    const sort = query.get('sort') ?? 'id';
    const direction = query.get('direction') === 'desc' ? -1 : 1;
    const size = Math.min(Number(query.get('per_page') ?? 5), 6);
    const page = Number(query.get('page') ?? 1);
    const all = rows
      .filter((row) => (state === 'all' || row.state === state) && row.title.includes(q))
      .sort(byField(sort, direction));
    const next = new URLSearchParams(query);
    next.set('page', String(page + 1));
    const hasMore = page * size < all.length;
    return {
      body: all.slice((page - 1) * size, page * size),
      ...(hasMore && { headers: { Link: `<${url}/posts?${next.toString()}>; rel="next"` } }),
    };
  });

/** `LimitOffsetPagination` of five rows, `SearchFilter`, `OrderingFilter`, and equality on fields. */
export const startDjangoRest = (): Promise<RunningServer> =>
  startShaped('/', (rows, query) => {
    const ordering = query.get('ordering') ?? 'id';
    const search = query.get('search') ?? '';
    const state = query.get('state');
    const least = query.get('views__gte');
    const all = rows
      .filter((row) => row.title.includes(search) && (state === null || row.state === state))
      .filter(({ views }) => least === null || views >= Number(least))
      .sort(byField(ordering.replace('-', ''), ordering.startsWith('-') ? -1 : 1));
    const from = Number(query.get('offset') ?? 0);
    const size = Math.min(Number(query.get('limit') ?? 5), 6);
    return { body: { count: all.length, next: null, results: all.slice(from, from + size) } };
  });
