// Creations whose rows have no server id for a while: their response has no body, or the server gives only a part of the key.
import { Controller, createResource, Entity, getPending, isDraft, schema, viewKey } from 'holdfast';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breathe, failureOf, FakeWorld, until } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

class Todo extends Entity {
  static override key = 'Todo';
  id: number | string = 0;
  title = '';
}

let server: TestServer;
let world: FakeWorld;
let controller: Controller;
let rows: { id: number; title: string }[];
beforeEach(async () => {
  server = await startServer();
  world = new FakeWorld();
  controller = new Controller(world.options);
  rows = [{ id: 1, title: 'milk' }];
  server.on('GET', '/todos', () => ({ body: rows }));
  server.on('POST', '/todos', ({ body }) => {
    rows = [...rows, { id: rows.length + 1, title: (body as { title: string }).title }];
    return { status: 204 };
  });
});
afterEach(() => server.close());

const create = () =>
  createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    body: {} as { title: string },
    optimistic: true,
  });

/** A mounted reader of the list, and everything that it has shown, without repetitions. */
function show(TodoResource: ReturnType<typeof create>) {
  const observer = controller.watch(TodoResource.getList, {});
  const shown: string[] = [];
  const look = (): void => {
    const { data = [] } = observer.readShown() as { data?: Todo[] };
    const text = data.map((todo) => todo.title).join(' ');
    if (text !== shown.at(-1)) shown.push(text);
  };
  const stop = observer.subscribe(look);
  look();
  return { shown, stop };
}

test('a created row with a 204 response stays on screen until the list has been read again', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, {});
  const { shown, stop } = show(TodoResource);

  await controller.fetch(TodoResource.getList.push, { title: 'tea' });
  await controller.fetch(TodoResource.getList.push, { title: 'rice' });
  expect(getPending(controller, Todo, {})).toEqual([]);
  await until(() => server.seen('GET', '/todos').length === 3);
  await breathe();

  expect(shown).toEqual(['milk', 'milk tea', 'milk tea rice']);
  expect(controller.getResponse(TodoResource.getList, {}).data?.map(({ id }) => id)).toEqual([1, 2, 3]);
  stop();
});

test('a created row with a 204 response is removed when reading the list fails, and when no reader shows the list', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, {});
  const titles = () => controller.getResponse(TodoResource.getList, {}).data?.map(({ title }) => title);

  await controller.fetch(TodoResource.getList.push, { title: 'tea' });
  expect(titles()).toEqual(['milk']);

  const { stop } = show(TodoResource);
  await breathe();
  expect(titles()).toEqual(['milk', 'tea']);
  const held = server.hold('GET', '/todos');
  await controller.fetch(TodoResource.getList.push, { title: 'rice' });
  expect(titles()).toEqual(['milk', 'tea', 'rice']);
  (await held.next()).drop();
  await breathe();
  expect(titles()).toEqual(['milk', 'tea']);
  stop();
});

test('a created row with a 204 response stays in every list on screen until that list has been read again', async () => {
  const TodoResource = create();
  const lists = [{}, { orderBy: 'title' }];
  const titles = () =>
    lists.map((args) => {
      const todos = controller.getResponse(TodoResource.getList, args).data ?? [];
      return todos.map(({ id, title }) => (String(id).startsWith('local:') ? `${title}*` : title)).join(' ');
    });
  for (const args of lists) await controller.fetch(TodoResource.getList, args);
  const stops = lists.map((args) => controller.watch(TodoResource.getList, args).subscribe(() => undefined));
  const held = server.hold('GET', '/todos');

  await controller.fetch(TodoResource.getList.push, { title: 'tea' });
  expect(titles()).toEqual(['milk tea*', 'milk tea*']);
  await until(() => held.caught.length === 2);
  held.caught.find(({ request }) => !request.query.has('orderBy'))?.release();
  await until(() => titles()[0] === 'milk tea');
  expect(titles()).toEqual(['milk tea', 'milk tea*']);

  await controller.fetch(TodoResource.getList.push, { title: 'rice' });
  expect(titles()).toEqual(['milk tea rice*', 'milk tea* rice*']);
  held.releaseAll();
  await until(() => titles().join() === 'milk tea rice,milk tea rice');
  for (const stop of stops) stop();
});

test('calls that wait for the id of a row with a 204 response reject, because there is no id', async () => {
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, {});
  const { stop } = show(TodoResource);
  const held = server.hold('POST', '/todos');
  const creating = controller.fetch(TodoResource.getList.push, { title: 'tea' });
  const post = await held.next();
  const id = controller.getResponse(TodoResource.getList, {}).data?.[1]?.id ?? '';
  const editing = failureOf(controller.fetch(TodoResource.partialUpdate, { id }, { title: 'green tea' }));

  post.release();
  await creating;

  expect(await editing).toMatchObject({ code: 'DRAFT_NOT_CREATED', params: { localId: id } });
  expect(server.seen('PATCH', '*')).toHaveLength(0);
  stop();
});

class Seat extends Entity {
  static override key = 'Seat';
  row = '';
  num = 0;
  override pk() {
    return `${this.row}:${this.num}`;
  }
}

