import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installInto, packLibrary } from '../../../../scripts/pack.ts';
import { startServer } from '../support/server.ts';

const app = mkdtempSync(join(tmpdir(), 'holdfast-conditions-'));

beforeAll(() => installInto(app, packLibrary(join(app, 'packed'))));
afterAll(() => rmSync(app, { recursive: true, force: true }));

/** Runs a program in the scratch application and returns its output. Not synchronous, because the server runs in this process. */
async function runNode(
  flags: readonly string[],
  code: string,
  file = 'program.mjs',
  base = '',
): Promise<string> {
  writeFileSync(join(app, file), code);
  const options = { cwd: app, timeout: 30_000, env: { PATH: process.env['PATH'], BASE: base } };
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, file], options);
  return stdout.trim();
}

const printMessage = `
  import { HoldfastError } from 'holdfast';
  console.log(new HoldfastError('ENTITY_WITHOUT_PK', { entity: 'User', found: 'undefined' }).message);`;

test('Node gets codes without a condition, and full messages under "development"', async () => {
  expect(await runNode([], printMessage)).toBe(
    '[ENTITY_WITHOUT_PK] entity=User found=undefined See holdfast/dist/docs/errors.md',
  );
  expect(await runNode(['--conditions=development'], printMessage)).toContain(
    'See holdfast/dist/docs/errors.md#entity_without_pk',
  );
});

test('the page that errors refer to is in the package', () => {
  const page = join(app, 'node_modules/holdfast/dist/docs/errors.md');
  expect(readFileSync(page, 'utf8')).toContain('## ENTITY_WITHOUT_PK');
});

test('a failed request has the same plain message in production and in development, without code and link', async () => {
  await using server = await startServer();
  server.on('GET', '/gone', { status: 404 });
  server.on('GET', '/locked', { status: 423, body: { detail: 'Ann is editing this.' } });
  server.on('GET', '/list', { status: 400, body: { detail: [{ loc: ['q'] }] } });
  server.on('GET', '/slow', { delay: 1_000 });
  server.on('GET', '/page', { headers: { 'content-type': 'text/html' }, body: '<p>Sign in' });
  server.on('GET', '/lost', { drop: true });
  const code = `
    import { RestEndpoint } from 'holdfast';
    const base = process.env.BASE;
    const aborted = AbortSignal.abort();
    for (const path of ['/gone', '/locked', '/list', '/slow', '/page', '/lost', '/off'])
      await new RestEndpoint({
        urlPrefix: base, path, schema: {}, ...(path === '/slow' && { timeoutMs: 200 }), ...(path === '/off' && { signal: aborted, name: path }),
      })().catch((error) => console.log(error.message.replace(base, '')));`;

  for (const conditions of [[], ['--conditions=development']])
    expect((await runNode(conditions, code, 'failures.mjs', server.url)).split('\n')).toEqual([
      'GET /gone was answered 404: Not Found',
      'GET /locked was answered 423: Ann is editing this.',
      'GET /list was answered 400: Bad Request',
      'GET /slow took longer than 200 ms',
      'GET /page was answered unreadably: HTML',
      'GET /lost got no answer',
      'GET /off was cancelled',
    ]);
});

test('a CommonJS program can require the package', async () => {
  expect(await runNode([], `console.log(typeof require('holdfast').createResource)`, 'program.cjs')).toBe(
    'function',
  );
});

test('importing the package changes no global, no prototype, and starts no timer', async () => {
  const code = `
    const owners = [globalThis, Object.prototype, Function.prototype, Array.prototype, Promise.prototype, Map.prototype];
    const look = () => owners.map((owner) => Reflect.ownKeys(owner).length).join();
    const before = look();
    await import('holdfast');
    console.log(look() === before, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length);`;

  expect(await runNode([], code)).toBe('true 0');
});

test.each(['off', 'delete', 'throw'])(
  'a field named __proto__ is a field like any other where the accessor of that name is set to %s',
  async (accessor) => {
    const code = `
      import { Cache, Entity } from 'holdfast';
      class Todo extends Entity { id = ''; title = ''; static key = 'Todo'; }
      const cache = new Cache();
      const rows = ['{ "id": "1", "title": "milk" }', '{ "id": "2", "__proto__": 5 }', '{ "id": "3", "__proto__": { "a": 1 } }'];
      cache.write([Todo], rows.map((row) => JSON.parse(row)), [], { isOwned: true });
      const todos = ['1', '2', '3'].map((id) => cache.read(Todo, [id]));
      const own = (todo) => Object.getOwnPropertyDescriptor(todo, '__proto__')?.value;
      console.log(JSON.stringify([todos[0].title, todos.map(own), todos.every((todo) => todo instanceof Todo)]));`;
    const flags = accessor === 'off' ? [] : [`--disable-proto=${accessor}`];

    expect(await runNode(flags, code)).toBe('["milk",[null,5,{"a":1}],true]');
  },
);

test('resources, writes and reads work with code generation from strings disallowed', async () => {
  await using server = await startServer();
  let title = 'milk';
  server.on('GET', '/todos/:id', ({ params }) => ({ body: { id: params['id'], title } }));
  server.on('PUT', '/todos/:id', ({ params, body }) => {
    title = (body as { title: string }).title;
    return { body: { id: params['id'], title } };
  });
  const code = `
    import { Controller, createResource, Entity } from 'holdfast';
    try { new Function('return 1'); throw 'code generation is allowed'; } catch (error) { if (typeof error === 'string') throw error; }
    class Todo extends Entity { id = ''; title = ''; static key = 'Todo'; }
    const TodoResource = createResource({ path: '/todos/:id', urlPrefix: process.env.BASE, schema: Todo, optimistic: true });
    const controller = new Controller();
    const before = await controller.fetch(TodoResource.get, { id: '1' });
    await controller.fetch(TodoResource.update, { id: '1' }, { title: 'bread' });
    console.log(before.title, controller.get(Todo, { id: '1' }).title);`;

  const printed = await runNode(['--disallow-code-generation-from-strings'], code, 'strict.mjs', server.url);

  expect(printed).toBe('milk bread');
});
