// A server with four todos of two users, an application with lists of them, and a reader that counts the requests.
import { Controller, createResource, Entity, schema } from 'holdfast';
import type { ControllerOptions } from 'holdfast';
import { onTestFinished } from 'vitest';
import { FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

export class Todo extends Entity {
  static override key = 'LocalTodo';
  id = '';
  userId = '';
  title = '';
  done = false;
  votes = 0;
}

export interface TodoFields {
  readonly id: string;
  readonly userId: string;
  readonly title: string;
  readonly done: boolean;
  readonly votes: number;
}

/** What a Collection of todos may be given. */
export type ListOptions = NonNullable<ConstructorParameters<typeof schema.Collection<(typeof Todo)[]>>[1]>;

export async function start(list: ListOptions = { complete: true }, more: ControllerOptions = {}) {
  const server = await startServer();
  const world = new FakeWorld();
  const rows = new Map<string, Partial<TodoFields>>();
  for (const [id, userId, title, done, votes] of [
    ['1', '1', 'milk', false, 3],
    ['2', '1', 'bread', true, 1],
    ['3', '2', 'tea', false, 2],
    ['4', '1', 'apples', false, 5],
  ] as const)
    rows.set(id, { id, userId, title, done, votes });
  /** The rows that the server sends for a query: `most` caps every list. */
  const limits = { most: Infinity };
  const select = (query: URLSearchParams): Partial<TodoFields>[] =>
    [...rows.values()]
      .filter((row) =>
        [...query].every(([name, value]) =>
          name === 'q' ? row.title?.includes(value) : String(row[name as keyof TodoFields]) === value,
        ),
      )
      .slice(0, limits.most);
  server.on('GET', '/todos', ({ query }) => ({ body: select(query) }));
  server.on('GET', '/todos/:id', ({ params }) =>
    rows.has(params['id']!) ? { body: rows.get(params['id']!) } : { status: 404 },
  );
  server.on('PATCH', '/todos/:id', ({ params: { id = '' }, body }) => {
    rows.set(id, { ...rows.get(id), ...(body as object) });
    return { body: rows.get(id) };
  });
  server.on('POST', '/todos', ({ body }) => {
    const id = String(rows.size + 1);
    rows.set(id, { id, ...(body as object) });
    return { status: 201, body: rows.get(id) };
  });
  server.on('DELETE', '/todos/:id', ({ params: { id = '' } }) => {
    rows.delete(id);
    return { status: 204 };
  });
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as
      | { userId?: string; done?: boolean; q?: string; sort?: string; page?: string }
      | undefined,
    optimistic: true,
  }).extend({ getList: { schema: new schema.Collection([Todo], list) } });
  const controller = new Controller({ ...world.options, ...more });
  controller.start();
  onTestFinished(async () => {
    controller.stop();
    await server.close();
  });
  /** The addresses of the lists that were requested. */
  const lists = (): string[] => server.seen('GET', '/todos').map(({ url }) => url);
  return { server, world, rows, limits, TodoResource, controller, lists, until };
}
