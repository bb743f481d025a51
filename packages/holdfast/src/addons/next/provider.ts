// The provider for the App Router of Next.js: on the server it is one render of its own per request, whose states Next
// puts into the stream; in the browser it starts with them.
import { useServerInsertedHTML } from 'next/navigation.js';
import { createElement, useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { DataProvider } from '../../bindings/data-provider.ts';
import { useIsServer } from '../../bindings/request-controller.ts';
import { Controller } from '../../controller/controller.ts';
import type { ControllerOptions } from '../../controller/controller-options.ts';
import { currentPage } from '../../support/environment.ts';
import { PageStates } from '../server/read-page.ts';
import { createServerRender } from '../server/render.ts';
import type { ServerRenderOptions } from '../server/render.ts';

/**
 * Props of the provider for Next: where the API is, and options of the controllers that it makes.
 *
 * @example
 * const props: DataProvider.Props = { baseUrl: process.env['API_URL'], origins: ['https://api.example.com'] };
 */
export interface NextDataProviderProps
  extends ControllerOptions, Pick<ServerRenderOptions, 'baseUrl' | 'describeError' | 'name' | 'nonce'> {
  /** The origins that the server may ask. Default: only that of `baseUrl`. */
  readonly origins?: readonly string[];
  readonly children?: ReactNode;
}

/**
 * Gives the hooks below it their controller, on the server and in the browser. Stands in a client component of your own,
 * around the children of the root layout.
 *
 * @example
 * 'use client';
 * import { DataProvider } from 'holdfast/next';
 *
 * export function Providers({ children, nonce }: { children: React.ReactNode; nonce?: string }) {
 *   // not in the browser's bundle: only names that start with NEXT_PUBLIC_ are
 *   return <DataProvider baseUrl={process.env['API_URL']} nonce={nonce}>{children}</DataProvider>;
 * }
 */
export function NextDataProvider({
  origins = [],
  baseUrl,
  name,
  nonce,
  describeError,
  children,
  ...options
}: NextDataProviderProps): ReactElement {
  const isServer = useIsServer();
  const [render] = useState(() =>
    isServer
      ? createServerRender({
          ...options,
          origins,
          baseUrl,
          nonce,
          ...(name !== undefined && { name }),
          ...(describeError && { describeError }),
        })
      : null,
  );
  const [controller] = useState(() => render?.controller ?? takeUnborn(name, options));
  useEffect(() => bear(controller), [controller]);
  useServerInsertedHTML(() => {
    const state = render?.takeState();
    if (!state) return null;
    return createElement('script', { ...state.attributes, dangerouslySetInnerHTML: { __html: state.text } });
  });
  return createElement(DataProvider, { controller }, children);
}

// React may start a page again before it is on screen, and forgets what was made: a new controller each time would send its
// requests each time. Keyed by the page; a controller leaves when its provider is on screen.
const unborn = new WeakMap<Document, Map<string, Controller>>();

function takeUnborn(name: string = '', options: ControllerOptions): Controller {
  const page = currentPage();
  const known = page && unborn.get(page);
  const controller =
    known?.get(name) ?? new Controller({ ...options, initialState: new PageStates({ name }) });
  if (known) known.set(name, controller);
  else if (page) unborn.set(page, new Map([[name, controller]]));
  return controller;
}

function bear(controller: Controller): void {
  const page = currentPage();
  const known = page && unborn.get(page);
  for (const [name, each] of known ?? []) if (each === controller) known?.delete(name);
}

export declare namespace NextDataProvider {
  export type { NextDataProviderProps as Props };
}
