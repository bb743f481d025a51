// `holdfast/react`: the provider, the hooks, the boundaries, and `readPage` for pages that a server rendered.
'use client';
export { readPage } from './addons/server/read-page.ts';
export { useController } from './bindings/controller-context.ts';
export { DataProvider } from './bindings/data-provider.ts';
export {
  AsyncBoundary,
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
} from './bindings/error-boundary.ts';
export type { ErrorFallbackProps } from './bindings/error-boundary.ts';
export type { MaybeArgs } from './bindings/hook.types.ts';
export { useCache } from './bindings/use-cache.ts';
export { useCancelling } from './bindings/use-cancelling.ts';
export { useDebounce } from './bindings/use-debounce.ts';
export { useDLE } from './bindings/use-dle.ts';
export { useError } from './bindings/use-error.ts';
export { useFetch } from './bindings/use-fetch.ts';
export { useIsFetching, useIsMutating } from './bindings/use-in-flight.ts';
export { useLoading } from './bindings/use-loading.ts';
export { useMutation } from './bindings/use-mutation.ts';
export { useFailed } from './bindings/use-failed.ts';
export { usePages } from './addons/pages/use-pages.ts';
export { usePending } from './bindings/use-pending.ts';
export { useQuery } from './bindings/use-query.ts';
export { useLive, useSubscription } from './bindings/use-subscription.ts';
export { useSuspense } from './bindings/use-suspense.ts';
export { useSuspenseAll } from './bindings/use-suspense-all.ts';
export { useWatched } from './bindings/use-watched.ts';
