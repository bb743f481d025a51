// A component that mocks the network for its children. It is for stories, and for tests that render components themselves.
import { createElement, useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { DataProvider } from '../../bindings/data-provider.ts';
import { createMockController } from './mock-controller.ts';
import type { MockControllerOptions } from './mock-controller.ts';

/**
 * Props of {@link MockResolver}: fixtures, and the options of its controller.
 *
 * @example
 * const props: MockResolver.Props = { fixtures: [{ endpoint: TodoResource.getList, response: () => [] }] };
 * const element = <MockResolver {...props}>the page</MockResolver>;
 */
export interface MockResolverProps<T = unknown> extends MockControllerOptions<T> {
  readonly children?: ReactNode;
}

/**
 * Provides its children with a controller whose network is mocked by fixtures. The prop `fixtures` may change from render to
 * render; the store and the interceptors' data are kept.
 *
 * @example
 * <MockResolver
 *   getInitialInterceptorData={() => ({ votes: 0 })}
 *   fixtures={[
 *     { endpoint: TodoResource.getList, args: [], response: [{ id: '1', title: 'milk' }], delay: 300 },
 *     {
 *       endpoint: TodoResource.partialUpdate,
 *       response({ id }: { id: string }, body: object) {
 *         this.votes += 1;
 *         return { id, ...body };
 *       },
 *     },
 *   ]}
 * >
 *   <p>The story</p>
 * </MockResolver>
 */
export function MockResolver<T = unknown>({ children, ...options }: MockResolverProps<T>): ReactElement {
  const [{ controller, network }] = useState(() => createMockController<T>(options));
  const { fixtures } = options;
  useEffect(() => {
    if (fixtures) network.replace(fixtures);
  }, [network, fixtures]);
  return createElement(DataProvider, { controller }, children);
}

export declare namespace MockResolver {
  export type { MockResolverProps as Props };
}
