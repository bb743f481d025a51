// Inverse relations: both ends follow from one field. Over a server with authors, posts and tags.
import { Controller, createResource, dehydrate, Entity, hydrate, schema, snakeCase, toPlain } from 'holdfast';
import { inverse } from 'holdfast/local';
import { expect, onTestFinished, test } from 'vitest';
import { breathe, failureOf, FakeWorld } from '../support/fake-world.ts';
import { startServer } from '../support/server.ts';

class Author extends Entity {
  static override key = 'InverseAuthor';
  id = '';
  name = '';
  posts: Post[] = [];
  static override schema = {
    posts: inverse(() => Post, 'author', { list: () => Posts.getList, by: 'authorId' }),
  };
}
class Tag extends Entity {
  static override key = 'InverseTag';
  id = '';
  posts: Post[] = [];
  static override schema = { posts: inverse(() => Post, 'tags') };
}
class Post extends Entity {
  static override key = 'InversePost';
  id = '';
  title = '';
  author: Author = Author.fromJS();
  tags: Tag[] = [];
  static override schema = { author: Author, tags: [Tag] };
}
/** The lists, whose urls no test requests. */
const Posts: { getList: ReturnType<typeof listOfPosts> } = { getList: listOfPosts('') };

function listOfPosts(urlPrefix: string) {
  return createResource({
    urlPrefix,
    path: '/posts/:id',
    schema: Post,
    searchParams: {} as { authorId?: string } | undefined,
  }).getList.extend({ schema: new schema.Collection([Post], { argsKey: ({ authorId }) => ({ authorId }) }) });
}

const titles = (author: { readonly posts: readonly Post[] } | undefined): string =>
  (author?.posts ?? []).map(({ title }) => title).join(' ');

/** A promise that the test resolves. */
function hold<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

async function start() {
  const server = await startServer();
  const world = new FakeWorld();
  const posts = new Map<string, object>();
  for (const [id, title, author] of [
    ['1', 'milk', '5'],
    ['2', 'bread', '5'],
    ['3', 'tea', '6'],
  ] as const)
    posts.set(id, { id, title, author: { id: author, name: author === '5' ? 'Ada' : 'Bob' }, tags: [] });
  /** Called before each mutation is answered: a test may hold or refuse it. */
  const answer = { before: async (): Promise<number | undefined> => Promise.resolve(undefined) };
  server.on('GET', '/posts', () => ({ body: [...posts.values()] }));
  server.on('PATCH', '/posts/:id', async ({ params: { id = '' }, body }) => {
    const status = await answer.before();
    if (status !== undefined) return { status };
    posts.set(id, { ...posts.get(id), ...(body as object) });
    return { body: posts.get(id) };
  });
  server.on('POST', '/posts', async ({ body }) => {
    const status = await answer.before();
    if (status !== undefined) return { status };
    const id = String(posts.size + 1);
    posts.set(id, { id, ...(body as object) });
    return { status: 201, body: posts.get(id) };
  });
  server.on('DELETE', '/posts/:id', ({ params: { id = '' } }) => {
    posts.delete(id);
    return { status: 204 };
  });
  server.on('POST', '/authors', async ({ body }) => {
    const status = await answer.before();
    return status === undefined ? { status: 201, body: { ...(body as object), id: '7' } } : { status };
  });
  server.on('GET', '/authors/:id', ({ params: { id } }) => ({ body: { id, name: 'Ada' } }));
  server.on('PATCH', '/authors/:id', ({ params: { id }, body }) => ({ body: { ...(body as object), id } }));
  const options = { urlPrefix: server.url, optimistic: true } as const;
  const PostResource = createResource({ ...options, path: '/posts/:id', schema: Post });
  const AuthorResource = createResource({ ...options, path: '/authors/:id', schema: Author });
  const controller = new Controller({ ...world.options });
  controller.start();
  onTestFinished(async () => {
    controller.stop();
    await server.close();
  });
  const read = (id: string): Author | undefined => controller.get(Author, { id });
  return { server, answer, controller, PostResource, AuthorResource, read };
}

test('an author shows the stored posts with this author, and each post shows the author', async () => {
  const { controller, PostResource, read } = await start();

  await controller.fetch(PostResource.getList);

  const [ada, bob] = [read('5')!, read('6')!];
  expect(titles(ada)).toBe('milk bread');
  expect(ada.posts.map(({ author }) => author)).toEqual([ada, ada]);
  expect(ada.posts[0]!.author).toBe(ada);
  expect(bob.posts).toEqual([controller.get(Post, { id: '3' })]);
  expect(read('5')).toBe(ada);
});

