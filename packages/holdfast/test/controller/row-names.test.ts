// Rows whose address and primary key have different names, and lists whose filters are not equality.
import { Controller, createResource, Entity, RestEndpoint, schema, testKey } from 'holdfast';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { breathe, failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id = '';
  title = '';
  status = '';
}
class Place extends Entity {
  static override key = 'Place';
  uuid = '';
  title = '';
  override pk(): string {
    return this.uuid;
  }
}

let server: TestServer;
let controller: Controller;
beforeEach(async () => {
  server = await startServer();
  controller = new Controller(new FakeWorld().options);
});
afterEach(() => server.close());

describe.each([
  ['/todos/:todoId', 'todoId', Todo, 'id'],
  ['/todos/:id', 'id', Place, 'uuid'],
] as const)('%s with a key in another field', (path, param, entity, field) => {
  const create = (optimistic: boolean) =>
    createResource({
      urlPrefix: server.url,
      path: path as '/todos/:id',
      schema: entity as typeof Todo,
      optimistic,
    });
  const named = (value: string) => ({ [param]: value }) as unknown as { id: string };
  const titles = (resource: ReturnType<typeof create>) =>
    controller.getResponse(resource.getList).data?.map(({ title }) => title);
  beforeEach(() => {
    server.on('GET', '/todos', { body: ['1', '2'].map((key) => ({ [field]: key, title: `t${key}` })) });
    server.on('DELETE', '/todos/:any', { status: 204 });
    server.on('PATCH', '/todos/:any', ({ body }) => ({ body: { [field]: '1', ...(body as object) } }));
    server.on('POST', '/todos', ({ body }) => ({ body: { ...(body as object), [field]: '9' } }));
  });

  test.each([false, true])(
    'a delete removes the row, an edit changes it (optimistic: %s)',
    async (optimistic) => {
      const resource = create(optimistic);
      await controller.fetch(resource.getList);

      const editing = controller.fetch(resource.partialUpdate, named('1'), { title: 'x' });
      if (optimistic) expect(titles(resource)).toEqual(['x', 't2']);
      await editing;
      const deleting = controller.fetch(resource.delete, named('2'));
      if (optimistic) expect(titles(resource)).toEqual(['x']);
      await deleting;

      expect(titles(resource)).toEqual(['x']);
    },
  );

  test('a draft has its local id in the field that its key is read from, and nowhere else', async () => {
    const resource = create(true);
    await controller.fetch(resource.getList);

    const creating = controller.fetch(resource.getList.push, { title: 'n' });
    const draft = controller.getResponse(resource.getList).data?.[2];
    expect((draft as unknown as Record<string, string>)[field]).toMatch(/^local:/);
    await creating;

    const created = controller.getResponse(resource.getList).data?.[2];
    expect(created?.pk()).toBe('9');
    expect(JSON.stringify(created)).not.toContain('local:');
  });

  test('a row that came with a list is found by its address', async () => {
    const resource = create(false);
    await controller.fetch(resource.getList);

    expect(controller.getResponse(resource.get, named('1')).data?.title).toBe('t1');
  });
});

test('a mutation that has no optimistic update is sent too', async () => {
  class Pair extends Entity {
    static override key = 'Pair';
    left = '';
    right = '';
    override pk(): string {
      if (!this.left || !this.right) throw new Error('half a pair');
      return `${this.left}-${this.right}`;
    }
  }
  server.on('PATCH', '/pairs/:name', { body: { left: 'a', right: 'b' } });
  const PairResource = createResource({
    urlPrefix: server.url,
    path: '/pairs/:name',
    schema: Pair,
    optimistic: true,
  });

  expect(await controller.fetch(PairResource.partialUpdate, { name: 'x' }, {})).toMatchObject({ left: 'a' });
  server.on('PATCH', '/pairs/:name', { status: 500 });
  const failing = controller.fetch(PairResource.partialUpdate, { name: 'x' }, {});
  expect(await failureOf(failing)).toMatchObject({ status: 500 });
});

test('properties that are undefined are not sent, and are not part of the optimistic update', async () => {
  const held = server.hold('PATCH', '/todos/1');
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    body: {} as { title?: string | undefined; status?: string },
    optimistic: true,
  });
  await controller.set(Todo, { id: '1', title: 'a', status: 'open' });

  const change = { title: undefined, status: 'done' };
  const editing = failureOf(controller.fetch(TodoResource.partialUpdate, { id: '1' }, change));

  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a', status: 'done' });
  (await held.next()).release({ status: 409 });
  await editing;
});

test('parameters that only locate a row are no fields of its optimistic update', async () => {
  const held = server.hold('PATCH', '/projects/1/todos/7');
  server.on('GET', '/projects/:projectId/todos', { body: [{ id: '7', title: 'a' }] });
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/projects/:projectId/todos/:id',
    schema: Todo,
    optimistic: true,
  });
  await controller.fetch(TodoResource.getList, { projectId: '1' });
  await controller.fetch(TodoResource.getList, { projectId: '2' });

  const editing = failureOf(
    controller.fetch(TodoResource.partialUpdate, { projectId: '1', id: '7' }, { title: 'b' }),
  );

  const shown = controller.getResponse(TodoResource.getList, { projectId: '2' }).data;
  expect(shown?.map(({ title }) => title)).toEqual(['b']);
  (await held.next()).release({ status: 409 });
  await editing;
});

