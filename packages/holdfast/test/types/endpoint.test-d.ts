import { Collection, Controller, Endpoint, Entity, RestEndpoint, schema } from 'holdfast';
import type { EndpointInterface, ReadEndpoint } from 'holdfast';
import { describe, expectTypeOf, test } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = 0;
  name = '';
  createdAt = new Date(0);
  static override schema = { createdAt: Date };

  greet(): string {
    return `Hello ${this.name}`;
  }
}

type NewUser = { name: string };
type Id = { id: string | number };

describe('arguments', () => {
  test('a path without parameters takes none', () => {
    const endpoint = new RestEndpoint({ path: '/me' });
    expectTypeOf(endpoint).parameters.toEqualTypeOf<[]>();
    // @ts-expect-error there is nothing to pass
    void endpoint({ id: 5 });
  });

  test('path parameters are required, and nothing else is accepted', () => {
    const endpoint = new RestEndpoint({ path: '/users/:id' });
    expectTypeOf(endpoint).parameters.toEqualTypeOf<[params: Id]>();
    // @ts-expect-error id is required
    void endpoint({});
    // @ts-expect-error id is required
    void endpoint();
    // @ts-expect-error a parameter is text or number
    void endpoint({ id: null });
    // @ts-expect-error the path has no such parameter
    void endpoint({ id: 5, page: 2 });
    // @ts-expect-error parameters are an object
    void endpoint(5);
  });

  test('the argument is optional when all parameters are', () => {
    const endpoint = new RestEndpoint({ path: '/users/:id?' });
    expectTypeOf(endpoint).toBeCallableWith();
    expectTypeOf(endpoint).toBeCallableWith({});
    expectTypeOf(endpoint).toBeCallableWith({ id: 5 });
  });

  test('search parameters join the path parameters', () => {
    const endpoint = new RestEndpoint({ path: '/users/:id', searchParams: {} as { full?: boolean } });
    expectTypeOf(endpoint).parameter(0).branded.toEqualTypeOf<Id & { full?: boolean }>();
    // @ts-expect-error full is true or false
    void endpoint({ id: 5, full: 'yes' });
    const search = new RestEndpoint({ path: '/users', searchParams: {} as { q: string } });
    expectTypeOf(search).parameters.toEqualTypeOf<[params: { q: string }]>();
    const open = new RestEndpoint({ path: '/users', searchParams: {} as { page?: number } | undefined });
    expectTypeOf(open).toBeCallableWith();
    const none = new RestEndpoint({ path: '/users', searchParams: undefined });
    expectTypeOf(none).parameters.toEqualTypeOf<[]>();
  });

  test('a method with a body takes it second', () => {
    const put = new RestEndpoint({ path: '/users/:id', method: 'PUT', body: {} as NewUser });
    expectTypeOf(put).parameters.toEqualTypeOf<[params: Id, body: NewUser]>();
    // @ts-expect-error the body is required
    void put({ id: 5 });
    // @ts-expect-error name is text
    void put({ id: 5 }, { name: 5 });
    // @ts-expect-error no such field
    void put({ id: 5 }, { name: 'Ann', nmae: '' });
  });

  test('a path without parameters takes the body alone', () => {
    const post = new RestEndpoint({ path: '/users', method: 'POST', body: {} as NewUser });
    expectTypeOf(post).parameters.toEqualTypeOf<[body: NewUser]>();
    const open = new RestEndpoint({
      path: '/users',
      method: 'POST',
      body: {} as NewUser,
      searchParams: {} as { dry?: boolean },
    });
    expectTypeOf(open).toBeCallableWith({ name: 'Ann' });
    expectTypeOf(open).toBeCallableWith({ dry: true }, { name: 'Ann' });
    // @ts-expect-error neither a body nor parameters and body
    void open({ dry: true });
  });

  test('a body of unknown form is optional, body: undefined means none', () => {
    const post = new RestEndpoint({ path: '/users/:id/wake', method: 'POST' });
    expectTypeOf(post).toBeCallableWith({ id: 5 });
    expectTypeOf(post).toBeCallableWith({ id: 5 }, { anything: true });
    const none = new RestEndpoint({ path: '/users/:id/wake', method: 'POST', body: undefined });
    expectTypeOf(none).parameters.toEqualTypeOf<[params: Id]>();
  });

  test('DELETE carries a body only when it is given, GET never', () => {
    expectTypeOf(new RestEndpoint({ path: '/users/:id', method: 'DELETE' })).parameters.toEqualTypeOf<
      [params: Id]
    >();
    const bulk = new RestEndpoint({ path: '/users', method: 'DELETE', body: {} as { ids: number[] } });
    expectTypeOf(bulk).parameters.toEqualTypeOf<[body: { ids: number[] }]>();
    const get = new RestEndpoint({ path: '/users/:id', method: 'GET', body: {} as NewUser });
    expectTypeOf(get).parameters.toEqualTypeOf<[params: Id]>();
  });

  test('a body alone makes a POST, as at run time', () => {
    const post = new RestEndpoint({ path: '/users', body: {} as NewUser });
    expectTypeOf(post).parameters.toEqualTypeOf<[body: NewUser]>();
    expectTypeOf(post.sideEffect).toEqualTypeOf<true>();
  });

  test('key takes the same arguments', () => {
    const endpoint = new RestEndpoint({ path: '/users/:id' });
    expectTypeOf(endpoint.key).parameters.toEqualTypeOf<[params: Id]>();
  });
});

