import { join } from 'node:path';
import * as sources from 'holdfast';
import { expect, test } from 'vitest';
import { createJudge } from '../../../../scripts/internal-names.ts';

// not there before `npm run check -- build:library`: the compiler may not look for it
const built = join(import.meta.dirname, '../../dist/index.js');

test('names that a user, the platform, a state or an error uses are refused for shortening, each with its reason', () => {
  const judge = createJudge();
  const reasons = ['fetchedAt', 'addEventListener', 'childList', 'stamps', 'expected', 'noSuchMember'].map(
    judge,
  );

  expect(reasons).toEqual([
    'is a member of a public type',
    'is a member of a public type',
    'is declared by no class and no type of the library',
    expect.stringMatching(/public type|written into a state/),
    expect.stringMatching(/is declared by no class|is a parameter of/),
    'no longer occurs in the sources',
  ]);
});

function createTodos({ createResource, Entity }: typeof sources) {
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
  return createResource({ path: '/todos/:id', urlPrefix: 'http://test', schema: Todo });
}

async function writeState(library: typeof sources): Promise<string> {
  const Todos = createTodos(library);
  const todo = (id: number) => ({ id, title: 'milk', due: '2030-01-01', author: { id: 2, name: 'Ada' } });
  const controller = new library.Controller({
    clock: { now: () => 1_000 },
    random: () => 0.5,
    fetch: (input) => {
      const { pathname } = new URL(input);
      if (pathname === '/todos/9') return Promise.resolve(new Response('{}', { status: 404 }));
      return Promise.resolve(Response.json(pathname === '/todos' ? [todo(1), todo(3)] : todo(1)));
    },
  });
  await controller.fetch(Todos.getList, { author: 2 });
  await controller.fetch(Todos.get, { id: 1 });
  await controller.fetch(Todos.get, { id: 9 }).catch(() => undefined);
  await controller.fetch(Todos.delete, { id: 1 });
  controller.invalidate(Todos.get, { id: 1 });
  return JSON.stringify(library.dehydrate(controller));
}

function readState(library: typeof sources, state: string): unknown {
  const Todos = createTodos(library);
  const controller = new library.Controller({ initialState: library.savedState(state) });
  const list = controller.getResponse(Todos.getList, { author: 2 }).data;
  return {
    list: list?.map(({ title, due, author }) => [title, due.getTime(), author.name]),
    failure: controller.getError(Todos.get, { id: 9 })?.name,
  };
}

test('a state that the build writes equals the one that the sources write, and each can read it', async () => {
  const library = (await import(built)) as typeof sources; // cast: what was built of them
  const state = await writeState(library);

  expect(state).toBe(await writeState(sources));
  expect(readState(library, state)).toEqual(readState(sources, state));
  expect(readState(library, state)).toMatchObject({ list: [['milk', Date.UTC(2030, 0, 1), 'Ada']] });
});