test('a post enters another author with the optimistic update, and comes back when the server refuses', async () => {
  const { controller, PostResource, read, answer } = await start();
  await controller.fetch(PostResource.getList);
  const held = hold<number>();
  answer.before = () => held.promise;

  const moved = controller.fetch(PostResource.partialUpdate, { id: '1' }, { author: '6' } as object);
  const meanwhile = [titles(read('5')), titles(read('6'))];
  held.resolve(409);
  await failureOf(moved);

  expect(meanwhile).toEqual(['bread', 'milk tea']);
  expect([titles(read('5')), titles(read('6'))]).toEqual(['milk bread', 'tea']);
});

test('a created post of a created author stays with the author when the server names both', async () => {
  const { controller, PostResource, AuthorResource, read, answer } = await start();
  const held = hold<undefined>();
  answer.before = () => held.promise;
  const created = controller.fetch(AuthorResource.getList.push, { name: 'Cy' });
  const [draft] = controller.get(new schema.All(Author))!;
  const post = controller.fetch(PostResource.getList.push, { title: 'new', author: draft!.id } as object);
  const before = controller.get(new schema.All(Author))!.map(titles);

  held.resolve(undefined);
  await Promise.all([created, post]);

  expect(before).toEqual(['new']);
  expect(titles(read('7'))).toBe('new');
  expect(controller.get(Post, { id: '4' })!.author).toBe(read('7'));
});

test('a stored post that names a draft stays with it when the server names the draft', async () => {
  const { controller, AuthorResource, read, answer } = await start();
  const held = hold<undefined>();
  answer.before = () => held.promise;
  const created = controller.fetch(AuthorResource.getList.push, { name: 'Cy' });
  const [draft] = controller.get(new schema.All(Author))!;
  await controller.set(Post, { id: '1' }, { id: '1', title: 'milk', author: draft!.id } as object);
  const before = titles(controller.get(Author, { id: draft!.id }));

  held.resolve(undefined);
  await created;

  expect([before, titles(read('7'))]).toEqual(['milk', 'milk']);
});

test('a deleted post leaves its author', async () => {
  const { controller, PostResource, read } = await start();
  await controller.fetch(PostResource.getList);

  await controller.fetch(PostResource.delete, { id: '1' });

  expect(titles(read('5'))).toBe('bread');
});

test('a post with two tags is in both, and leaves one of them alone', async () => {
  const { controller } = await start();
  await controller.set(Post, { id: '1' }, { id: '1', title: 'milk', tags: [{ id: 'a' }, { id: 'b' }] });
  await controller.set(Post, { id: '2' }, { id: '2', title: 'tea', tags: [{ id: 'b' }] });
  const read = (id: string): string => titles(controller.get(Tag, { id }));
  const before = [read('a'), read('b')];

  await controller.set(Post, { id: '1' }, { id: '1', tags: ['a'] } as object);

  expect(before).toEqual(['milk', 'milk tea']);
  expect([read('a'), read('b')]).toEqual(['milk', 'tea']);
});

test('the rows of the list come first, in its order, and an instance that is set again is no list', async () => {
  const { controller, read } = await start();
  await controller.set(Post, { id: '9' }, { id: '9', title: 'nine', author: { id: '5' } });
  await controller.setResponse(Posts.getList, { authorId: '5' }, [
    { id: '2', title: 'two', author: '5' },
    { id: '1', title: 'one', author: '5' },
  ]);

  expect(titles(read('5'))).toBe('two one nine');
  await controller.set(Author, { id: '5' }, { ...read('5')!, name: 'Ada' });
  expect(controller.get(Posts.getList.schema, { authorId: '5' })!.map(({ title }) => title)).toEqual([
    'two',
    'one',
  ]);
});

test('the rows of a response that nests them get the author, and are the list of the author', async () => {
  const { controller, read } = await start();

  await controller.set(Author, { id: '5' }, {
    id: '5',
    name: 'Ada',
    posts: [
      { id: '2', title: 'two' },
      { id: '1', title: 'one', author: '5' },
    ],
  } as object);

  expect(titles(read('5'))).toBe('two one');
  expect(controller.get(Post, { id: '2' })!.author).toBe(read('5'));
  expect(titles({ posts: controller.get(Posts.getList.schema, { authorId: '5' })! })).toBe('two one');
});

