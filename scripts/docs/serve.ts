// `npm run docs`: serves the built site and prints its address. PORT chooses the port; by default the first free one from 4173 on.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

async function readPage(site: string, path: string): Promise<{ file: string; body: Buffer } | undefined> {
  const name = normalize(path).replace(/^(?:\.\.[\\/])+/, '');
  for (const file of [name.endsWith('/') ? `${name}index.html` : name, `${name}.html`]) {
    const body = await readFile(join(site, file)).catch(() => undefined);
    if (body) return { file, body };
  }
  return undefined;
}

export async function serveSite(site: string, port: number): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    void readPage(site, path).then(async (page) => {
      const { file, body } = page ?? { file: '404.html', body: await readFile(join(site, '404.html')) };
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      const isZipped =
        /text|javascript|json|svg/.test(type) && /gzip/.test(String(request.headers['accept-encoding']));
      response.writeHead(page ? 200 : 404, {
        'content-type': type,
        ...(isZipped && { 'content-encoding': 'gzip' }),
      });
      response.end(isZipped ? gzipSync(body) : body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: open } = server.address() as AddressInfo; // cast: it listens on a port
  return { url: `http://127.0.0.1:${open}/`, server };
}

if (import.meta.main) {
  const site = join(import.meta.dirname, '../../docs/.vitepress/dist');
  const wanted = process.env['PORT'];
  let port = Number(wanted ?? 4173);
  for (;;) {
    try {
      const { url } = await serveSite(site, port);
      console.log(`The documentation is at ${url}`);
      break;
    } catch (error) {
      if (wanted !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      port += 1;
    }
  }
}
