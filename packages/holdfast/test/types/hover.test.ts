import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHovers } from '../../../../scripts/language-server.ts';

// The text that an editor shows over the names marked with `/*?*/`: a type that is written out in full hides its name.
const program = `
import { createResource, Endpoint, Entity, RestEndpoint, schema } from 'holdfast';
import { useCache, useController, useDLE, useFetch, useQuery, useSuspense } from 'holdfast/react';

class Todo extends Entity {
  id = '';
  title = '';
  userId = 0;
  dueAt = new Date(0);
  static override key = 'Todo';
  static override schema = { dueAt: Date };
}
interface TodoSearch { done?: boolean; orderBy?: string; cursor?: string }
interface NewTodo { title: string; dueAt: string }

export const /*?*/PlainResource = createResource({ path: '/todos/:id', schema: Todo });
export const plain = [
  PlainResource./*?*/get, PlainResource./*?*/getList, PlainResource.getList./*?*/push,
  PlainResource./*?*/update, PlainResource./*?*/partialUpdate, PlainResource./*?*/delete,
];

export const /*?*/TodoResource = createResource({
  urlPrefix: 'https://api.example.com',
  path: '/users/:userId/todos/:id',
  schema: Todo,
  searchParams: {} as TodoSearch,
  body: {} as NewTodo,
  paginationField: 'cursor',
  optimistic: true,
  pollFrequency: 60_000,
  getHeaders: (headers) => ({ ...headers, token: 'x' }),
});
export const members = [
  TodoResource./*?*/get, TodoResource./*?*/getList, TodoResource./*?*/update,
  TodoResource./*?*/partialUpdate, TodoResource./*?*/delete, TodoResource./*?*/extend,
];
export const listMembers = [
  TodoResource.getList./*?*/push, TodoResource.getList./*?*/unshift, TodoResource.getList./*?*/assign,
  TodoResource.getList./*?*/remove, TodoResource.getList./*?*/move, TodoResource.getList./*?*/getPage,
  TodoResource.getList./*?*/paginated, TodoResource.get./*?*/schema, TodoResource.getList./*?*/schema,
  TodoResource.get./*?*/sideEffect, TodoResource.get./*?*/path, TodoResource.get./*?*/key,
];

export const Extended = TodoResource.extend((Base) => ({
  archive: Base.update.extend({ path: '/users/:userId/todos/:id/archive', body: undefined, dataExpiryLength: 5 }),
  search: Base.getList.extend({
    path: '/todos/search',
    schema: { results: new schema.Collection([Todo]), total: 0 },
    searchParams: {} as TodoSearch,
  }),
})).extend('vote', { path: '/todos/:id/vote', method: 'POST', body: undefined });
export const extended = [
  Extended./*?*/get, Extended./*?*/archive, Extended./*?*/search, Extended.search./*?*/push, Extended./*?*/vote,
];

export const /*?*/endpoint = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  method: 'PUT',
  schema: Todo,
  body: {} as NewTodo,
  searchParams: {} as TodoSearch,
  getHeaders: (headers) => ({ ...headers, token: 'x' }),
});
export const /*?*/time = new Endpoint(async (_zone: string) => 0, { name: 'time' });

export function useAll(): unknown {
  const /*?*/controller = useController();
  const /*?*/todo = useSuspense(TodoResource.get, { userId: 1, id: 1 });
  const /*?*/todos = useSuspense(TodoResource.getList, { userId: 1 });
  const /*?*/found = useSuspense(Extended.search, { done: true });
  const /*?*/maybe = useSuspense(TodoResource.get, null);
  const /*?*/cached = useCache(TodoResource.get, { userId: 1, id: 1 });
  const /*?*/queried = useQuery(Todo, { id: 1 });
  const /*?*/promise = useFetch(TodoResource.getList, { userId: 1 });
  const { /*?*/data, /*?*/loading, /*?*/error } = useDLE(TodoResource.get, { userId: 1, id: 1 });
  const /*?*/created = controller.fetch(TodoResource.getList.push, { userId: 1 }, { title: '', dueAt: '' });
  return [todo, todos, found, maybe, cached, queried, promise, data, loading, error, created];
}
`;

const folder = mkdtempSync(join(tmpdir(), 'holdfast-hover-'));
const root = join(import.meta.dirname, '../../../..');
const sources = join(root, 'packages/holdfast/src');
let hovers: readonly string[] = [];

beforeAll(async () => {
  const path = join(folder, 'program.ts');
  const paths = {
    '#env': [join(sources, 'env.development.ts')],
    holdfast: [join(sources, 'index.ts')],
    'holdfast/*': [join(sources, '*.ts')],
  };
  writeFileSync(path, program);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { paths, types: [] },
      files: ['program.ts'],
    }),
  );
  const offsets = [...program.matchAll(/\/\*\?\*\//g)].map((mark) => mark.index + mark[0].length);
  hovers = await readHovers(path, offsets);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a hover over a member, an endpoint or a result is at most five lines', () => {
  expect(hovers.length).toBeGreaterThan(40);
  expect(hovers.filter((hover) => hover.split('\n').length > 5)).toEqual([]);
});

test('no hover is empty, or shows any', () => {
  expect(hovers.filter((hover) => hover === '' || /\bany\b/.test(hover))).toEqual([]);
});