describe('mutations', () => {
  test('sideEffect follows from the method', () => {
    expectTypeOf(new RestEndpoint({ path: '/a' }).sideEffect).toEqualTypeOf<undefined>();
    expectTypeOf(new RestEndpoint({ path: '/a', method: 'POST' }).sideEffect).toEqualTypeOf<true>();
    expectTypeOf(new RestEndpoint({ path: '/a', method: 'DELETE' }).sideEffect).toEqualTypeOf<true>();
    expectTypeOf(new RestEndpoint({ path: '/a', sideEffect: true }).sideEffect).toEqualTypeOf<true>();
    expectTypeOf(new RestEndpoint({ path: '/a', sideEffect: true })).toBeCallableWith({ any: 'body' });
  });

  test('a POST that reads stays a read through extend', () => {
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { q: string },
    });
    expectTypeOf(search.sideEffect).toEqualTypeOf<false>();
    expectTypeOf(search.extend({ dataExpiryLength: 5 }).sideEffect).toEqualTypeOf<false>();
    expectTypeOf(search.extend({ method: 'PUT' }).sideEffect).toEqualTypeOf<true>();
  });

  test('hooks that read refuse mutations', () => {
    const read = <E extends ReadEndpoint>(_endpoint: E, ..._args: Parameters<E>): void => {};
    const fetch = <E extends EndpointInterface>(_endpoint: E, ..._args: Parameters<E>): void => {};
    const get = new RestEndpoint({ path: '/users/:id', schema: User });
    const put = new RestEndpoint({ path: '/users/:id', method: 'PUT', schema: User });
    expectTypeOf(read(get, { id: 5 })).toBeVoid();
    expectTypeOf(fetch(put, { id: 5 })).toBeVoid();
    // @ts-expect-error a mutation cannot be read
    read(put, { id: 5 });
    // @ts-expect-error id is required
    read(get, {});
  });
});

describe('results of a direct call', () => {
  test('the schema gives its JSON form: dates are strings, methods are removed', async () => {
    const user = await new RestEndpoint({ path: '/users/:id', schema: User })({ id: 1 });
    expectTypeOf(user.name).toEqualTypeOf<string>();
    expectTypeOf(user.createdAt).toEqualTypeOf<string>();
    // @ts-expect-error a response has no methods
    void user.greet;
    const list = await new RestEndpoint({ path: '/users', schema: [User] })();
    expectTypeOf(list[0]?.name).toEqualTypeOf<string | undefined>();
    const page = await new RestEndpoint({
      path: '/users',
      schema: { results: new Collection([User]), cursor: '', total: 0 },
    })();
    expectTypeOf(page.cursor).toEqualTypeOf<string>();
    expectTypeOf(page.total).toEqualTypeOf<number>();
    expectTypeOf(page.results[0]?.createdAt).toEqualTypeOf<string | undefined>();
  });

  test('process defines the result by its return type', () => {
    const endpoint = new RestEndpoint({
      path: '/users/:id',
      process(value: { user: NewUser }) {
        return value.user;
      },
    });
    expectTypeOf(endpoint).returns.resolves.toEqualTypeOf<NewUser>();
  });

  test('an overridden fetch defines the result by its return type', () => {
    const endpoint = new RestEndpoint({
      path: '/users/:id',
      async fetch(_params: Id): Promise<NewUser> {
        return { name: 'Ann' };
      },
    });
    expectTypeOf(endpoint).returns.resolves.toEqualTypeOf<NewUser>();
  });

  test('content defines how the body is read', () => {
    expectTypeOf(new RestEndpoint({ path: '/a', content: 'blob' })).returns.resolves.toEqualTypeOf<Blob>();
    expectTypeOf(new RestEndpoint({ path: '/a', content: 'text' })).returns.resolves.toEqualTypeOf<string>();
    expectTypeOf(
      new RestEndpoint({ path: '/a', content: 'arrayBuffer' }),
    ).returns.resolves.toEqualTypeOf<ArrayBuffer>();
    expectTypeOf(new RestEndpoint({ path: '/a', content: 'stream' })).returns.resolves.toEqualTypeOf<
      ReadableStream<Uint8Array>
    >();
    // @ts-expect-error a blob cannot have a schema
    void new RestEndpoint({ path: '/a', content: 'blob', schema: User });
    const getUser = new RestEndpoint({ path: '/a', schema: User });
    // @ts-expect-error nor can it keep one
    getUser.extend({ content: 'blob' });
    expectTypeOf(getUser.extend({ content: 'text', schema: undefined })).returns.resolves.toBeString();
  });

  test('without a declaration the result is unknown', () => {
    expectTypeOf(new RestEndpoint({ path: '/a' })).returns.resolves.toEqualTypeOf<unknown>();
  });
});

