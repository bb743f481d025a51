// `npm run check -- shape`: two figures of how much there is to read. The lines of code, without comments and blank lines, of the files
// that an application reaches; and the files whose functions run while `controller.fetch(get)` is followed to a hook's value.
// A folder with `src` and `dist` of another version may be named: `npx node scripts/shape.ts ../before/packages/holdfast`.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Window } from 'happy-dom';
import { act, createElement } from 'react';
import type * as Main from 'holdfast';
import type * as React from 'holdfast/react';
import { parseSync } from 'vite';
import { library as ours } from './declarations.ts';

const library = resolve(process.argv[2] ?? ours);
const dist = join(library, 'dist');

/** The files of the library that a production bundle of an application holds, by their path below dist. */
async function reachedFiles(): Promise<string[]> {
  const { metafile } = await build({
    stdin: {
      contents: `export { Entity, createResource } from './dist/index.js';
        export { DataProvider, useSuspense, useController } from './dist/react.js';`,
      resolveDir: library,
    },
    absWorkingDir: library,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: ['production'],
    external: ['react'],
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => relative('dist', file));
}

function countLines(file: string): number {
  const text = readFileSync(file, 'utf8');
  let code = text;
  for (const { start, end } of parseSync(file, text).comments)
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end);
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

/** The files of which a function runs between `controller.fetch(get)` and the value that a hook shows. */
async function followedFiles(): Promise<string[]> {
  const window = new Window();
  Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
  const { createRoot } = await import('react-dom/client');
  const load = (entry: string): Promise<unknown> => import(pathToFileURL(join(dist, `${entry}.js`)).href);
  const { Controller, createResource, Entity } = (await load('index')) as typeof Main; // cast: what was built of it
  const { DataProvider, useSuspense } = (await load('react')) as typeof React; // cast: as above
  class Todo extends Entity {
    id = 0;
    title = '';
    static override key = 'Todo';
  }
  const Todos = createResource({ path: '/todos/:id', urlPrefix: 'http://test', schema: Todo });
  const answer = (): Promise<Response> => Promise.resolve(Response.json({ id: 1, title: 'milk' }));
  const controller = new Controller({ fetch: answer });
  const Shown = (): string => useSuspense(Todos.get, { id: 1 }).title;
  const element = window.document.createElement('div') as unknown as Element; // cast: happy-dom's own types
  const root = createRoot(element);

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await controller.fetch(Todos.get, { id: 1 });
  await act(async () => root.render(createElement(DataProvider, { controller }, createElement(Shown))));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  if (element.textContent !== 'milk') throw new Error(`the hook shows ${element.textContent}`);
  await act(async () => root.unmount());
  session.disconnect();
  await window.happyDOM.close();
  const from = pathToFileURL(`${dist}/`).href;
  return result
    .filter(
      ({ url, functions }) =>
        url.startsWith(from) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => url.slice(from.length));
}

const reached = await reachedFiles();
const lines = reached.map((file) => countLines(join(library, 'src', file.replace(/\.js$/, '.ts'))));
const followed = await followedFiles();
console.log(
  `${lines.reduce((sum, count) => sum + count, 0)} lines of code in the ${reached.length} files that an application reaches`,
);
console.log(`${followed.length} files from controller.fetch(get) to a hook's value:`);
console.log(followed.sort().join(' '));
