import { createResource, Entity, RestEndpoint, schema } from 'holdfast';
import type { RestOptions } from 'holdfast';
import { expectTypeOf, test } from 'vitest';

class Todo extends Entity {
  static override key = 'Todo';
  id = 0;
  userId = 0;
  title = '';
}
class Link extends Entity {
  static override key = 'Link';
  id = '';
  type = 'link' as const;
}
class Post extends Entity {
  static override key = 'Post';
  id = '';
  type = 'post' as const;
}
class TenantEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
  readonly tenant: string = '';
}

test('pages take the optional search parameters of their list', () => {
  const { getList } = createResource({
    path: '/todos/:id',
    schema: Todo,
    paginationField: 'cursor',
    searchParams: {} as { q?: string } | undefined,
  });
  expectTypeOf(getList.getPage).toBeCallableWith({ cursor: 1, q: 'milk' });
  expectTypeOf(getList.paginated('page')).toBeCallableWith({ page: 1, q: 'milk' });
  expectTypeOf(getList.paginate('page')).toBeCallableWith({ page: 1, q: 'milk' });
  // @ts-expect-error no such parameter
  void (() => getList.getPage({ cursor: 1, search: 'milk' }));
});

test('callbacks need no annotations', () => {
  const choices = { link: Link, post: Post };
  new schema.All(choices, (value, parent, key) => (key === 'links' ? parent.kind : value.kind));
  new schema.Array(choices, (value) => (value.url === undefined ? 'post' : 'link'));
  new schema.Values(choices, (value, _parent, key) => (key.length > 1 ? value.type : 'post'));
  new schema.Union(choices, (value, parent) => value.type ?? parent.type);
  new schema.Collection([Todo], {
    nestKey: (parent, key) => ({ userId: parent.id, key }),
    argsKey: ({ userId }, body) => ({ userId, listed: body?.listed }),
    createCollectionFilter: (urlParams, body) => (collectionKey) =>
      Object.entries(collectionKey).every(
        ([name, value]) => name.startsWith('order') || urlParams[name] == value || body?.[name] == value,
      ),
  });
  const todos = new schema.Collection([Todo]);
  todos.addWith(
    (collection, creation) => [...collection, ...creation],
    (urlParams) => (collectionKey) => collectionKey['userId'] === urlParams.userId,
  );
  todos.moveWith((collection, creation) => [...creation, ...collection]);
  // @ts-expect-error a filter answers with true or false
  new schema.Collection([Todo], { createCollectionFilter: (urlParams) => urlParams.userId === 1 });
});

test('callbacks may annotate their parameters', () => {
  const list = new schema.Collection([Todo], {
    argsKey: ({ userId }: { userId: number }) => ({ userId }),
    nestKey: (parent: Todo, _key) => ({ userId: parent.id }),
  });
  const { push } = new RestEndpoint({ path: '/todos', schema: list });
  expectTypeOf(push).toBeCallableWith({ title: 'x' });
  new schema.Union({ link: Link }, (value: { readonly url?: string }) => (value.url ? 'link' : undefined));
  list.addWith(
    (present: readonly string[], added: readonly string[]) => [...added, ...present],
    (urlParams: { readonly userId: number }) => (collectionKey) => {
      expectTypeOf(collectionKey).toEqualTypeOf<Readonly<Record<string, string>>>();
      return Number(collectionKey['userId']) === urlParams.userId;
    },
  );
});

test('the options of a custom Endpoint class are accepted, misspelt ones refused', () => {
  const options = { path: '/todos/:id', schema: Todo } as const;
  const own = createResource({ ...options, Endpoint: TenantEndpoint, tenant: 'x' });
  expectTypeOf(own.get.tenant).toEqualTypeOf<string>();
  expectTypeOf(own.getList.push).toBeCallableWith({ title: 'x' });
  // @ts-expect-error no such option
  void (() => createResource({ ...options, Endpoint: TenantEndpoint, tenent: 'x' }));
  // @ts-expect-error an option of another class
  void (() => createResource({ ...options, tenant: 'x' }));
  // @ts-expect-error misspelt
  void (() => createResource({ path: '/todos/:id', schema: Todo, optimstic: true }));
  // @ts-expect-error each member has its own
  void (() => createResource({ path: '/todos/:id', schema: Todo, method: 'POST' }));
  createResource({
    ...options,
    process(value, params) {
      expectTypeOf(this.path).toEqualTypeOf<string>();
      return { ...(value as object), ...params };
    },
    getHeaders: (headers) => ({ ...headers, token: 'x' }),
  });
});

test('a string is refused as the schema of a response, and so is an unknown method', () => {
  // @ts-expect-error a name is no schema
  void (() => createResource({ path: '/todos/:id', schema: 'Todo' }));
  // @ts-expect-error nor for one endpoint
  void (() => new RestEndpoint({ path: '/todos', schema: 'Todo' }));
  // @ts-expect-error misspelt
  void (() => new RestEndpoint({ path: '/todos', method: 'PTACH' }));
  // @ts-expect-error servers do not know it in small letters
  void (() => new RestEndpoint({ path: '/todos', method: 'patch' }));
  new RestEndpoint({ path: '/files', method: 'PROPFIND', schema: { results: [Todo], link: '' } });
  expectTypeOf(new RestEndpoint({ path: '/todos', schema: null })).toBeCallableWith();
});

test('the `precondition` of an endpoint takes a row and returns headers', () => {
  const Todos = createResource({ path: '/todos/:id', schema: Todo });
  Todos.partialUpdate.extend({ precondition: ({ userId }: Todo) => ({ 'If-Match': `"${userId}"` }) });
  // @ts-expect-error the value of a header is a string
  Todos.partialUpdate.extend({ precondition: ({ userId }: Todo) => ({ 'If-Match': userId }) });
});