describe('extend', () => {
  const getUser = new RestEndpoint({ path: '/users/:id', schema: User });

  test('a new path gives new parameters and keeps the schema', () => {
    const extended = getUser.extend({ path: '/teams/:team/users/:user' });
    expectTypeOf(extended).parameters.toEqualTypeOf<
      [params: { team: string | number; user: string | number }]
    >();
    expectTypeOf(extended.schema).toEqualTypeOf<typeof User>();
    expectTypeOf(extended.path).toEqualTypeOf<'/teams/:team/users/:user'>();
  });

  test('a new method takes a body', () => {
    const put = getUser.extend({ method: 'PUT', body: {} as NewUser });
    expectTypeOf(put).parameters.toEqualTypeOf<[params: Id, body: NewUser]>();
    const back = put.extend({ method: 'GET' });
    expectTypeOf(back).parameters.toEqualTypeOf<[params: Id]>();
  });

  test('a body alone makes a POST, unless a method was declared before', () => {
    const plain = new RestEndpoint({ path: '/users' });
    expectTypeOf(plain.extend({ body: {} as NewUser }).sideEffect).toEqualTypeOf<true>();
    const read = new RestEndpoint({ path: '/users', method: 'GET' });
    expectTypeOf(read.extend({ body: {} as NewUser }).sideEffect).toEqualTypeOf<undefined>();
  });

  test('a new schema and a new process give a new result', () => {
    expectTypeOf(getUser.extend({ schema: [User] }).schema).toEqualTypeOf<readonly [typeof User]>();
    const named = getUser.extend({ process: (value: { name: string }) => value.name });
    expectTypeOf(named).returns.resolves.toEqualTypeOf<string>();
  });

  test('inside its methods, `this` is the endpoint', () => {
    const extended = getUser.extend({
      getHeaders(headers) {
        expectTypeOf(this.urlPrefix).toEqualTypeOf<string>();
        expectTypeOf(headers).toEqualTypeOf<Record<string, string>>();
        return { ...headers, 'X-Path': this.path };
      },
    });
    expectTypeOf(extended).parameters.toEqualTypeOf<[params: Id]>();
    const made = new RestEndpoint({
      path: '/users/:id',
      schema: User,
      getHeaders(headers) {
        return { ...headers, 'X-Path': this.path };
      },
      process(value: NewUser, params) {
        return { ...value, path: this.path, params };
      },
    });
    expectTypeOf(made).parameters.toEqualTypeOf<[params: Id]>();
    expectTypeOf(made).returns.resolves.toHaveProperty('name');
  });
});

