import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  schema,
} from 'holdfast';
import type { Denormalize, ReadEndpoint, ResourceOptions, RestOptions } from 'holdfast';
import { describe, expectTypeOf, test } from 'vitest';

class Account extends Entity {
  static override key = 'Account';
  id = '';
  balance = 0;
}

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  userId = 0;
  title = '';
  completed = false;
}

type Id = { id: string | number };

const TodoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  schema: Todo,
});

describe('members', () => {
  test('get takes the path parameters and returns the entity', () => {
    expectTypeOf(TodoResource.get).parameters.toEqualTypeOf<[params: Id]>();
    expectTypeOf(TodoResource.get.schema).toEqualTypeOf<typeof Todo>();
    expectTypeOf(TodoResource.get.sideEffect).toEqualTypeOf<undefined>();
    expectTypeOf(TodoResource.get.path).toEqualTypeOf<'/todos/:id'>();
    // @ts-expect-error id is required
    void TodoResource.get();
    // @ts-expect-error no such parameter
    void TodoResource.get({ id: 5, title: 'x' });
  });

  test('getList takes any search parameters unless they are named', () => {
    expectTypeOf(TodoResource.getList).toBeCallableWith();
    expectTypeOf(TodoResource.getList).toBeCallableWith({ userId: 5, tags: ['a'], since: new Date() });
    expectTypeOf(TodoResource.getList.path).toEqualTypeOf<'/todos'>();
    expectTypeOf<Denormalize<typeof TodoResource.getList.schema>>().toEqualTypeOf<Todo[]>();
    // @ts-expect-error a function is no search parameter
    void TodoResource.getList({ userId: () => 5 });
  });

  test('push accepts the fields of the entity', () => {
    expectTypeOf(TodoResource.getList.push).toBeCallableWith({ title: 'x' });
    expectTypeOf(TodoResource.getList.push).toBeCallableWith({ userId: 5 }, { title: 'x' });
    expectTypeOf(TodoResource.getList.push.sideEffect).toEqualTypeOf<true>();
    expectTypeOf<Denormalize<typeof TodoResource.getList.push.schema>>().toEqualTypeOf<Todo>();
    // @ts-expect-error title is text
    void TodoResource.getList.push({ title: 5 });
    // @ts-expect-error no such field
    void TodoResource.getList.push({ userId: 5 }, { titel: 'x' });
  });

  test('push sends one row and returns one, or several where the body type allows it', () => {
    expectTypeOf(
      new Controller().fetch(TodoResource.getList.push, { title: 'x' }),
    ).resolves.toEqualTypeOf<Todo>();
    // @ts-expect-error an array where one row is sent
    void new Controller().fetch(TodoResource.getList.push, [{ title: 'x' }]);
    // @ts-expect-error the same for a direct call
    void TodoResource.getList.unshift([{ title: 'x' }]);

    const pushAll = TodoResource.getList.push.extend({ body: [] as Partial<Todo>[] });
    expectTypeOf(new Controller().fetch(pushAll, [{ title: 'x' }])).resolves.toEqualTypeOf<Todo[]>();
    expectTypeOf(pushAll([{ title: 'x' }])).resolves.items.toHaveProperty('title');
    // @ts-expect-error one row where several are sent
    void pushAll({ title: 'x' });
    const unknownBody = TodoResource.getList.push.extend({ body: {} as unknown });
    expectTypeOf(new Controller().fetch(unknownBody, {})).resolves.toEqualTypeOf<Todo>();
    const anyBody = TodoResource.getList.push.extend({ body: JSON.parse('{}') });
    expectTypeOf(new Controller().fetch(anyBody, {})).resolves.toEqualTypeOf<Todo>();
    const ordered = TodoResource.update.extend({ body: [] as string[] });
    expectTypeOf(new Controller().fetch(ordered, { id: 1 }, ['a'])).resolves.toEqualTypeOf<Todo>();
  });

  test('assign exists for maps of members', () => {
    // @ts-expect-error an array has no named members
    void (() => TodoResource.getList.assign({ eur: { id: 1 } }));
    const rates = new RestEndpoint({ path: '/rates', schema: new Collection(new schema.Values(Todo)) });
    expectTypeOf(rates.assign).toBeCallableWith({ eur: Todo.fromJS({ id: 1 }) });
    expectTypeOf(rates.assign).toBeCallableWith({ eur: { title: 'x' } });
    // @ts-expect-error no such field
    void (() => rates.assign({ eur: { titel: 'x' } }));
  });

  test('update and partialUpdate take the path parameters and a body', () => {
    expectTypeOf(TodoResource.update).toBeCallableWith({ id: 5 }, { title: 'x' });
    expectTypeOf(TodoResource.update).toBeCallableWith({ id: 5 }, new FormData());
    expectTypeOf(TodoResource.partialUpdate).toBeCallableWith({ id: 5 }, { completed: true });
    // @ts-expect-error a body is required
    void TodoResource.update({ id: 5 });
    // @ts-expect-error no such field
    void TodoResource.partialUpdate({ id: 5 }, { complete: true });
    expectTypeOf(TodoResource.update.sideEffect).toEqualTypeOf<true>();
  });

  test('delete is a mutation and accepts no body', () => {
    expectTypeOf(TodoResource.delete).parameters.toEqualTypeOf<[params: Id]>();
    expectTypeOf(TodoResource.delete.sideEffect).toEqualTypeOf<true>();
    const read = <E extends ReadEndpoint>(_endpoint: E): void => {};
    read(TodoResource.get);
    // @ts-expect-error a mutation cannot be read
    read(TodoResource.delete);
  });

  test('move takes the path of one row, and remove that of the list', () => {
    expectTypeOf(TodoResource.getList.move).toBeCallableWith({ id: 5 }, { userId: 6 });
    expectTypeOf(TodoResource.getList.remove).toBeCallableWith({ userId: 5 }, { id: 5 });
    // @ts-expect-error id is required
    void TodoResource.getList.move({}, { userId: 6 });
  });

  test('getPage needs paginationField', () => {
    expectTypeOf(TodoResource.getList.getPage).toEqualTypeOf<undefined>();
    const paged = createResource({ path: '/todos/:id', schema: Todo, paginationField: 'cursor' });
    expectTypeOf(paged.getList.getPage).toBeCallableWith({ cursor: 'x', userId: 5 });
    // @ts-expect-error the cursor is required
    void paged.getList.getPage({ userId: 5 });
  });

  test('resource is the same function as createResource', () => {
    expectTypeOf(resource).toEqualTypeOf(createResource);
  });
});

