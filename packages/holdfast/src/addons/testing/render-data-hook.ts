// Renders one hook with a controller that plays fixtures, for tests. Stands on Testing Library, which knows the ways of
// each React.
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
  /** The hook's argument at first. */
  readonly initialProps?: P;
  /** Answers that come when they are asked for. */
  readonly resolverFixtures?: readonly (Fixture | Interceptor<T>)[];
  /** Around the hook, inside the provider. */
  readonly wrapper?: ComponentType<{ readonly children: ReactNode }>;
}

/**
 * A hook that was rendered: what it gives, and the means to go on.
 *
 * @example
 * const hook: renderDataHook.Result<undefined, Todo[]> = renderDataHook(() => useSuspense(TodoResource.getList));
 * console.log(hook.result.current?.length);
 */
export interface RenderedDataHook<P, R, T = unknown> {
  /** What the hook gave last; `current` is undefined while it waits, `error` is what it threw. */
  readonly result: { readonly current: R | undefined; readonly error: Error | undefined };
  readonly controller: Controller;
  readonly network: MockManager<T>;
  rerender(props?: P): void;
  unmount(): void;
  waitFor: typeof waitFor;
  /** Waits for the next time that the hook gives or throws something. */
  waitForNextUpdate(options?: { readonly timeout?: number }): Promise<void>;
  /** Waits until no request is under way. */
  allSettled(): Promise<void>;
  /** Unmounts everything that was rendered. */
  cleanup(): void;
}

/**
 * Renders a hook below a provider, with data that is there from the start and answers that come when asked for.
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
  const book = new ResultBook<R>();
  let latest = initialProps as P; // cast: left out only when the hook takes nothing

  function Hook({ props }: { readonly props: P }): null {
    const value = useHook(props);
    // an effect, not the render: what was rendered and thrown away was never given
    useEffect(() => book.give(value));
    return null;
  }

  function createPage(): ReactElement {
    const hook = createElement(Hook, { props: latest });
    const wrapped = wrapper ? createElement(wrapper, null, hook) : hook;
    const caught = createElement(Catch, { onError: (error) => book.fail(error) }, wrapped);
    return createElement(DataProvider, { controller }, createElement(Suspense, { fallback: null }, caught));
  }

  const page = render(createPage());
  return {
    result: book,
    controller,
    network,
    rerender: (props = latest) => {
      latest = props;
      book.restart();
      page.rerender(createPage());
    },
    unmount: () => page.unmount(),
    waitFor,
    waitForNextUpdate: async (wait = {}) => {
      const { count } = book;
      await waitFor(() => {
        if (book.count === count) throw new Error('the hook has given nothing new');
      }, wait);
    },
    allSettled: async () => {
      await act(async () => network.allSettled());
    },
    cleanup,
  };
}

class ResultBook<R> {
  current: R | undefined = undefined;
  error: Error | undefined = undefined;
  /** How often the hook gave or threw something. */
  count = 0;

  give(value: R): void {
    if (this.count > 0 && this.error === undefined && Object.is(this.current, value)) return;
    this.current = value;
    this.error = undefined;
    this.count += 1;
  }

  fail(error: Error): void {
    this.error = error;
    this.count += 1;
  }

  restart(): void {
    this.error = undefined;
  }
}

interface CatchProps {
  readonly children?: ReactNode;
  readonly onError: (error: Error) => void;
}

/** Ends a failed render; the next one starts from nothing. */
class Catch extends Component<CatchProps, { readonly failedIn: ReactNode }> {
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