describe('a list whose filter is not equality', () => {
  const create = (optimistic: boolean) =>
    createResource({
      urlPrefix: server.url,
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { status?: string; title?: string },
      optimistic,
    });
  beforeEach(() => {
    const rows = [
      { id: '1', title: 'milk', status: 'open' },
      { id: '2', title: 'mint', status: 'closed' },
    ];
    server.on('GET', '/todos', { body: rows });
    server.on('PATCH', '/todos/:id', ({ params, body }) => ({
      body: { ...rows.find(({ id }) => id === params['id']), ...(body as object) },
    }));
  });

  test.each([false, true])(
    'keeps its rows, and is read again when they change (optimistic: %s)',
    async (optimistic) => {
      const TodoResource = create(optimistic);
      const read = (params: object) => controller.getResponse(TodoResource.getList, params as never);
      await controller.fetch(TodoResource.getList, { status: 'all' });
      await controller.fetch(TodoResource.getList, { title: 'mi' });

      await controller.fetch(TodoResource.partialUpdate, { id: '2' }, { title: 'mild' });
      expect(read({ status: 'all' }).data).toHaveLength(2);
      expect(read({ status: 'all' }).expiresAt).toBeGreaterThan(0);
      await controller.fetch(TodoResource.partialUpdate, { id: '1' }, { status: 'closed' });

      expect(read({ status: 'all' }).data).toHaveLength(2);
      expect(read({ title: 'mi' }).data).toHaveLength(2);
      expect(read({ status: 'all' }).expiresAt).toBe(0);
      expect(read({ title: 'mi' }).expiresAt).toBe(0);
    },
  );
});

test('changes of the arguments after the call have no effect', async () => {
  server.on('GET', '/todos', ({ query }) => ({ body: [{ id: query.get('page'), title: 'a' }] }));
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    searchParams: {} as { page: number },
  });
  const params = { page: 0 };
  const all: Promise<unknown>[] = [];
  for (params.page = 1; params.page <= 3; params.page += 1)
    all.push(controller.fetch(TodoResource.getList, params));
  await Promise.all(all);

  for (const page of [1, 2, 3])
    expect(controller.getResponse(TodoResource.getList, { page }).data?.[0]?.id).toBe(String(page));
});

test('the custom filter of a creation gets parameters and body, also where only the body was sent', async () => {
  server.on('GET', '/todos', { body: [] });
  server.on('POST', '/todos', ({ body }) => ({ body: { id: '9', ...(body as object) } }));
  const given: unknown[] = [];
  const todos = new schema.Collection([Todo], {
    createCollectionFilter: (params: { status?: string }, body?: { status?: string }) => {
      given.push([params, body]);
      return (key) => key['status'] === body?.status;
    },
  });
  const getTodos = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos',
    searchParams: {} as { status?: string } | undefined,
    schema: todos,
  });
  await controller.fetch(getTodos, { status: 'open' });

  await controller.fetch(getTodos.push, { title: 'a', status: 'open' });

  expect(given).toEqual([[{}, { title: 'a', status: 'open' }]]);
});

test('endpoints that parse one address in different ways store separate responses', async () => {
  server.on('GET', '/file', { body: { a: 1 } });
  const text = new RestEndpoint({ urlPrefix: server.url, path: '/file', content: 'text' });
  const blob = new RestEndpoint({ urlPrefix: server.url, path: '/file', content: 'blob' });

  const [first, second] = await Promise.all([controller.fetch(blob), controller.fetch(text)]);

  expect(first).toBeInstanceOf(Blob);
  expect(second).toBe('{"a":1}');
  expect(testKey(text, text.key())).toBe(true);
  expect(testKey(text, blob.key())).toBe(false);
});

test.each([false, true])(
  'an update whose response has another key makes the requested row and its lists stale (optimistic: %s)',
  async (optimistic) => {
    class Page extends Entity {
      static override key = 'Page';
      slug = '';
      title = '';
      override pk(): string {
        return this.slug;
      }
    }
    const PageResource = createResource({
      urlPrefix: server.url,
      path: '/pages/:slug',
      schema: Page,
      optimistic,
    });
    let slug = 'old';
    server.on('GET', '/pages', () => ({ body: [{ slug, title: 'a' }] }));
    server.on('GET', '/pages/:slug', ({ params }) =>
      params['slug'] === slug ? { body: { slug, title: 'a' } } : { status: 404 },
    );
    server.on('PATCH', '/pages/:slug', ({ body }) => {
      ({ slug } = body as { slug: string });
      return { body: { slug, title: 'a' } };
    });
    const stop = controller.watch(PageResource.getList).subscribe(() => undefined);
    const stopOne = controller.watch(PageResource.get, { slug: 'old' }).subscribe(() => undefined);
    await until(() => controller.getResponse(PageResource.getList).data !== undefined);

    const renamed = await controller.fetch(PageResource.partialUpdate, { slug: 'old' }, { slug: 'new' });
    expect(renamed.slug).toBe('new');
    await until(
      () => server.seen('GET', '/pages').length === 2 && server.seen('GET', '/pages/old').length === 2,
    );
    await breathe();

    expect(controller.getResponse(PageResource.getList).data?.map((page) => page.slug)).toEqual(['new']);
    expect(controller.get(Page, { slug: 'old' })).toBeUndefined();
    stop();
    stopOne();
  },
);
