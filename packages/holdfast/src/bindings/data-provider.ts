// The component at the top of an application: gives everything below it one controller, and lets that run while it is
// mounted.
import { createElement, Suspense, useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Controller } from '../controller/controller.ts';
import type { ControllerOptions } from '../controller/controller-options.ts';
import { ControllerContext } from './controller-context.ts';
import { checkForRequest, refuseFetch, useIsServer } from './request-controller.ts';

/**
 * Props of the provider: a controller, or options for one that it makes.
 *
 * @example
 * const props: DataProvider.Props = { dataExpiryLength: 10_000 };
 * const element = <DataProvider {...props}>the application</DataProvider>;
 */
export interface DataProviderProps extends ControllerOptions {
  /** The controller to use. Default: one of its own, made of the other props when it first renders. */
  readonly controller?: Controller | undefined;
  readonly children?: ReactNode;
}

/**
 * Gives the hooks below it their controller. Takes one, or any of the Controller's options. On a server it takes only one
 * that was made for the request, by `createServerRender` of `holdfast/react/server`.
 *
 * @example
 * <DataProvider dataExpiryLength={5 * 60_000}>
 *   <AsyncBoundary fallback="Loading">
 *     <p>The application</p>
 *   </AsyncBoundary>
 * </DataProvider>
 */
export function DataProvider({ controller, children, ...options }: DataProviderProps): ReactElement {
  const isServer = useIsServer();
  if (isServer && controller) checkForRequest(controller);
  const create = (): Controller => new Controller(isServer ? { ...options, fetch: refuseFetch } : options);
  const [own, setOwn] = useState(() => (controller ? null : create()));
  const running = controller ?? own ?? create();
  // the prop was there at first and is gone: only now a controller of its own is needed
  if (!controller && !own) setOwn(running);
  useEffect(() => {
    running.start();
    return running.stop;
  }, [running]);
  // React forgets a provider that never mounted, and its controller with it: what waits below waits here at the latest
  const below = controller ? children : createElement(Suspense, null, children);
  return createElement(ControllerContext.Provider, { value: running }, below);
}

export declare namespace DataProvider {
  export type { DataProviderProps as Props };
}
