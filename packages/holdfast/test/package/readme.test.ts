import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium } from 'playwright';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchOptions } from '../../../../scripts/chromium.ts';
import { installInto, packLibrary } from '../../../../scripts/pack.ts';
import { startServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { pinned, readExample } from './readme-example.ts';

// An empty Vite and React application outside the repository, with nothing of it but the packed tarball.
const app = mkdtempSync(join(tmpdir(), 'holdfast-readme-'));
// without vitest's own NODE_ENV, which would turn a production build into a development one
const { NODE_ENV: _, ...env } = process.env;
const run = (command: string, ...args: string[]): string =>
  execFileSync(join(app, 'node_modules/.bin', command), args, {
    cwd: app,
    encoding: 'utf8',
    stdio: 'pipe',
    env,
  });

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  const packages = ['react', 'react-dom', '@types/react', '@types/react-dom', 'vite', 'typescript'];
  installInto(app, packLibrary(join(app, 'packed')), packages.map(pinned));
  mkdirSync(join(app, 'src'));
  writeFileSync(join(app, 'src/main.tsx'), readExample());
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><title>example</title><body><script type="module" src="/src/main.tsx"></script></body>',
  );
  const compilerOptions = {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  server = await startServer();
  browser = await chromium.launch(launchOptions());
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(app, { recursive: true, force: true });
});

test('the example is at most 20 lines long', () => {
  expect(readExample().trimEnd().split('\n').length).toBeLessThanOrEqual(20);
});

test('the example type-checks against the packed declarations, libraries included', () => {
  expect(run('tsc', '-p', '.')).toBe('');
});

test('the built example reads and edits through a real server under a strict content security policy', async () => {
  run('vite', 'build', '--logLevel', 'error');
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
  const policy =
    "default-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
  server.on('GET', '/*', ({ params }) => {
    const file = params['rest'] === '' ? 'index.html' : (params['rest'] ?? '');
    return {
      headers: { 'content-type': types[extname(file)] ?? 'text/plain', 'content-security-policy': policy },
      body: readFileSync(join(app, 'dist', file)),
    };
  });
  server.on('GET', '/favicon.ico', {});
  const todo = { id: '1', title: 'milk', done: false };
  server.on('GET', '/api/todos/:id', () => ({ body: todo }));
  server.on('PATCH', '/api/todos/:id', ({ body }) => ({ body: Object.assign(todo, body) }));

  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(server.url);
  await page.getByRole('button', { name: 'milk: open' }).click();
  await page.getByRole('button', { name: 'milk: done' }).waitFor();
  await expect.poll(() => server.seen('PATCH', '/api/todos/1').length).toBe(1);

  expect(server.seen('PATCH', '/api/todos/1')[0]?.body).toEqual({ done: true });
  expect(server.seen('GET', '/api/todos/1')).toHaveLength(1);
  expect(todo.done).toBe(true);
  expect(problems).toEqual([]);
});

test('the production bundle of the example contains no development message', () => {
  const bundle = readdirSync(join(app, 'dist/assets'))
    .map((file) => readFileSync(join(app, 'dist/assets', file), 'utf8'))
    .join('\n');

  const found = ['/api/todos/:id', 'docs/errors.md#', 'has no usable primary key', 'Object.freeze('].filter(
    (text) => bundle.includes(text),
  );
  expect(found).toEqual(['/api/todos/:id']);
});
