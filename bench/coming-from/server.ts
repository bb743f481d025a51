// The server of the paired applications: tasks, a log of events in pages, and the same over GraphQL for Apollo. It keeps everything in
// memory, answers after a short while, and counts what it was asked. It sends the page of one application with it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSchema, graphql } from 'graphql';

const DELAY_MS = 30;
/** So long nothing is asked before the page counts as quiet. */
const QUIET_MS = 120;
const EVENTS_PER_PAGE = 2;

interface Task {
  id: string;
  title: string;
  done: boolean;
}

const schema = buildSchema(`
  type Task { id: ID! title: String! done: Boolean! }
  type Event { id: ID! text: String! }
  type Events { events: [Event!]! next: String }
  type Query { tasks: [Task!]! events(cursor: String): Events! }
  type Mutation { changeTask(id: ID!, done: Boolean!): Task! }
`);

export interface TaskServer {
  readonly url: string;
  /** The requests since the start, as `GET /api/tasks?done=true`. */
  readonly requests: readonly string[];
  /** Waits until every request has its response, and for a while no other one comes. */
  settle(): Promise<void>;
  /** The titles of the tasks that are done, or not, in the server's order. */
  titles(done: boolean): string[];
  close(): void;
}

/** Starts a server that sends `script` as the whole program of its page. */
export async function startTaskServer(script: string): Promise<TaskServer> {
  const tasks = new Map<string, Task>();
  let lastId = 0;
  const create = (title: string, done = false): Task => {
    const task = { id: String(++lastId), title, done };
    tasks.set(task.id, task);
    return task;
  };
  for (const title of ['Buy milk', 'Call Ada', 'Check the mast', 'Paint the hull', 'Sand the deck'])
    create(title);
  create('Wash the sails', true);
  const events = ['Launched', 'Painted', 'Repaired', 'Sold'].map((text, at) => ({
    id: String(at + 1),
    text,
  }));
  const requests: string[] = [];
  let openRequests = 0;

  const list = (): Task[] =>
    [...tasks.values()].toSorted((one, other) => one.title.localeCompare(other.title));
  const readEvents = (cursor: string | null | undefined) => {
    const start = Number(cursor ?? 0);
    const end = start + EVENTS_PER_PAGE;
    return { events: events.slice(start, end), next: end < events.length ? String(end) : null };
  };
  const change = (id: string, fields: Partial<Task>): Task => {
    const task = tasks.get(id);
    if (!task) throw new Error('There is no such task.');
    if (fields.title === 'Refuse' || task.title === 'Wash the sails')
      throw new Error('The server refuses this.');
    return Object.assign(task, fields);
  };
  const queries = {
    tasks: list,
    events: ({ cursor }: { cursor?: string }) => readEvents(cursor),
    changeTask: ({ id, done }: Task) => change(id, { done }),
  };

  async function answer(method: string, url: URL, read: () => Promise<unknown>): Promise<[number, unknown]> {
    const [, , name = '', id] = url.pathname.split('/');
    if (name === 'graphql') {
      const { query, variables } = (await read()) as { query: string; variables: Record<string, unknown> };
      return [200, await graphql({ schema, source: query, rootValue: queries, variableValues: variables })];
    }
    if (name === 'events') return [200, readEvents(url.searchParams.get('cursor'))];
    const done = url.searchParams.get('done');
    if (method === 'GET' && id === undefined)
      return [200, list().filter((task) => done === null || String(task.done) === done)];
    if (method === 'POST') return [201, create(((await read()) as Task).title)];
    if (id === undefined || !tasks.has(id)) return [404, { detail: 'There is no such task.' }];
    if (method === 'DELETE') return [tasks.delete(id) ? 200 : 404, { id }];
    if (method === 'GET') return [200, tasks.get(id)];
    try {
      return [200, change(id, (await read()) as Partial<Task>)];
    } catch (error) {
      return [409, { detail: (error as Error).message }];
    }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (!url.pathname.startsWith('/api/')) {
      const isScript = url.pathname === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript
          ? script
          : '<!doctype html><html lang="en"><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/app.js"></script>',
      );
      return;
    }
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    openRequests += 1;
    void answer(request.method ?? '', url, () => json(request)).then(async ([status, body]) => {
      await sleep(DELAY_MS);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
      openRequests -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async settle() {
      for (let before = -1; openRequests > 0 || before !== requests.length;) {
        before = requests.length;
        await sleep(QUIET_MS);
      }
    },
    titles: (done) => list().flatMap((task) => (task.done === done ? [task.title] : [])),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