describe('options', () => {
  test('body types push, update and partialUpdate', () => {
    const typed = createResource({
      path: '/todos/:id',
      schema: Todo,
      body: {} as { title: string; userId: number },
    });
    expectTypeOf(typed.getList.push).toBeCallableWith({ title: 'x', userId: 1 });
    // @ts-expect-error userId is missing
    void typed.getList.push({ title: 'x' });
    expectTypeOf(typed.update).parameter(1).toEqualTypeOf<{ title: string; userId: number }>();
    expectTypeOf(typed.partialUpdate).parameter(1).toEqualTypeOf<{ title?: string; userId?: number }>();
    expectTypeOf(typed.getList).toBeCallableWith();
  });

  test('searchParams types getList and push', () => {
    const typed = createResource({
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { userId: number },
    });
    expectTypeOf(typed.getList).parameters.toEqualTypeOf<[params: { userId: number }]>();
    expectTypeOf(typed.getList.push).toBeCallableWith({ userId: 1 }, { title: 'x' });
    // @ts-expect-error userId is required
    void typed.getList();
    // @ts-expect-error no such parameter
    void typed.getList({ userId: 1, page: 2 });
    const optional = createResource({
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { userId?: number } | undefined,
    });
    expectTypeOf(optional.getList).toBeCallableWith();
    expectTypeOf(optional.getList).toBeCallableWith({ userId: 1 });
  });

  test('a nested path keeps its other parameters in the list', () => {
    const nested = createResource({ path: '/users/:userId/todos/:id', schema: Todo });
    expectTypeOf(nested.getList).toBeCallableWith({ userId: 1 });
    expectTypeOf(nested.getList).toBeCallableWith({ userId: 1, completed: true });
    // @ts-expect-error userId is required
    void nested.getList({ completed: true });
    expectTypeOf(nested.getList.push).toBeCallableWith({ userId: 1 }, { title: 'x' });
    const deep = createResource({ path: '/a/:a/b/:b/c/:c', schema: Todo, searchParams: undefined });
    expectTypeOf(deep.getList).parameter(0).toEqualTypeOf<{ a: string | number; b: string | number }>();
    const odd = createResource({ path: '/a/:a?/b/:b', schema: Todo, searchParams: undefined });
    expectTypeOf(odd.getList).toBeCallableWith();
    const flat = createResource({ path: '/a/:a', schema: Todo, searchParams: undefined });
    expectTypeOf(flat.getList).parameters.toEqualTypeOf<[]>();
    const dynamic = createResource({ path: String('/a/:a'), schema: Todo });
    expectTypeOf(dynamic.getList).toBeCallableWith({ anything: 1 });
  });

  test('an Endpoint class gives its own members to the resource', () => {
    class AuthEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
      readonly audience: string = 'todos';
    }
    const authed = createResource({ path: '/todos/:id', schema: Todo, Endpoint: AuthEndpoint });
    expectTypeOf(authed.get.audience).toEqualTypeOf<string>();
    expectTypeOf(authed.get).toBeCallableWith({ id: 1 });
    // @ts-expect-error not an endpoint class
    createResource({ path: '/todos/:id', schema: Todo, Endpoint: Date });
  });

  test('further endpoint options are accepted, unknown ones are not', () => {
    const polled = createResource({
      path: '/todos/:id',
      schema: Todo,
      pollFrequency: 60_000,
      dataExpiryLength: 5,
      optimistic: true,
    });
    expectTypeOf(polled.get).toBeCallableWith({ id: 1 });
    // @ts-expect-error a number
    createResource({ path: '/todos/:id', schema: Todo, pollFrequency: 'often' });
    // @ts-expect-error the schema is required
    createResource({ path: '/todos/:id' });
  });
});

