// Renders one hook for a test, with a controller whose network is mocked. It uses Testing Library, which handles the differences
// between React versions.
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { Component, createElement, Suspense, useEffect } from 'react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { DataProvider } from '../../bindings/data-provider.ts';
import type { Controller } from '../../controller/controller.ts';
import { toError } from '../../support/errors.ts';
import type { Fixture, Interceptor } from './fixture.types.ts';
import { createMockController } from './mock-controller.ts';
import type { MockControllerOptions } from './mock-controller.ts';
import type { MockManager } from './mock-manager.ts';

/**
 * Options of {@link renderDataHook}.
 *
 * @example
 * const options: renderDataHook.Options<{ id: string }> = { initialProps: { id: '1' } };
 * renderDataHook(({ id }) => useSuspense(TodoResource.get, { id }), options);
 */
export interface RenderDataHookOptions<P, T = unknown> extends Omit<MockControllerOptions<T>, 'fixtures'> {
  /** The hook's argument at the first render. */
  readonly initialProps?: P;
  /** Responses for the hook's requests. */
  readonly resolverFixtures?: readonly (Fixture | Interceptor<T>)[];
  /** A component around the hook, inside the provider. */
  readonly wrapper?: ComponentType<{ readonly children: ReactNode }>;
}

/**
 * A rendered hook: its result, and functions to render it again, to wait and to unmount.
 *
 * @example
 * const hook: renderDataHook.Result<undefined, Todo[]> = renderDataHook(() => useSuspense(TodoResource.getList));
 * console.log(hook.result.current?.length);
 */
export interface RenderedDataHook<P, R, T = unknown> {
  /** `current`: the last value that the hook returned. `error`: the error that the hook threw, until the next `rerender`. */
  readonly result: { readonly current: R | undefined; readonly error: Error | undefined };
  readonly controller: Controller;
  readonly network: MockManager<T>;
  rerender(props?: P): void;
  unmount(): void;
  waitFor: typeof waitFor;
  /** Waits until the hook returns another value, or throws. */
  waitForNextUpdate(options?: { readonly timeout?: number }): Promise<void>;
  /** Waits until no request is in flight. */
  allSettled(): Promise<void>;
  /** Unmounts all components that Testing Library has rendered. */
  cleanup(): void;
}

/**
 * Renders a hook inside a provider. `initialFixtures` are stored from the start; `resolverFixtures` respond to requests.
 *
 * @example
 * const { result, waitForNextUpdate } = renderDataHook(({ id }: { id: string }) => useSuspense(TodoResource.get, { id }), {
 *   initialProps: { id: '1' },
 *   resolverFixtures: [{ endpoint: TodoResource.get, args: [{ id: '1' }], response: { id: '1', title: 'milk' } }],
 * });
 * await waitForNextUpdate();
 * console.log(result.current?.title);
 */
export function renderDataHook<R, P = undefined, T = unknown>(
  useHook: (props: P) => R,
  options: RenderDataHookOptions<P, T> = {},
): RenderedDataHook<P, R, T> {
  const { initialProps, resolverFixtures, wrapper, ...rest } = options;
  const { controller, network } = createMockController<T>({
    ...rest,
    ...(resolverFixtures && { fixtures: resolverFixtures }),
  });
  const hookResult = new HookResult<R>();
  let latest = initialProps as P; // cast: only a hook without a parameter omits `initialProps`

  function Hook({ props }: { readonly props: P }): null {
    const value = useHook(props);
    // The value is noted in an effect, because React may discard a render.
    useEffect(() => hookResult.setValue(value));
    return null;
  }

  function createPage(): ReactElement {
    const hook = createElement(Hook, { props: latest });
    const wrapped = wrapper ? createElement(wrapper, null, hook) : hook;
    const caught = createElement(CatchBoundary, { onError: (error) => hookResult.setError(error) }, wrapped);
    return createElement(DataProvider, { controller }, createElement(Suspense, { fallback: null }, caught));
  }

  const page = render(createPage());
  return {
    result: hookResult,
    controller,
    network,
    rerender: (props = latest) => {
      latest = props;
      hookResult.restart();
      page.rerender(createPage());
    },
    unmount: () => page.unmount(),
    waitFor,
    waitForNextUpdate: async (wait = {}) => {
      const { count } = hookResult;
      await waitFor(() => {
        if (hookResult.count === count) throw new Error('the hook has given nothing new');
      }, wait);
    },
    allSettled: async () => {
      await act(async () => network.allSettled());
    },
    cleanup,
  };
}

class HookResult<R> {
  current: R | undefined = undefined;
  error: Error | undefined = undefined;
  /** How often the hook returned another value or threw. */
  count = 0;

  setValue(value: R): void {
    if (this.count > 0 && this.error === undefined && Object.is(this.current, value)) return;
    this.current = value;
    this.error = undefined;
    this.count += 1;
  }

  setError(error: Error): void {
    this.error = error;
    this.count += 1;
  }

  restart(): void {
    this.error = undefined;
  }
}

interface CatchBoundaryProps {
  readonly children?: ReactNode;
  readonly onError: (error: Error) => void;
}

/** Catches an error that the hook throws. Renders nothing until the next `rerender`, which mounts the hook again. */
class CatchBoundary extends Component<CatchBoundaryProps, { readonly failedIn: ReactNode }> {
  override state: { readonly failedIn: ReactNode } = { failedIn: null };

  override componentDidCatch(error: unknown): void {
    this.props.onError(toError(error));
    this.setState({ failedIn: this.props.children });
  }

  override render(): ReactNode {
    return this.state.failedIn === this.props.children ? null : this.props.children;
  }
}

export declare namespace renderDataHook {
  export type { RenderDataHookOptions as Options, RenderedDataHook as Result };
}
