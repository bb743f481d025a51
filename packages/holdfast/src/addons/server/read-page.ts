// The browser's half of server rendering: finds the states that the server wrote into the page, in their order, even while the
// page is loading. A controller takes them as `initialState`.
import { savedState } from '../state/arrivals.ts';
import type { StateSource } from '../state/arrivals.ts';
import type { InitialState } from '../../controller/state/core.ts';
import { EXTENSION } from '../../dispatch/extension.ts';
import { currentPage } from '../../support/environment.ts';
import { blockAttributes } from './state-block.ts';

/**
 * Options of {@link readPage}.
 *
 * @example
 * const options: readPage.Options = { name: 'shop' };
 * const controller = new Controller({ initialState: await readPage(options) });
 */
export interface ReadPageOptions {
  /** The `name` option of the server's render. */
  readonly name?: string;
  /** The document to read from. Default: the current page. */
  readonly document?: Document;
}

/** The states in a page, including the states that arrive while the page is loading. */
export class PageStates implements InitialState, StateSource {
  readonly [EXTENSION]: InitialState[typeof EXTENSION] = savedState(this)[EXTENSION];
  readonly #page: Document | undefined;
  readonly #selector: string;

  constructor({ name = '', document = currentPage() }: ReadPageOptions = {}) {
    this.#page = document;
    const wanted = Object.entries(blockAttributes({ name }));
    this.#selector = `script${wanted.map(([attribute, value]) => `[${attribute}="${value}"]`).join('')}`;
  }

  /** Resolves when the page is parsed, so that no more states can arrive. */
  get ended(): Promise<void> {
    return waitUntil(this.#page, () => this.#page?.readyState !== 'loading');
  }

  at(index: number): string | undefined {
    const block = this.#page?.querySelectorAll(this.#selector)[index];
    const text = block?.textContent ?? '';
    // While the page is loading, the last block may be incomplete. A loaded page's state is returned even if it is malformed,
    // because the controller decides about malformed states.
    return block && (this.#page?.readyState !== 'loading' || isCompleteJson(text)) ? text : undefined;
  }
}

/** True when a state is complete. A state is a JSON object, so an incomplete state cannot be parsed. */
function isCompleteJson(text: string): boolean {
  if (!text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the states that a server wrote into this page, for a controller's `initialState`. Resolves when the first state has
 * arrived, or when the page is parsed. Later states are applied when they are needed, so that the browser does not fetch data
 * that the page contains.
 *
 * @example
 * import { DataProvider } from 'holdfast/react';
 * import { hydrateRoot } from 'react-dom/client';
 *
 * const controller = new Controller({ initialState: await readPage() });
 * hydrateRoot(document, <DataProvider controller={controller}>…</DataProvider>);
 */
export async function readPage(options: ReadPageOptions = {}): Promise<InitialState & StateSource> {
  const states = new PageStates(options);
  const page = options.document ?? currentPage();
  await waitUntil(page, () => states.at(0) !== undefined || page?.readyState !== 'loading');
  return states;
}

/**
 * Resolves when the condition is met; the condition is checked at every change of the page. Resolves at once if there is no page.
 */
function waitUntil(page: Document | undefined, isMet: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (!page || isMet()) {
      resolve();
      return;
    }
    const look = (): void => {
      if (!isMet()) return;
      observer.disconnect();
      page.removeEventListener('readystatechange', look);
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(page, { childList: true, characterData: true, subtree: true });
    page.addEventListener('readystatechange', look);
  });
}

export declare namespace readPage {
  export type { ReadPageOptions as Options };
}
