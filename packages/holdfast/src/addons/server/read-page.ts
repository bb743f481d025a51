// The browser's half of server rendering: finds the states that the server wrote into the page, in their order, while the
// page may still be loading. What it gives is a controller's `initialState`.
import { savedState } from '../state/arrivals.ts';
import type { StateSource } from '../state/arrivals.ts';
import type { InitialState } from '../../controller/state/core.ts';
import { INSTALL } from '../../dispatch/manager.ts';
import { currentPage } from '../../support/environment.ts';
import { blockAttributes } from './state-block.ts';

/**
 * Which states of the page are read.
 *
 * @example
 * const options: readPage.Options = { name: 'shop' };
 * const controller = new Controller({ initialState: await readPage(options) });
 */
export interface ReadPageOptions {
  /** The name that the server's render was given. */
  readonly name?: string;
  /** Default: the page. */
  readonly document?: Document;
}

/** The states in the page: the ones that are there, and the ones that come while it loads. */
export class PageStates implements InitialState, StateSource {
  readonly [INSTALL]: InitialState[typeof INSTALL] = savedState(this)[INSTALL];
  readonly #page: Document | undefined;
  readonly #selector: string;

  constructor({ name = '', document = currentPage() }: ReadPageOptions = {}) {
    this.#page = document;
    const wanted = Object.entries(blockAttributes({ name }));
    this.#selector = `script${wanted.map(([attribute, value]) => `[${attribute}="${value}"]`).join('')}`;
  }

  /** When the page has been read to its end. */
  get ended(): Promise<void> {
    return whenever(this.#page, () => this.#page?.readyState !== 'loading');
  }

  at(index: number): string | undefined {
    const block = this.#page?.querySelectorAll(this.#selector)[index];
    const text = block?.textContent ?? '';
    // the last one may be half there; what cannot be read when all is there is the controller's to judge
    return block && (this.#page?.readyState !== 'loading' || isWhole(text)) ? text : undefined;
  }
}

/** A state is an object, and half an object is no JSON. */
function isWhole(text: string): boolean {
  if (!text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The states that a server wrote into this page, for a controller to start with. Resolves when the first of them is
 * there; what comes later is taken in when it is needed, so nothing is fetched that the page brings.
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
  await whenever(page, () => states.at(0) !== undefined || page?.readyState !== 'loading');
  return states;
}

/** Looks at every change of a page until something is the case. */
function whenever(page: Document | undefined, isCase: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (!page || isCase()) {
      resolve();
      return;
    }
    const look = (): void => {
      if (!isCase()) return;
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
