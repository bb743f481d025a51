// Every option of TanStack Query's hooks. The compiler refuses a list that lacks one or has another, and a test looks for each of them
// on the page docs/from-tanstack-query.md.
import type { UseInfiniteQueryOptions, UseMutationOptions, UseQueryOptions } from '@tanstack/react-query';

/** Options that the library sets itself start with an underscore; `behavior` and `queryHash` are its own too. */
type OfUsers<K> = Exclude<K, `_${string}` | 'behavior' | 'queryHash'>;

type Names<K extends PropertyKey> = Readonly<Record<OfUsers<K>, true>>;

const queryOptions: Names<keyof UseQueryOptions> = {
  enabled: true,
  gcTime: true,
  initialData: true,
  initialDataUpdatedAt: true,
  maxPages: true,
  meta: true,
  networkMode: true,
  notifyOnChangeProps: true,
  persister: true,
  placeholderData: true,
  queryFn: true,
  queryKey: true,
  queryKeyHashFn: true,
  refetchInterval: true,
  refetchIntervalInBackground: true,
  refetchOnMount: true,
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
  retry: true,
  retryDelay: true,
  retryOnMount: true,
  select: true,
  staleTime: true,
  structuralSharing: true,
  subscribed: true,
  throwOnError: true,
};

const infiniteQueryOptions: Names<Exclude<keyof UseInfiniteQueryOptions, keyof UseQueryOptions>> = {
  getNextPageParam: true,
  getPreviousPageParam: true,
  initialPageParam: true,
};

const mutationOptions: Names<keyof UseMutationOptions> = {
  gcTime: true,
  meta: true,
  mutationFn: true,
  mutationKey: true,
  networkMode: true,
  onError: true,
  onMutate: true,
  onSettled: true,
  onSuccess: true,
  retry: true,
  retryDelay: true,
  scope: true,
  throwOnError: true,
};

export const options: Readonly<Record<'useQuery' | 'useInfiniteQuery' | 'useMutation', readonly string[]>> = {
  useQuery: Object.keys(queryOptions),
  useInfiniteQuery: Object.keys(infiniteQueryOptions),
  useMutation: Object.keys(mutationOptions),
};
