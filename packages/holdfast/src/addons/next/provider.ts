// The provider for the App Router of Next.js. On the server it creates a server render for each request, and Next inserts the
// render's states into the stream of HTML. In the browser the provider's controller starts with these states.
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
 * Props of the provider for Next: options of the server render, and options of the controllers that the provider creates.
 *
 * @example
 * const props: DataProvider.Props = { baseUrl: process.env['API_URL'], origins: ['https://api.example.com'] };
 */
export interface NextDataProviderProps
  extends ControllerOptions, Pick<ServerRenderOptions, 'baseUrl' | 'describeError' | 'name' | 'nonce'> {
  /** The origins to which the server may send requests, besides the origin of `baseUrl`. Default: none. */
  readonly origins?: readonly string[];
  readonly children?: ReactNode;
}

/**
 * Provides the hooks below it with a controller, on the server and in the browser. Use it in a client component of your own,
 * around the children of the root layout.
 *
 * @example
 * 'use client';
 * import { DataProvider } from 'holdfast/next';
 *
 * export function Providers({ children, nonce }: { children: React.ReactNode; nonce?: string }) {
 *   // API_URL is not in the browser's bundle: only variables whose names start with NEXT_PUBLIC_ are
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
  const [controller] = useState(() => render?.controller ?? takeUnmounted(name, options));
  useEffect(() => noteMounted(controller), [controller]);
  useServerInsertedHTML(() => {
    const state = render?.takeState();
    if (!state) return null;
    return createElement('script', { ...state.attributes, dangerouslySetInnerHTML: { __html: state.text } });
  });
  return createElement(DataProvider, { controller }, children);
}

// React may discard the state of a first render and render again before it mounts the page. A new controller for each render
// would send its requests again. So each controller is kept here, by page and name, until its provider is mounted.
const unmounted = new WeakMap<Document, Map<string, Controller>>();

function takeUnmounted(name: string = '', options: ControllerOptions): Controller {
  const page = currentPage();
  const known = page && unmounted.get(page);
  const controller =
    known?.get(name) ?? new Controller({ ...options, initialState: new PageStates({ name }) });
  if (known) known.set(name, controller);
  else if (page) unmounted.set(page, new Map([[name, controller]]));
  return controller;
}

function noteMounted(controller: Controller): void {
  const page = currentPage();
  const known = page && unmounted.get(page);
  for (const [name, each] of known ?? []) if (each === controller) known?.delete(name);
}

export declare namespace NextDataProvider {
  export type { NextDataProviderProps as Props };
}
