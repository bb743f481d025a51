// Renders one page on a server, with its own controller and a `fetch` that allows only listed origins. The fetched data is written
// into the stream of HTML, as states that read-page.ts reads in the browser.
import { markForRequest } from '../../bindings/request-controller.ts';
import { Controller } from '../../controller/controller.ts';
import type { ControllerOptions } from '../../controller/controller-options.ts';
import { CORE } from '../../controller/state/core.ts';
import { dehydrateEngine } from '../state/dehydrate.ts';
import type { List, Row } from '../../store/nodes.ts';
import { Slot } from '../../store/slot.ts';
import { isAfter, isStale } from '../../store/order.ts';
import { createEnvironment } from '../../support/environment.ts';
import { HoldfastError } from '../../support/errors.ts';
import { insertIntoWebStream, StateWriter } from './insert-states.ts';
import type { NodeDestination } from './insert-states.ts';
import { createServerFetch } from './fetch.ts';
import type { ServerFetchOptions } from './fetch.ts';
import { blockAttributes, blockHtml, toPageJson } from './state-block.ts';
import type { BlockOptions } from './state-block.ts';

/**
 * Options of {@link createServerRender}: the origins to which the server may send requests, and the options of a `Controller`.
 *
 * @example
 * const options: createServerRender.Options = { origins: ['https://api.example.com'], timeoutMs: 2_000 };
 * const render = createServerRender(options);
 */
export interface ServerRenderOptions extends ControllerOptions, ServerFetchOptions, BlockOptions {
  /** Abort this signal when the client has disconnected. The abort ends the render, as `close` does. */
  readonly signal?: AbortSignal | undefined;
  /** The message that the browser gets for an error that is not an error of the library. Default: 'Failed on the server.' */
  readonly describeError?: (error: Error) => string;
}

/**
 * One page being rendered.
 *
 * @example
 * async function load({ controller }: createServerRender.Result) {
 *   await controller.fetch(TodoResource.getList);
 * }
 */
export interface ServerRender {
  /** The controller for the DataProvider around the page. You may fetch with it before React renders. */
  readonly controller: Controller;
  /** Returns React's web stream with the states inserted. */
  stream(html: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
  /** For Node: calls React's `pipe` so that its output, with the states inserted, is written to the destination. */
  pipe(pipe: (destination: never) => unknown, destination: NodeDestination): void;
  /**
   * For servers that insert the states themselves: returns a script element with the data that was stored since the last call. The
   * first call always returns an element; a later call returns '' if there is no such data.
   */
  takeBlock(): string;
  /**
   * Does the same as `takeBlock`, but returns attributes and text, for frameworks that create the element. It returns undefined
   * where `takeBlock` returns ''.
   */
  takeState(): { readonly attributes: Readonly<Record<string, string>>; readonly text: string } | undefined;
  /**
   * Ends the render: aborts the requests in flight and refuses new requests. It is called when the stream ends, fails or is
   * cancelled, and when the option `signal` aborts.
   */
  close(reason?: unknown): void;
}

/**
 * Prepares the render of one page on a server. Call it once per request.
 *
 * @example
 * import { DataProvider } from 'holdfast/react';
 * import { renderToReadableStream } from 'react-dom/server';
 *
 * async function handle(request: Request): Promise<Response> {
 *   const render = createServerRender({ origins: ['https://api.example.com'], signal: request.signal });
 *   const page = <DataProvider controller={render.controller}>…</DataProvider>;
 *   const html = await renderToReadableStream(page, { bootstrapModules: ['/client.js'], signal: request.signal });
 *   return new Response(render.stream(html), { headers: { 'content-type': 'text/html; charset=utf-8' } });
 * }
 */
export function createServerRender(options: ServerRenderOptions): ServerRender {
  const {
    origins,
    baseUrl,
    headers,
    name,
    nonce,
    signal,
    describeError = () => HIDDEN_MESSAGE,
    ...rest
  } = options;
  const attributes = blockAttributes({ ...(name !== undefined && { name }), nonce });
  const serverFetch = createServerFetch(createEnvironment(rest).fetch, { origins, baseUrl, headers });
  let isOver = false;
  let isUsed = false;
  const controller = new Controller({
    ...rest,
    fetch: (url, init) =>
      isOver ? Promise.reject(new HoldfastError('RENDER_OVER')) : serverFetch(url, init),
  });
  markForRequest(controller);
  const core = controller[CORE];
  const sent = new SentData();

  let isFirstState = true;
  const redact = (error: Error): Error => {
    if (error instanceof HoldfastError) return error;
    const shownError = new Error(describeError(error));
    shownError.name = error.name;
    return shownError;
  };
  const takeState: ServerRender['takeState'] = () => {
    const isWanted = (part: Row | List | Slot): boolean => sent.recordContent(part);
    const state = dehydrateEngine(core.engine, { isWanted, redact });
    // The first state is sent even if it is empty, because the browser waits for it.
    const isNeeded = isFirstState || state.tables.length > 0 || state.slots.length > 0;
    isFirstState = false;
    return isNeeded ? { attributes, text: toPageJson(state) } : undefined;
  };
  const takeBlock = (): string => {
    const state = takeState();
    return state ? blockHtml(state.attributes, state.text) : '';
  };
  const close = (reason?: unknown): void => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', abort);
    core.flights.abortAll(reason instanceof Error ? reason : new HoldfastError('RENDER_OVER'));
  };
  const abort = (): void => close(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const claim = (): void => {
    if (isUsed) throw new HoldfastError('RENDER_OVER');
    isUsed = true;
  };

  return {
    controller,
    takeBlock,
    takeState,
    close,
    stream(html) {
      claim();
      return insertIntoWebStream(html, takeBlock, core.environment.timers, close);
    },
    pipe(pipe, destination) {
      claim();
      (pipe as (to: object) => unknown)(new StateWriter(destination, takeBlock, close)); // cast: React declares a Node stream
    },
  };
}

const HIDDEN_MESSAGE = 'Failed on the server.';

/** Records which data was sent to the browser, so that each state contains only new or changed data. */
class SentData {
  readonly #sent = new Map<object, readonly unknown[]>();

  /**
   * Records the present content of a row, list or slot as sent. Returns true if it was not sent before, or has changed since it was
   * sent.
   */
  recordContent(part: Row | List | Slot): boolean {
    const content = partContent(part);
    const before = this.#sent.get(part);
    this.#sent.set(part, content);
    return before === undefined || content.some((value, index) => value !== before[index]);
  }
}

function partContent(part: Row | List | Slot): readonly unknown[] {
  if (!(part instanceof Slot)) return [part.base, isStale(part)];
  return [part.stored, part.hasResult, part.error, isAfter(part.invalidatedAt, 0), isStale(part)];
}

export declare namespace createServerRender {
  export type { NodeDestination, ServerRender as Result, ServerRenderOptions as Options };
}
