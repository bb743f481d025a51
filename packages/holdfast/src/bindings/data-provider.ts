// The component at the top of an application: gives all components below it one controller, which runs while the provider
// is mounted.
import { checkChanges, inDevelopment } from '#env';
import { createElement, Suspense, useContext, useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Controller } from '../controller/controller.ts';
import type { ControllerOptions } from '../controller/controller-options.ts';
import { CORE } from '../controller/state/core.ts';
import { describe } from '../support/errors.ts';
import { ControllerContext } from './controller-context.ts';
import { requireRequestController, refuseFetch, useIsServer } from './request-controller.ts';

/**
 * Props of the provider: a controller, or the options of the controller that the provider creates.
 *
 * @example
 * const props: DataProvider.Props = { dataExpiryLength: 10_000 };
 * const element = <DataProvider {...props}>the application</DataProvider>;
 */
export interface DataProviderProps extends ControllerOptions {
  /**
   * The controller to use. By default, the provider creates a controller from the other props at its first render without this
   * prop.
   */
  readonly controller?: Controller | undefined;
  readonly children?: ReactNode;
}

/**
 * Gives the hooks below it their controller. Pass a `controller`, or any options of `Controller`. On a server, pass the controller
 * that `createServerRender` of `holdfast/react/server` created for the request. There, a controller that was not made for one
 * request is an error, and a provider without a controller cannot fetch.
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
  if (isServer && controller) requireRequestController(controller);
  const create = (): Controller => new Controller(isServer ? { ...options, fetch: refuseFetch } : options);
  const [own, setOwn] = useState(() => (controller ? null : create()));
  const running = controller ?? own ?? create();
  // The `controller` prop was set at the first render and is missing now, so the controller that was just created is kept.
  if (!controller && !own) setOwn(running);
  useEffect(() => {
    running.start();
    return running.stop;
  }, [running]);
  // React discards the state of a component that suspends before it was mounted. If the provider has a controller of its own, a
  // Suspense catches components that suspend below, so that the provider mounts and its controller is not discarded.
  let below = controller ? children : createElement(Suspense, null, children);
  // The order of hooks is the same in all renders of a build.
  inDevelopment(() => {
    // oxlint-disable-next-line no-console -- warnings of development
    const warn = (code: string): void => console.warn(describe(code, {}));
    // oxlint-disable-next-line react/rules-of-hooks
    const isNested = useContext(ControllerContext) !== null && !controller;
    // oxlint-disable-next-line react/rules-of-hooks
    useEffect(() => {
      if (isNested) warn('PROVIDER_NESTED');
    }, [isNested]);
    // oxlint-disable-next-line react/rules-of-hooks
    const [memory] = useState({});
    // oxlint-disable-next-line react/rules-of-hooks
    useEffect(() =>
      checkChanges(memory, running, {
        identity: '',
        at: running[CORE].environment.clock.now(),
        report: () => warn('CONTROLLER_UNSTABLE'),
      }),
    );
    // oxlint-disable-next-line react/rules-of-hooks
    const [Blank] = useState(() => (): null => {
      useEffect(() => warn('BOUNDARY_MISSING'), []);
      return null;
    });
    if (!controller) below = createElement(Suspense, { fallback: createElement(Blank) }, children);
  });
  return createElement(ControllerContext.Provider, { value: running }, below);
}

export declare namespace DataProvider {
  export type { DataProviderProps as Props };
}
