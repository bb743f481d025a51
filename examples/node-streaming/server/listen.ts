// The HTTP server: pages, the built files, and the API behind /api. Started by main.ts, and by tests.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type * as Render from '../src/render.tsx';
import { createApi } from './api.ts';
import type { ApiOptions } from './api.ts';

const dist = join(import.meta.dirname, '../dist');

export interface RunningMagazine {
  readonly url: string;
  /** Requests to the API so far, as `GET /api/articles`, with who asked. */
  readonly requests: readonly {
    readonly what: string;
    readonly by: 'server' | 'browser';
    isAborted: boolean;
  }[];
  close(): Promise<void>;
}

export async function listen(port: number, options: ApiOptions = {}): Promise<RunningMagazine> {
  const { sendPage } = (await import(join(dist, 'server/render.js'))) as typeof Render; // cast: what Vite built of it
  const manifest = JSON.parse(readFileSync(join(dist, 'client/.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string }
  >; // cast: Vite's form
  const script = manifest['src/client.tsx']?.file ?? '';
  const api = createApi(options);
  const requests: RunningMagazine['requests'][number][] = [];

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname.startsWith('/api/')) {
      const by =
        request.headers['sec-fetch-mode'] === 'cors' && request.headers['sec-fetch-site']
          ? 'browser'
          : 'server';
      const entry: RunningMagazine['requests'][number] = {
        what: `${request.method} ${url.pathname}`,
        by,
        isAborted: false,
      };
      requests.push(entry);
      response.on('close', () => (entry.isAborted = !response.writableFinished));
      void api(request, response, url.pathname);
    } else if (url.pathname === `/${script}`) {
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(readFileSync(join(dist, 'client', script)));
    } else if (url.pathname === '/favicon.ico') {
      response.writeHead(204).end();
    } else {
      sendPage(url, response, { baseUrl: address(), script: `/${script}` });
    }
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on a port
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: address(),
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