describe('extend', () => {
  test('accepts a batch of options', () => {
    const Extended = TodoResource.extend({
      getList: { path: '/lists/:list/todos', schema: { results: new Collection([Todo]), total: 0 } },
      update: { body: {} as { title: string } },
    });
    expectTypeOf(Extended.getList).toBeCallableWith({ list: 1 });
    expectTypeOf(Extended.getList.push).toBeCallableWith({ list: 1 }, { title: 'x' });
    expectTypeOf(Extended.update).parameters.toEqualTypeOf<[params: Id, body: { title: string }]>();
    expectTypeOf(Extended.get).toEqualTypeOf(TodoResource.get);
    // @ts-expect-error no such member
    TodoResource.extend({ getLists: { path: '/x' } });
    // @ts-expect-error a path is text
    TodoResource.extend({ get: { path: 5 } });
  });

  test('adds a member', () => {
    const Extended = TodoResource.extend('vote', {
      path: '/todos/:id/vote',
      method: 'POST',
      body: undefined,
    });
    expectTypeOf(Extended.vote).parameters.toEqualTypeOf<[params: Id]>();
    expectTypeOf(Extended.vote.schema).toEqualTypeOf<typeof Todo>();
    expectTypeOf(Extended.vote.sideEffect).toEqualTypeOf<true>();
    expectTypeOf(Extended.get).toEqualTypeOf(TodoResource.get);
    const Replaced = TodoResource.extend('get', { path: '/todos/by-slug/:slug' });
    expectTypeOf(Replaced.get).parameters.toEqualTypeOf<[params: { slug: string | number }]>();
  });

  test('accepts a function', () => {
    const Extended = TodoResource.extend((Base) => ({
      search: Base.getList.extend({ path: '/todos/search', searchParams: {} as { q: string } }),
      trade: Base.getList.push.extend({ schema: { trade: Base.getList.push.schema, account: Account } }),
    }));
    expectTypeOf(Extended.search).toBeCallableWith({ q: 'x' });
    // @ts-expect-error q is required
    void Extended.search({});
    expectTypeOf<Denormalize<typeof Extended.trade.schema>['trade']>().toEqualTypeOf<Todo>();
    expectTypeOf<Denormalize<typeof Extended.trade.schema>['account']>().toEqualTypeOf<Account>();
    expectTypeOf(Extended.trade).toBeCallableWith({ title: 'x' });
    expectTypeOf(Extended.update).toEqualTypeOf(TodoResource.update);
  });

  test('can be repeated', () => {
    const Extended = TodoResource.extend('vote', { path: '/todos/:id/vote', method: 'POST', body: undefined })
      .extend((Base) => ({ unvote: Base.vote.extend({ method: 'DELETE' }) }))
      .extend({ vote: { body: {} as { stars: number } } });
    expectTypeOf(Extended.vote).parameters.toEqualTypeOf<[params: Id, body: { stars: number }]>();
    expectTypeOf(Extended.unvote).parameters.toEqualTypeOf<[params: Id]>();
  });
});

