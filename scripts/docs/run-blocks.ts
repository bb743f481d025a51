// Runs the blocks of a page that show an output, each alone, against a small server with the data of the examples.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { readExampleApi, repository } from './pages.ts';
import type { Block } from './pages.ts';

const sources = `${repository}/packages/holdfast/src`;

/** Todos, users and posts in memory; a list may be filtered by any field. */
function createExampleServer(): Server {
  const tables: Record<string, Record<string, unknown>[]> = {
    todos: [
      { id: '1', title: 'Buy milk', done: true, userId: '1' },
      { id: '2', title: 'Call Ada', done: false, userId: '1' },
      { id: '3', title: 'Sand the hull', done: false, userId: '2' },
    ],
    users: [{ id: '1', name: 'Ada', email: 'ada@example.com' }],
    posts: [],
  };
  const feed = ['One', 'Two', 'Three', 'Four'].map((title, index) => ({
    id: String(index + 1),
    title,
    votes: 0,
  }));

  async function answer(method: string, url: URL, read: () => Promise<unknown>): Promise<unknown> {
    const [, name = '', id] = url.pathname.split('/');
    if (name === 'feed') {
      const start = Number(url.searchParams.get('cursor') ?? 0);
      return {
        posts: feed.slice(start, start + 2),
        next: start + 2 < feed.length ? String(start + 2) : null,
      };
    }
    const rows = tables[name] ?? [];
    if (id === undefined && method === 'GET')
      return rows.filter((row) =>
        [...url.searchParams].every(([field, value]) => String(row[field]) === value),
      );
    if (id === undefined) {
      const row = { id: String(rows.length + 1), ...((await read()) as object) };
      rows.push(row);
      return row;
    }
    const row = rows.find((each) => each['id'] === id);
    if (!row) return undefined;
    if (method === 'DELETE') rows.splice(rows.indexOf(row), 1);
    else if (method !== 'GET') Object.assign(row, await read());
    return row;
  }

  return createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    void answer(request.method ?? '', url, () => json(request)).then((value) => {
      response.writeHead(value ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value ?? { detail: 'There is no such row.' }));
    });
  });
}

async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: 'tsx', resolveDir: repository },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    alias: {
      'holdfast/testing': `${sources}/testing.ts`,
      'holdfast/react': `${sources}/react.ts`,
      holdfast: `${sources}/index.ts`,
      '#env': `${sources}/env.development.ts`,
    },
    plugins: [
      {
        name: 'the API of the examples',
        setup(bundler) {
          bundler.onResolve({ filter: /^\.\/api$/ }, () => ({ path: 'api.ts', namespace: 'example' }));
          bundler.onLoad({ filter: /./, namespace: 'example' }, () => ({
            contents: readExampleApi(),
            loader: 'ts',
            resolveDir: repository,
          }));
        },
      },
    ],
    external: ['react'],
  });
  return outputFiles[0]?.text ?? '';
}

/** What the block prints. Its requests go to a server of its own, as a page's go to the server that sent it. */
export async function runBlock(block: Block): Promise<string> {
  const server = createExampleServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  const rebase = `{ const { fetch } = globalThis; globalThis.fetch = (url, init) => fetch(new URL(url, 'http://127.0.0.1:${port}'), init); }`;
  try {
    const child = spawn(process.execPath, ['--input-type=module', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(`${rebase}\n${await bundle(block.text)}`);
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return `${output}${errors}`.trimEnd();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
