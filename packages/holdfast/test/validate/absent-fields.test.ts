// A field that may be absent, in a hand-written class: its type includes undefined, and it reads as undefined.
import { Controller, createResource, Entity } from 'holdfast';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { startServer } from '../support/server.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}
class Post extends Entity {
  id = '';
  title = '';
  note = '';
  body?: string;
  author?: User;
  static override key = 'Post';
  static override schema = { author: User };
}

test('a field without a default reads as undefined until a response contains it', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const controller = new Controller();
  const posts = createResource({ urlPrefix: server.url, path: '/posts/:id', schema: Post });
  server.on('GET', '/posts', { body: [{ id: '1', title: 'a' }] });
  server.on('GET', '/posts/:id', {
    body: { id: '1', title: 'a', body: 'long', author: { id: '7', name: 'Ada' } },
  });

  const [summary] = await controller.fetch(posts.getList);
  expect(summary).toMatchObject({ title: 'a', note: '' });
  expect(summary?.body).toBeUndefined();
  expect(summary?.author).toBeUndefined();

  const post = await controller.fetch(posts.get, { id: '1' });
  expect(post).toMatchObject({ body: 'long', author: { name: 'Ada' } });
  const [row] = await controller.fetch(posts.getList);
  expect(row?.body).toBe('long');
  expectTypeOf<Post['body']>().toEqualTypeOf<string | undefined>();
});

test('fields that a summary lacks are fetched, and are not shown as defaults meanwhile', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const controller = new Controller();
  const posts = createResource({ urlPrefix: server.url, path: '/posts/:id', schema: Post });
  server.on('GET', '/posts', { body: [{ id: '1', title: 'a' }] });
  server.on('GET', '/posts/:id', { body: { id: '1', title: 'a', note: 'n', body: 'long' } });
  await controller.fetch(posts.getList);

  const post = await controller.fetchIfStale(posts.get, { id: '1' });

  expect(post.body).toBe('long');
  expect(server.seen('GET', '/posts/1')).toHaveLength(1);
});

test('a nested row without a default reads as undefined when it is deleted, and the rest stays', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const controller = new Controller();
  const users = createResource({ urlPrefix: server.url, path: '/users/:id', schema: User });
  server.on('DELETE', '/users/:id', { status: 204 });
  await controller.set(Post, { id: '1', title: 'a', author: { id: '7', name: 'Ada' } });

  await controller.fetch(users.delete, { id: '7' });

  expect(controller.get(Post, { id: '1' })).toMatchObject({ title: 'a' });
  expect(controller.get(Post, { id: '1' })?.author).toBeUndefined();
});