describe('wrapper functions', () => {
  function createPaginatedResource<const O extends ResourceOptions>(options: O) {
    return createResource(options).extend({
      getList: {
        schema: { results: new Collection([options.schema as O['schema']]), total: 0, limit: 0, skip: 0 },
        searchParams: {} as { limit?: number; skip?: number } | undefined,
      },
    });
  }

  test('keep every type', async () => {
    const Paged = createPaginatedResource({ path: '/todos/:id', schema: Todo });
    expectTypeOf(Paged.getList).toBeCallableWith();
    expectTypeOf(Paged.getList).toBeCallableWith({ limit: 5 });
    // @ts-expect-error no such parameter
    void Paged.getList({ limt: 5 });
    const page = await Paged.getList();
    expectTypeOf(page.results[0]?.title).toEqualTypeOf<string | undefined>();
    expectTypeOf(page.total).toEqualTypeOf<number>();
    expectTypeOf(Paged.getList.push).toBeCallableWith({ title: 'x' });
    // @ts-expect-error no such field
    void Paged.getList.push({ titel: 'x' });
    expectTypeOf(Paged.get).toBeCallableWith({ id: 5 });
    expectTypeOf<Denormalize<typeof Paged.get.schema>>().toEqualTypeOf<Todo>();
  });
});

describe('a controller', () => {
  const controller = new Controller();

  test('accepts the arguments of an endpoint, one made inline too', () => {
    const { get, getList } = TodoResource;
    expectTypeOf(controller.fetch(get, { id: 1 })).resolves.toEqualTypeOf<Todo>();
    expectTypeOf(controller.fetch(getList.push, { title: 'x' })).resolves.toEqualTypeOf<Todo>();
    expectTypeOf(controller.fetch(getList.paginated('page'), { page: 1 })).resolves.toEqualTypeOf<Todo[]>();
    expectTypeOf(
      controller.fetch(get.extend({ path: '/x/:slug' }), { slug: 1 }),
    ).resolves.toEqualTypeOf<Todo>();
    expectTypeOf(
      controller.fetch(new RestEndpoint({ path: '/x/:slug' }), { slug: 1 }),
    ).resolves.toEqualTypeOf<unknown>();
    // @ts-expect-error slug is required
    void controller.fetch(get.extend({ path: '/x/:slug' }), {});
    // @ts-expect-error id is required
    void controller.fetch(get);
    // @ts-expect-error no such field
    void controller.fetch(getList.push, { titel: 'x' });
  });
});

describe('hookifyResource', () => {
  test('gives a hook per member', () => {
    const hooks = hookifyResource(TodoResource, () => ({ headers: { token: 'x' } }));
    expectTypeOf(hooks.useGet()).toEqualTypeOf(TodoResource.get);
    expectTypeOf(hooks.useGetList().push).toBeCallableWith({ title: 'x' });
    // @ts-expect-error extend is no member
    void hooks.useExtend;
  });

  test('gives no hook for an Endpoint, which has no request init', () => {
    const ping = new Endpoint(async () => 'pong', { name: 'ping' });
    const hooks = hookifyResource({ ...TodoResource, ping }, () => ({}));
    expectTypeOf(hooks.useGet()).toEqualTypeOf(TodoResource.get);
    // @ts-expect-error there is no hook
    void hooks.usePing;
  });
});

describe('unions', () => {
  test('a resource of several entities has their union as its type', () => {
    class Link extends Entity {
      static override key = 'Link';
      id = '';
      type = 'link' as const;
      url = '';
    }
    class Post extends Entity {
      static override key = 'Post';
      id = '';
      type = 'post' as const;
      text = '';
    }
    const Feed = createResource({
      path: '/feed/:id',
      schema: new schema.Union({ link: Link, post: Post }, 'type'),
    });
    expectTypeOf<Denormalize<typeof Feed.get.schema>>().toEqualTypeOf<Link | Post>();
    expectTypeOf<Denormalize<typeof Feed.getList.schema>>().toEqualTypeOf<(Link | Post)[]>();
    expectTypeOf(Feed.getList.push).toBeCallableWith({ text: 'x' });
  });
});