test('a body that is made from an entity has no inverse field, also as a plain copy and under names on the wire', async () => {
  const { server, controller, PostResource, AuthorResource, read } = await start();
  await controller.fetch(PostResource.getList);
  class Named extends Author {
    static override wireNames = snakeCase;
  }
  const NamedResource = createResource({ urlPrefix: server.url, path: '/authors/:id', schema: Named });
  const ada = read('5')!;

  await controller.fetch(AuthorResource.partialUpdate, { id: '5' }, { ...ada, name: 'Eve' });
  await controller.fetch(AuthorResource.partialUpdate, { id: '5' }, toPlain(ada) as object);
  await controller.fetch(NamedResource.partialUpdate, { id: '5' }, { ...ada });

  const bodies = server.seen('PATCH', '/authors/:id').map(({ body }) => body);
  expect(bodies).toEqual([
    { id: '5', name: 'Eve' },
    { id: '5', name: 'Ada' },
    { id: '5', name: 'Ada' },
  ]);
  expect(JSON.parse(JSON.stringify({ posts: 1, items: ada.posts }))).toMatchObject({
    items: [{ id: '1' }, { id: '2' }],
  });
  expect(titles(read('5'))).toBe('milk bread');
});

test('an entity that lacks nothing but its inverse field is not read again', async () => {
  const { server, controller, AuthorResource } = await start();
  await controller.set(Author, { id: '5' }, { id: '5', name: 'Ada' });

  const observer = controller.watch(AuthorResource.get, { id: '5' });
  const stop = observer.subscribe(() => {});
  await breathe();
  stop();

  expect(server.seen('GET', '/authors/:id').length).toBe(0);
  expect(observer.read().data?.name).toBe('Ada');
});

test('a saved state has both ends', async () => {
  const { controller, PostResource } = await start();
  await controller.fetch(PostResource.getList);
  const other = new Controller();

  hydrate(other, JSON.parse(JSON.stringify(dehydrate(controller))) as never); // cast: what was dehydrated

  expect(titles(other.get(Author, { id: '5' }))).toBe('milk bread');
});

test('a relation that is read as an id gives no cycle, and a change of one post keeps the others', async () => {
  class Writer extends Entity {
    static override key = 'InverseWriter';
    id = '';
    texts: Text[] = [];
    static override schema = { texts: inverse(() => Text, 'writer') };
  }
  class Text extends Entity {
    static override key = 'InverseText';
    id = '';
    title = '';
    writer = '';
    static override schema = { writer: new schema.Lazy(Writer) };
  }
  const controller = new Controller();
  for (const id of ['1', '2'])
    await controller.set(Text, { id }, { id, title: 'a', writer: { id: '5' } } as object);
  const before = controller.get(Writer, { id: '5' })!;

  await controller.set(Text, { id: '1' }, { id: '1', title: 'b' });

  const after = controller.get(Writer, { id: '5' })!;
  expect(after.texts.map(({ title, writer }) => title + writer)).toEqual(['b5', 'a5']);
  expect(after.texts[1]).toBe(before.texts[1]);
  await controller.set(Text, { id: '3' }, { id: '3', title: 'c', writer: { id: '6' } } as object);
  expect(controller.get(Writer, { id: '5' })).toBe(after);
});

test.each(['title', 'nothing', 'either', 'other'])(
  'an inverse of the field %s, which does not refer to the entity, is an error with a code',
  async (field) => {
    class Owner extends Entity {
      static override key = 'InverseOwner';
      id = '';
      items: Item[] = [];
      static override schema: Record<string, unknown> = { items: inverse(() => Item, field as 'id') };
    }
    class Other extends Entity {
      static override key = 'InverseOther';
      id = '';
    }
    class Item extends Entity {
      static override key = 'InverseItem';
      id = '';
      static override schema = { either: new schema.Union({ owner: Owner }, 'id'), other: Other };
    }
    const controller = new Controller();
    await controller.set(Owner, { id: '1' }, { id: '1' });

    expect(() => controller.get(Owner, { id: '1' })).toThrow(
      expect.objectContaining({ code: 'INVERSE_WITHOUT_RELATION' }) as Error,
    );
  },
);

test('an inverse with an endpoint that has no list is an error where it is declared', () => {
  const { get } = createResource({ path: '/posts/:id', schema: Post });

  expect(() => inverse(() => Post, 'author', { list: get })).toThrow(
    expect.objectContaining({ code: 'LOCAL_WITHOUT_LIST' }) as Error,
  );
});
