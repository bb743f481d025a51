// The error boundaries: they show an error instead of their children, and can repeat the reads that failed.
import { Component, createElement, Suspense, useEffect, useState } from 'react';
import { LeaveFunctions, WaitingRoom } from './waiting-room.ts';
import { retryFailed } from './use-observer.ts';
import type { ComponentType, ErrorInfo, ReactElement, ReactNode } from 'react';

/**
 * Props of the component that shows an error.
 *
 * @example
 * const Failure = ({ error, resetErrorBoundary }: ErrorFallbackProps) => (
 *   <p role="alert">
 *     {error.message} <button onClick={resetErrorBoundary}>Try again</button>
 *   </p>
 * );
 */
export interface ErrorFallbackProps {
  readonly error: Error;
  /** Clears the error, repeats the reads that failed, and shows the children. */
  readonly resetErrorBoundary: () => void;
  readonly className?: string | undefined;
}

/**
 * Props of {@link ErrorBoundary}, for example the component that shows the error.
 *
 * @example
 * const report: ErrorBoundary.Props['onError'] = (error) => console.error(error);
 * const element = <ErrorBoundary onError={report}>the page</ErrorBoundary>;
 */
export interface ErrorBoundaryProps {
  readonly children?: ReactNode;
  /** The component that shows the error. Default: the error's message, as an alert. */
  readonly fallbackComponent?: ComponentType<ErrorFallbackProps> | undefined;
  /** The class name that is passed to the component that shows the error. */
  readonly className?: string | undefined;
  /**
   * Called with the function that resets the boundary, for the application's events. It returns a function that ends the listening.
   */
  readonly listen?: ((reset: () => void) => () => void) | undefined;
  /** Called with every error that the boundary catches, for error reports. */
  readonly onError?: ((error: Error, details: ErrorInfo) => void) | undefined;
}

interface ErrorBoundaryState {
  readonly error: Error | undefined;
}

function Message({ error, className }: ErrorFallbackProps): ReactElement {
  return createElement('pre', { role: 'alert', className }, error.message);
}

/**
 * Catches an error that a component below it throws, and shows the error in place of its children. Its reset clears the error and
 * repeats the reads that failed.
 *
 * @example
 * <ErrorBoundary
 *   fallbackComponent={({ error, resetErrorBoundary }) => (
 *     <p role="alert">
 *       {error.message} <button onClick={resetErrorBoundary}>Try again</button>
 *     </p>
 *   )}
 * >
 *   <p>The page</p>
 * </ErrorBoundary>
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined };
  #stop: (() => void) | undefined;

  static getDerivedStateFromError(error: Error): ErrorBoundaryState {
    return { error };
  }

  override componentDidMount(): void {
    this.#stop = this.props.listen?.(this.reset);
  }

  override componentDidUpdate({ listen }: ErrorBoundaryProps): void {
    if (listen === this.props.listen) return;
    this.#stop?.();
    this.#stop = this.props.listen?.(this.reset);
  }

  override componentWillUnmount(): void {
    this.#stop?.();
  }

  override componentDidCatch(error: Error, details: ErrorInfo): void {
    this.props.onError?.(error, details);
  }

  readonly reset = (): void => {
    const { error } = this.state;
    if (error === undefined) return;
    retryFailed(error);
    this.setState({ error: undefined });
  };

  override render(): ReactNode {
    const { error } = this.state;
    const { children, className, fallbackComponent = Message } = this.props;
    if (error === undefined) return children;
    return createElement(fallbackComponent, { error, resetErrorBoundary: this.reset, className });
  }
}

/**
 * Props of {@link AsyncBoundary}.
 *
 * @example const Page = (props: AsyncBoundary.Props) => <AsyncBoundary fallback={<p>Loading</p>} {...props} />;
 */
export interface AsyncBoundaryProps extends Pick<ErrorBoundaryProps, 'children' | 'listen' | 'onError'> {
  /** The content that is shown while a component inside suspends. */
  readonly fallback?: ReactNode;
  /** The component that is shown when a component inside has thrown an error. */
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  /** The `className` of the component that shows the error. */
  readonly errorClassName?: string | undefined;
}

/**
 * Combines Suspense and an error boundary. When it unmounts, reads that only components below it need are cancelled, except the
 * read of a `useFetch` whose component was never mounted.
 *
 * @example
 * <AsyncBoundary fallback={<p>Loading</p>} errorClassName="alert">
 *   <p>The page</p>
 * </AsyncBoundary>
 */
export function AsyncBoundary({
  children,
  fallback,
  errorComponent,
  errorClassName,
  ...rest
}: AsyncBoundaryProps): ReactElement {
  const [room] = useState(() => new LeaveFunctions());
  useEffect(() => room.mount(), [room]);
  const boundary = { ...rest, fallbackComponent: errorComponent, className: errorClassName };
  const inside = createElement(ErrorBoundary, boundary, children);
  return createElement(WaitingRoom.Provider, { value: room }, createElement(Suspense, { fallback }, inside));
}

export declare namespace AsyncBoundary {
  export type { AsyncBoundaryProps as Props };
}

export declare namespace ErrorBoundary {
  export type { ErrorBoundaryProps as Props };
}
