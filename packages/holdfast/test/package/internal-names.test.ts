import { join } from 'node:path';
import * as sources from 'holdfast';
import { expect, test } from 'vitest';
import { createJudge } from '../../../../scripts/internal-names.ts';
import { internalNames } from '../../../../scripts/internal-names.list.ts';

// not there before `npm run build:library`: the compiler may not look for it
const built = join(import.meta.dirname, '../../dist/index.js');

test('names that a user, the platform, a state or an error has are refused, each with its reason', () => {
  const judge = createJudge();
  const reasons = ['fetchedAt', 'addEventListener', 'childList', 'fence', 'found', 'noSuchMember'].map(judge);

  expect(reasons).toEqual([
    'is a member of a public type',
    'is a member of a public type',
    'is declared by no class and no type of the library',
    expect.stringMatching(/public type|written into a state/),
    expect.stringMatching(/is declared by no class|is a parameter of/),
    'no longer occurs in the sources',
  ]);
  expect(internalNames.filter((name) => judge(name) !== undefined)).toEqual([]);
});

async function writeState({
  Controller,
  createResource,
  dehydrate,
  Entity,
}: typeof sources): Promise<string> {
  class User extends Entity {
    id = 0;
    name = '';
    static override key = 'User';
  }
  class Todo extends Entity {
    id = 0;
    title = '';
    due = new Date(0);
    author = new User();
    static override key = 'Todo';
    static override schema = { due: Date, author: User };
  }
  const Todos = createResource({ path: '/todos/:id', urlPrefix: 'http://test', schema: Todo });
  const todo = { id: 1, title: 'milk', due: '2030-01-01', author: { id: 2, name: 'Ada' } };
  const controller = new Controller({
    clock: { now: () => 1_000 },
    random: () => 0.5,
    fetch: (input) => {
      const { pathname } = new URL(String(input));
      if (pathname === '/todos/9') return Promise.resolve(new Response('{}', { status: 404 }));
      return Promise.resolve(Response.json(pathname === '/todos' ? [todo] : todo));
    },
  });
  await controller.fetch(Todos.getList, { author: 2 });
  await controller.fetch(Todos.get, { id: 1 });
  await controller.fetch(Todos.get, { id: 9 }).catch(() => undefined);
  await controller.fetch(Todos.delete, { id: 1 });
  controller.invalidate(Todos.get, { id: 1 });
  return JSON.stringify(dehydrate(controller));
}

test('a state that the build writes is the one that the sources write', async () => {
  const library = (await import(built)) as typeof sources; // cast: what was built of them

  expect(await writeState(library)).toBe(await writeState(sources));
});