describe('lists', () => {
  const getUsers = new RestEndpoint({ path: '/teams/:team/users', schema: new Collection([User]) });

  test('push accepts one row, or a form', () => {
    type Team = { team: string | number };
    expectTypeOf(getUsers.push.sideEffect).toEqualTypeOf<true>();
    expectTypeOf(getUsers.push).parameter(0).toEqualTypeOf<Team>();
    expectTypeOf(getUsers.push).toBeCallableWith({ team: 1 }, { name: 'Ann' });
    expectTypeOf(getUsers.push).toBeCallableWith({ team: 1 }, new FormData());
    // @ts-expect-error no such field
    void getUsers.push({ team: 1 }, { nmae: 'Ann' });
    // @ts-expect-error the team is required
    void getUsers.push({}, { name: 'Ann' });
    const created = getUsers.push({ team: 1 }, { name: 'Ann' });
    expectTypeOf(created.then((user) => user.name)).resolves.toEqualTypeOf<string>();
  });

  test('push accepts the declared body', () => {
    const bodied = getUsers.extend({ body: {} as { email: string } });
    expectTypeOf(bodied.push).toBeCallableWith({ team: 1 }, { email: '' });
    // @ts-expect-error not the body that was given
    void bodied.push({ team: 1 }, { name: '' });
  });

  test('a list inside an object is found', () => {
    const wrapped = getUsers.extend({ schema: { results: new Collection([User]), total: 0 } });
    expectTypeOf(wrapped.unshift).toBeCallableWith({ team: 1 }, { name: 'Ann' });
    const sorted = getUsers.extend({
      schema: { results: new schema.Query(new Collection([User]), (users) => users.slice(0, 3)) },
    });
    expectTypeOf(sorted.push).toBeCallableWith({ team: 1 }, { name: 'Ann' });
  });

  test('an endpoint without a list has no push', () => {
    const plain = new RestEndpoint({ path: '/users', schema: [User] });
    // @ts-expect-error a plain array takes no creation
    void (() => plain.push({ name: 'Ann' }));
    // @ts-expect-error nor does it through a controller
    void (() => new Controller().fetch(plain.push, { name: 'Ann' }));
    // @ts-expect-error nor an answer without a schema
    void (() => new RestEndpoint({ path: '/users' }).push({ name: 'Ann' }));
    expectTypeOf(plain.push).returns.toBeNever();
  });

  test('assign accepts members by key', () => {
    const rates = new RestEndpoint({ path: '/rates', schema: new Collection(new schema.Values(User)) });
    expectTypeOf(rates.assign.sideEffect).toEqualTypeOf<true>();
  });

  test('pages need their cursor', () => {
    const getPage = getUsers.paginated('cursor');
    expectTypeOf(getPage).toBeCallableWith({ team: 1, cursor: 'x' });
    // @ts-expect-error the cursor is required
    void getPage({ team: 1 });
    expectTypeOf(getPage.sideEffect).toEqualTypeOf<undefined>();
    expectTypeOf(getPage.schema).toEqualTypeOf<typeof getUsers.schema>();
    expectTypeOf(getUsers.paginate('page')).toBeCallableWith({ team: 1, page: 2 });
    const byFunction = getUsers.paginated(({ page: _page, ...rest }: { team: number; page: number }) => [
      rest,
    ]);
    expectTypeOf(byFunction).toBeCallableWith({ team: 1, page: 2 });
  });

  test('getPage exists when its field is declared', () => {
    expectTypeOf(getUsers.getPage).toEqualTypeOf<undefined>();
    const paged = getUsers.extend({ paginationField: 'cursor' });
    expectTypeOf(paged.getPage).toBeCallableWith({ team: 1, cursor: 'x' });
    expectTypeOf(paged.extend({ dataExpiryLength: 5 }).getPage).toBeCallableWith({ team: 1, cursor: 'x' });
  });
});

describe('subclasses', () => {
  test('a generic subclass keeps inference, and overrides keep the contract', () => {
    class AuthEndpoint<
      const O extends ConstructorParameters<typeof RestEndpoint>[0],
    > extends RestEndpoint<O> {
      override urlPrefix = 'https://api.example.com';

      override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
        // oxlint-disable-next-line typescript/no-misused-spread, typescript/no-misused-promises -- a promise only with an async getHeaders
        return { ...super.getRequestInit(body), credentials: 'same-origin' };
      }

      override async fetch(...args: readonly unknown[]): Promise<unknown> {
        return super.fetch(...args);
      }

      override process(value: unknown, params: Readonly<Record<string, unknown>>): unknown {
        return super.process(value, params);
      }
    }
    const getUser = new AuthEndpoint({ path: '/users/:id', schema: User });
    expectTypeOf(getUser).parameters.toEqualTypeOf<[params: Id]>();
    expectTypeOf(getUser.schema).toEqualTypeOf<typeof User>();
  });

  test('an async override may await the method that it overrides', () => {
    class Slow extends RestEndpoint {
      override async getHeaders(headers: Record<string, string>): Promise<HeadersInit> {
        return { ...headers, token: await Promise.resolve('x') };
      }

      override async getRequestInit(body?: unknown): Promise<RequestInit> {
        return { ...(await super.getRequestInit(body)), credentials: 'include' };
      }
    }
    expectTypeOf(new Slow({ path: '/a' })).toBeCallableWith();
  });
});

describe('Endpoint', () => {
  const getRate = new Endpoint(async ({ currency }: { currency: string }) => ({ currency, rate: 1 }), {
    name: 'getRate',
    schema: User,
  });

  test('has the signature of its function', () => {
    expectTypeOf(getRate).parameters.toEqualTypeOf<[{ currency: string }]>();
    expectTypeOf(getRate).returns.resolves.toEqualTypeOf<{ currency: string; rate: number }>();
    expectTypeOf(getRate.schema).toEqualTypeOf<typeof User>();
    expectTypeOf(getRate.key).parameters.toEqualTypeOf<[{ currency: string }]>();
  });

  test('extend changes options or the function', () => {
    expectTypeOf(getRate.extend({ sideEffect: true }).sideEffect).toEqualTypeOf<true>();
    const other = getRate.extend({ fetch: async (id: number) => String(id) });
    expectTypeOf(other).parameters.toEqualTypeOf<[id: number]>();
    expectTypeOf(other).returns.resolves.toEqualTypeOf<string>();
  });
});
