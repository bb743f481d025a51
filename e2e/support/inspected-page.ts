// Serves the application of inspected-app.ts under a strict content policy, with the panel as a chunk of its own, and holds its
// requests until a test answers them.
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface InspectedPage {
  readonly url: string;
  /** The scripts that were asked for. */
  readonly loaded: readonly string[];
  /** Answers the oldest request of this name, or the one at that place, when it has come. */
  answer(name: string, body: unknown, place?: number, status?: number): Promise<void>;
  close(): Promise<void>;
}

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'";
const HTML =
  '<!doctype html><html lang="en"><head><title>Todos</title><script type="module" src="/inspected-app.js"></script></head><body><main><h1>Todos</h1></main></body></html>';

export async function serveInspectedPage(
  mode: 'production' | 'development' = 'production',
): Promise<InspectedPage> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'inspected-app.ts')],
    outdir: '/',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    conditions: [mode],
    tsconfigRaw: {},
    write: false,
    logLevel: 'error',
  });
  const scripts = new Map(
    outputFiles.map(({ path, text }) => [path.replaceAll('\\', '/').replace(/^.*\//, '/'), text]),
  );
  const held: { name: string; response: ServerResponse }[] = [];
  const loaded: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    const script = scripts.get(path);
    response.setHeader('content-security-policy', POLICY);
    if (path.startsWith('/api/')) {
      const one = { name: `${request.method} ${path.slice(4)}`, response };
      held.push(one);
      // a page that is closed takes no answer
      response.on('close', () => held.includes(one) && held.splice(held.indexOf(one), 1));
    } else if (script !== undefined) {
      loaded.push(path);
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    loaded,
    async answer(name, body, place = 0, status = 200) {
      const end = Date.now() + 15_000;
      for (;;) {
        const one = held.filter((other) => other.name === name)[place];
        if (one) {
          held.splice(held.indexOf(one), 1);
          one.response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
          return;
        }
        if (Date.now() > end)
          throw new Error(`no ${name} came, only ${held.map((other) => other.name).join(', ')}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async close() {
      for (const { response } of held) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
