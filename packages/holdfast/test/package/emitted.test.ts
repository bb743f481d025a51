import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repository } from './readme-example.ts';

// below the repository, so that its packages are found; of this process, so that two runs do not meet in it
const folder = join(repository, 'node_modules/.cache', `holdfast-emitted-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The exports of a package that is built on the library: each type is inferred, and its declarations have to name it.
const program = `
import {
  Collection, Controller, createResource, dehydrate, Endpoint, Entity, EntityMixin, getPending, hookifyResource, inPages, Lazy,
  orderBy, Query, savedState, schema, totalOf, versionBy, watchPending, watchQuery,
} from 'holdfast';
import { AuthManager, localSession, tabChannel } from 'holdfast/auth';
import { inspect } from 'holdfast/inspect';
import { readPage, useController, useFailed, usePending, useSuspense } from 'holdfast/react';
import { createServerRender } from 'holdfast/react/server';
import { createMockController } from 'holdfast/testing';
import { check, EntityOf, getRefused, optional, watchRefused } from 'holdfast/validate';
import { z } from 'zod';

export class Todo extends Entity {
  id = '';
  title = '';
  static key = 'Todo';
  static version = versionBy('title');
}
export class Base { id = ''; }
export const Mixed = EntityMixin(Base);
export const TodoResource = createResource({ path: '/todos/:id', schema: Todo });
export const Searched = createResource({ path: '/t/:id', schema: Todo, searchParams: {} as { q?: string } });
export const hooks = hookifyResource(TodoResource, () => ({}));
export const order = orderBy<Todo>('sort');
export const list = new Collection([Todo], { order });
export const push = list.push;
export const counted = { items: list, total: totalOf(list) };
export const titles = new Query(new schema.All(Todo), (all) => all.map(({ title }) => title));
export const lazy = new Lazy(Todo);
export const pages = inPages({ next: 'next' });
export const endpoint = new Endpoint(async (id: string) => ({ id }));
export const controller = new Controller();
export const state = dehydrate(controller);
export const saved = savedState(state);
export const pending = getPending(controller, Todo, { id: '1' });
export const query = watchQuery(controller, Todo, { id: '1' });
export const waiting = watchPending(controller, Todo, { id: '1' });
export const observer = controller.watch(TodoResource.get, { id: '1' });
export const shown = observer.read();
export const useMeta = () => useController().getResponse(TodoResource.get, { id: '1' });
export const snapshot = controller.snapshot();
export const page = readPage();
export const useWrites = () => usePending(Todo, { id: '1' });
export const useFailures = () => useFailed();
export const useTodo = (id: string) => useSuspense(TodoResource.get, { id });
export const Article = EntityOf('Article', { id: z.string(), author: optional(Todo), text: check(z.string()) });
export const author = optional(Todo);
export const refused = getRefused(controller);
export const refusals = watchRefused(controller);
export const inspector = inspect();
export const store = localSession('session');
export const auth = new AuthManager(store);
export const channel = tabChannel('session');
export const render = createServerRender({ origins: [] });
export const mock = createMockController();
`;

test('a package can emit declarations of endpoints and entities that use the library', () => {
  mkdirSync(folder, { recursive: true });
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: 'out',
    types: [],
    skipLibCheck: true,
    preserveSymlinks: true, // as a package that is installed
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'package.ts'), program);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['package.ts'] }));

  const { stdout } = spawnSync('tsc', ['-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });

  expect(stdout).toBe('');
  expect(readFileSync(join(folder, 'out/package.d.ts'), 'utf8')).not.toContain('holdfast/dist');
});