test('created rows whose key lacks the part that the server gives are separate rows, and keep their view keys', async () => {
  const SeatResource = createResource({
    urlPrefix: server.url,
    path: '/seats/:row/:num',
    schema: Seat,
    optimistic: true,
  });
  server.on('GET', '/seats/:row', { body: [{ row: 'A', num: 1 }] });
  const seats = () => controller.getResponse(SeatResource.getList, { row: 'A' }).data ?? [];
  await controller.fetch(SeatResource.getList, { row: 'A' });
  const held = server.hold('POST', '/seats/A');

  const creating = [1, 2].map(() => controller.fetch(SeatResource.getList.push, { row: 'A' }, {}));
  expect(seats().map(({ row }) => row)).toEqual(['A', 'A', 'A']);
  const keys = seats().map(viewKey);
  expect(new Set(keys).size).toBe(3);
  expect(seats().map(isDraft)).toEqual([false, true, true]);

  (await held.next()).release({ body: { row: 'A', num: 7 } });
  (await held.next()).release({ body: { row: 'A', num: 8 } });
  await Promise.all(creating);
  expect(seats().map(({ num }) => num)).toEqual([1, 7, 8]);
  expect(seats().map(viewKey)).toEqual(keys);
  expect(seats().map(isDraft)).toEqual([false, false, false]);
});

test('a key that contains the word "undefined" is the key that the row was given', async () => {
  class Page extends Entity {
    static override key = 'Page';
    slug = '';
    override pk(): string {
      return this.slug;
    }
  }
  const PageResource = createResource({
    urlPrefix: server.url,
    path: '/pages/:slug',
    schema: Page,
    body: {} as { slug: string },
    optimistic: true,
  });
  const held = server.hold('POST', '/pages');
  const creating = failureOf(controller.fetch(PageResource.getList.push, { slug: 'undefined-behaviour' }));

  expect(controller.get(Page, { slug: 'undefined-behaviour' })?.slug).toBe('undefined-behaviour');
  (await held.next()).release({ status: 409 });
  await creating;
});

test('a list that was written back with a draft contains the row once when the row arrives with another response', async () => {
  const TodoResource = create();
  const read = () => controller.getResponse(TodoResource.getList, {}).data ?? [];
  const ids = () => read().map((todo) => todo.id);
  await controller.fetch(TodoResource.getList, {});
  const held = server.hold('POST', '/todos');
  const creating = controller.fetch(TodoResource.getList.push, { title: 'tea' });
  await controller.setResponse(TodoResource.getList, {}, read().toReversed());
  await controller.set(Todo, { id: 2, title: 'tea' });

  (await held.next()).release({ status: 201, body: { id: 2, title: 'tea' } });
  await creating;
  expect(ids()).toEqual([2, 1]);

  // the row still belongs to the list: a delete removes it for good
  server.on('DELETE', '/todos/2', { status: 204 });
  await controller.fetch(TodoResource.delete, { id: 2 });
  await controller.set(Todo, { id: 2, title: 'new' });
  expect(ids()).toEqual([1]);
});

test('a nested payload with the local id of a draft applies to the row that arrived with another response', async () => {
  class Plan extends Entity {
    static override key = 'Plan';
    id = '';
    first: Todo | undefined = undefined;
    static override schema = { first: Todo };
  }
  const TodoResource = create();
  await controller.fetch(TodoResource.getList, {});
  const held = server.hold('POST', '/todos');
  const creating = controller.fetch(TodoResource.getList.push, { title: 'tea' });
  const draft = controller.getResponse(TodoResource.getList, {}).data?.[1];
  await controller.set(Plan, { id: 'p', first: draft?.id });
  await controller.set(Todo, { id: 2, title: 'tea' });
  (await held.next()).release({ status: 201, body: { id: 2, title: 'tea' } });
  await creating;

  // a function has read the response to the creation
  await controller.set(Plan, { id: 'p' }, (plan) => ({ ...plan, first: { id: draft?.id, title: 'coffee' } }));

  expect(controller.get(Todo, { id: 2 })?.title).toBe('coffee');
  expect(controller.get(Plan, { id: 'p' })?.first?.title).toBe('coffee');
});

test.each(['the answer', 'another read'])(
  'a row is found by its relation to a draft whose id came with %s',
  async (bringer) => {
    class Author extends Entity {
      static override key = 'Author';
      id = '';
      name = '';
    }
    class Post extends Entity {
      static override key = 'Post';
      static override indexes = ['author'] as const;
      static override schema = { author: Author };
      id = '';
      author: Author = undefined as never; // cast: always there
    }
    const options = { urlPrefix: server.url, body: {} as object, optimistic: true };
    const authors = createResource({ ...options, path: '/authors/:id', schema: Author });
    server.on('GET', '/authors/:id', { body: { id: 'a9', name: 'Ann' } });
    server.on('POST', '/authors', { status: 201, body: { id: 'a9', name: 'Ann' } });
    const held = server.hold('POST', '/authors');
    const created = controller.fetch(authors.getList.push, { name: 'Ann' });
    const answer = await held.next();
    const draft = controller.get(new schema.All(Author))?.[0];
    await controller.set(Post, { id: 'p1', author: draft });
    expect(controller.get(Post, { author: viewKey(draft!) } as never)?.id).toBe('p1');

    if (bringer === 'another read') await controller.fetch(authors.get, { id: 'a9' });
    answer.release();
    await created;

    expect(controller.get(Post, { id: 'p1' })?.author.id).toBe('a9');
    expect(controller.get(Post, { author: 'a9' } as never)?.id).toBe('p1');
  },
);
