// The shared parts of the tests of server rendering: a page with early and late parts, rendered through both kinds of React
// streams, and the states in it.
import { PassThrough } from 'node:stream';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { renderToPipeableStream, renderToReadableStream } from 'react-dom/server';
import { createResource, Entity } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import type { createServerRender } from 'holdfast/react/server';

export class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}

export const createTodos = (urlPrefix = '') =>
  createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
export type Todos = ReturnType<typeof createTodos>;

export function Title({ todos, id }: { todos: Todos; id: string }) {
  return <b>{useSuspense(todos.get, { id }).title}</b>;
}

/** One todo in the shell, the others each behind a boundary. */
export function Page({ todos, first, late }: { todos: Todos; first: string; late: readonly string[] }) {
  return (
    <html lang="en">
      <head>
        <title>page</title>
      </head>
      <body>
        <Title todos={todos} id={first} />
        {late.map((id) => (
          <Suspense key={id} fallback={<i>{`waiting for ${id}`}</i>}>
            <Title todos={todos} id={id} />
          </Suspense>
        ))}
      </body>
    </html>
  );
}

export interface Rendered {
  /** The pieces that have arrived so far. */
  html: string;
  readonly done: Promise<string>;
}

type Renderer = (
  render: createServerRender.Result,
  page: ReactNode,
  onError?: (error: unknown) => void,
) => Promise<Rendered>;

async function collect(chunks: AsyncIterable<Uint8Array>, into: { html: string }): Promise<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) into.html += decoder.decode(chunk, { stream: true });
  return into.html;
}

function started(chunks: AsyncIterable<Uint8Array>): Rendered {
  const into = { html: '' };
  const done = collect(chunks, into);
  done.catch(() => undefined);
  return Object.assign(into, { done });
}

const inProvider = (render: createServerRender.Result, page: ReactNode): ReactNode => (
  <DataProvider controller={render.controller}>{page}</DataProvider>
);

/** Both ways to stream, by name. */
export const renderers: Readonly<Record<'web' | 'node', Renderer>> = {
  async web(render, page, onError = () => undefined) {
    const html = await renderToReadableStream(inProvider(render, page), { onError });
    return started(render.stream(html) as unknown as AsyncIterable<Uint8Array>); // cast: Node's streams can be iterated
  },
  node(render, page, onError = () => undefined) {
    return new Promise((resolve, reject) => {
      const out = new PassThrough();
      const { pipe } = renderToPipeableStream(inProvider(render, page), {
        onShellReady: () => {
          try {
            render.pipe(pipe, out);
            resolve(started(out));
          } catch (error) {
            reject(error as Error); // cast: the library throws errors
          }
        },
        onShellError: reject,
        onError,
      });
    });
  },
};

const BLOCK = /<script type="application\/json" data-holdfast="[^"]*"(?: nonce="[^"]*")?>([^<]*)<\/script>/g;

/** The states in a page, as strings. */
export function blocksIn(html: string): string[] {
  return [...html.matchAll(BLOCK)].map(([, text = '']) => text);
}
