// With all roles declared, a write costs no read of a list whose rows it can decide: counted on a server, with mounted lists.
import { byRole, Controller, createResource, Entity } from 'holdfast';
import { expect, test } from 'vitest';
import { startServer } from '../support/server.ts';

class Task extends Entity {
  static override key = 'CountedTask';
  id = 0;
  state = '';
  rank = 0;
}

type Args = Readonly<Record<string, string | number>>;
interface TaskFields {
  readonly id: number;
  readonly state: string;
  readonly rank: number;
}

const DECIDED: readonly Args[] = [
  {},
  { state: 'open' },
  { state: 'closed', expand: 'author' },
  { from: 3 },
  { state: 'open', per_page: 50 },
];
const SEARCH: Args = { q: 'x' };

test('four writes read a search four times, and no list whose rows the roles decide', async () => {
  await using server = await startServer();
  const rows = new Map<number, TaskFields>();
  for (let id = 1; id <= 6; id += 1) rows.set(id, { id, state: id % 2 ? 'open' : 'closed', rank: id });
  server.on('GET', '/tasks', ({ query }) => ({
    body: [...rows.values()].filter(
      ({ state, rank }) => (query.get('state') ?? state) === state && rank >= Number(query.get('from') ?? 0),
    ),
  }));
  server.on('POST', '/tasks', ({ body }) => {
    const row = { ...(body as TaskFields), id: rows.size + 1 };
    rows.set(row.id, row);
    return { status: 201, body: row };
  });
  server.on('PATCH', '/tasks/:id', ({ params, body }) => {
    const row = { ...rows.get(Number(params['id']))!, ...(body as Partial<TaskFields>) };
    rows.set(row.id, row);
    return { body: row };
  });
  server.on('DELETE', '/tasks/:id', ({ params }) => {
    rows.delete(Number(params['id']));
    return { status: 204 };
  });
  const tasks = createResource({
    urlPrefix: server.url,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as Args,
    body: {} as Partial<TaskFields>,
    argumentRoles: byRole({
      q: 'search',
      per_page: 'limit',
      expand: 'shape',
      from: { field: 'rank', test: (value: number, from: string) => value >= Number(from) },
    }),
  });
  const controller = new Controller();
  controller.start();
  for (const args of [...DECIDED, SEARCH]) controller.watch(tasks.getList, args).subscribe(() => {});
  const reads = () => server.seen('GET', '/tasks').map(({ url }) => url);
  await expect.poll(() => reads().length).toBe(DECIDED.length + 1);
  server.forget();

  const created = await controller.fetch(tasks.getList.push, { state: 'open', rank: 9 });
  await expect.poll(() => reads().length).toBe(1);
  await controller.fetch(tasks.partialUpdate, { id: 2 }, { state: 'open' });
  await expect.poll(() => reads().length).toBe(2);
  await controller.fetch(tasks.partialUpdate, { id: 5 }, { rank: 1 });
  await expect.poll(() => reads().length).toBe(3);
  await controller.fetch(tasks.partialUpdate, { id: Number((created as Task).id) }, { state: 'closed' });
  await expect.poll(() => reads().length).toBe(4);
  // a deleted row leaves every list, searches too
  await controller.fetch(tasks.delete, { id: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));

  expect(reads()).toEqual(['/tasks?q=x', '/tasks?q=x', '/tasks?q=x', '/tasks?q=x']);
  for (const args of DECIDED) {
    const response = await fetch(tasks.getList.url(args));
    const expected = ((await response.json()) as TaskFields[]).map(({ id }) => id);
    const shown = controller.getResponse(tasks.getList, args).data?.map(({ id }) => id);
    expect(new Set(shown)).toEqual(new Set(expected));
  }
  controller.stop();
});
