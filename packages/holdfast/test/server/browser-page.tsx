// A page in a frame that is written piece by piece, as a server streams it, and taken over by React. React's server half
// runs in this browser, too: it is the same code.
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToReadableStream } from 'react-dom/server.browser';
import { afterEach, beforeEach, vi } from 'vitest';
import { Controller, createResource, Entity } from 'holdfast';
import { DataProvider, readPage } from 'holdfast/react';
import { createServerRender } from 'holdfast/react/server';

export class Todo extends Entity {
  id = '';
  title = '';
  static override key = 'Todo';
}
export const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

/** The errors that React logged, except those about two copies of React in one page, which only this test has. */
export const complaints: string[] = [];

/** Creates a stream that ignores a request for bytes. */
function PlainStream(source: UnderlyingByteSource, strategy?: QueuingStrategy): ReadableStream {
  // cast: what enqueues bytes may enqueue anything
  return new OwnStream({ ...source, type: undefined } as UnderlyingDefaultSource, strategy);
}
const OwnStream = ReadableStream;

function hasByteStreams(): boolean {
  try {
    return Boolean(new ReadableStream({ type: 'bytes' }));
  } catch {
    return false;
  }
}

const ends: (() => void)[] = [];
beforeEach(() => {
  // The server renderer of React creates a byte stream. WebKit has none, and pages do not need one: only these tests render in a
  // browser.
  if (!hasByteStreams()) vi.stubGlobal('ReadableStream', PlainStream);
  complaints.length = 0;
  // these tests wait for React as a page does
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    const text = words.map(String).join(' ');
    if (!text.includes('multiple renderers')) complaints.push(text);
  });
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

export const settle = (ms = 0): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** An empty document in a frame, open for writing. */
export function openPage(): Document {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  ends.push(() => frame.remove());
  const page = frame.contentDocument;
  if (!page) throw new Error('a frame has a document');
  page.open();
  return page;
}

/** The pieces of the page as the server sends them. The response for each id waits until it is released. */
export async function renderPieces(page: ReactNode, ids: readonly string[]): Promise<string[]> {
  const gates = new Map(ids.map((id) => [id, createGate()]));
  const render = createServerRender({
    origins: ['http://api.test'],
    baseUrl: 'http://api.test',
    fetch: async (url) => {
      const id = new URL(url).pathname.split('/')[2] ?? '';
      await gates.get(id)?.passed;
      return id === 'broken'
        ? Response.json({ detail: 'a body' }, { status: 500 })
        : Response.json({ id, title: `title ${id}` });
    },
  });
  const rendering = renderToReadableStream(
    <DataProvider controller={render.controller}>{page}</DataProvider>,
    { onError: () => undefined },
  );
  const pieces: string[] = [];
  let isOver = false;
  /** Waits for a new piece, so that the next piece of the server cannot join it, however slow the browser is. */
  const nextPiece = async (limitMs: number): Promise<void> => {
    const before = pieces.length;
    for (let waited = 0; pieces.length === before && !isOver && waited < limitMs; waited += 10)
      await settle(10);
  };
  const passing = (async () => {
    // a shell that waits for no response is sent before the first one
    await nextPiece(500);
    for (const id of ids) {
      gates.get(id)?.pass();
      await nextPiece(2_000);
    }
  })();
  const html = await rendering;
  const reader = render.stream(html as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    pieces.push(decoder.decode(value, { stream: true }));
  }
  isOver = true;
  await passing;
  return pieces;
}

function createGate(): { readonly passed: Promise<void>; pass(): void } {
  let pass = (): void => undefined;
  const passed = new Promise<void>((done) => {
    pass = done;
  });
  return { passed, pass };
}

export interface TakenOver {
  readonly controller: Controller;
  /** Requests of the browser. */
  readonly requests: readonly string[];
  /** What React could not take over as it was. */
  readonly mismatches: readonly string[];
}

/** The browser's half; React takes over the document, or one element of it. */
export async function takeOver(
  page: Document,
  app: ReactNode,
  container: Document | Element = page,
): Promise<TakenOver> {
  const requests: string[] = [];
  const mismatches: string[] = [];
  const controller = new Controller({
    initialState: await readPage({ document: page }),
    fetch: async (url) => {
      requests.push(url);
      return Response.json({ id: url.split('/')[2], title: 'from the browser' });
    },
  });
  const root = hydrateRoot(container, <DataProvider controller={controller}>{app}</DataProvider>, {
    onRecoverableError: (error) => mismatches.push(String(error)),
  });
  ends.push(() => root.unmount());
  return { controller, requests, mismatches };
}
