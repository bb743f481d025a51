// The server's half: one render per request, piped into the response while the data comes in.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { renderToPipeableStream } from 'react-dom/server';
import { DataProvider } from 'holdfast/react';
import { createServerRender } from 'holdfast/react/server';
import { App } from './app.tsx';
import { readAddress } from './read-address.ts';

/** How long the page may wait for its slowest part; the browser loads what is missing then. */
const PATIENCE_MS = 10_000;

export interface RenderOptions {
  /** Where the API is. */
  readonly baseUrl: string;
  /** The browser's half, as Vite named it. */
  readonly script: string;
}

export function sendPage(url: URL, response: ServerResponse, { baseUrl, script }: RenderOptions): void {
  const nonce = randomBytes(16).toString('base64');
  const address = readAddress(url);
  const render = createServerRender({ origins: [], baseUrl, nonce });
  let isSent = false;
  const send = (status: number): void => {
    isSent = true;
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; connect-src 'self'; base-uri 'none'; ` +
        `form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    });
    render.pipe(pipe, response);
  };
  const { pipe, abort } = renderToPipeableStream(
    <DataProvider controller={render.controller}>
      <App {...address} />
    </DataProvider>,
    {
      nonce,
      bootstrapModules: [script],
      onShellReady: () => {
        if (!address.isWhole) send(200);
      },
      onAllReady: () => {
        if (!isSent) send(200);
      },
      onShellError: () => {
        render.close();
        response.writeHead(503, { 'content-type': 'text/plain' }).end('The magazine cannot be loaded now.');
      },
      onError: (error) => void (error instanceof Error && console.error(`${url.pathname}: ${error.message}`)),
    },
  );
  const patience = setTimeout(() => abort(new Error('took too long')), PATIENCE_MS);
  response.on('close', () => {
    clearTimeout(patience);
    // the client has gone away, or has everything
    abort();
    render.close();
  });
}
