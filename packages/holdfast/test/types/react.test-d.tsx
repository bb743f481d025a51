import { expectTypeOf, test } from 'vitest';
import { createResource, Endpoint, Entity, RestEndpoint, schema } from 'holdfast';
import type {
  AnyMutation,
  AnyReadEndpoint,
  EndpointArgs,
  Pending,
  Queryable,
  ResolveType,
  SchemaArgs,
} from 'holdfast';
import {
  useCache,
  useCancelling,
  useDebounce,
  useDLE,
  useSuspenseAll,
  useError,
  useFetch,
  useIsFetching,
  useIsMutating,
  useLive,
  useLoading,
  useMutation,
  usePending,
  useQuery,
  useSubscription,
  useSuspense,
} from 'holdfast/react';
import type { MaybeArgs } from 'holdfast/react';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

const UserResource = createResource({ path: '/users/:id', schema: User });
const search = new RestEndpoint({ path: '/search', searchParams: {} as { text: string }, schema: [User] });
const time = new Endpoint(async (_zone: string) => 0, { name: 'time' });
declare const maybeId: string | null;

test('data is defined with arguments, and may be undefined with arguments that may be null', () => {
  expectTypeOf(useSuspense(UserResource.get, { id: 1 })).toEqualTypeOf<User>();
  expectTypeOf(useSuspense(UserResource.getList)).toEqualTypeOf<User[]>();
  expectTypeOf(useSuspense(search, { text: 'a' })).toEqualTypeOf<User[]>();
  expectTypeOf(useSuspense(time, 'CET')).toEqualTypeOf<number>();
  expectTypeOf(useSuspense(UserResource.get, maybeId === null ? null : { id: maybeId })).toEqualTypeOf<
    User | undefined
  >();
  expectTypeOf(useSuspense(UserResource.get, null)).toEqualTypeOf<User | undefined>();
  expectTypeOf(useLive(UserResource.get, { id: 1 })).toEqualTypeOf<User>();
  expectTypeOf(useLive(UserResource.get, null)).toEqualTypeOf<User | undefined>();
  expectTypeOf(useFetch(UserResource.get, { id: 1 })).toEqualTypeOf<Promise<User>>();
  expectTypeOf(useFetch(UserResource.get, null)).toEqualTypeOf<Promise<User> | undefined>();
});

test('data that is only looked up may be undefined', () => {
  expectTypeOf(useCache(UserResource.get, { id: 1 })).toEqualTypeOf<User | undefined>();
  expectTypeOf(useCache(UserResource.update, { id: 1 }, { name: 'Ada' })).toEqualTypeOf<User | undefined>();
  expectTypeOf(useQuery(User, { id: 1 })).toEqualTypeOf<User | undefined>();
  expectTypeOf(useQuery(new schema.All(User))).toEqualTypeOf<User[] | undefined>();
  expectTypeOf(useError(UserResource.get, { id: 1 })).toEqualTypeOf<Error | undefined>();
  expectTypeOf(usePending(User, { id: 1 })).toEqualTypeOf<readonly Pending[]>();
});

test('useSuspenseAll infers each type, and checks the arguments', () => {
  const [user, users] = useSuspenseAll([[UserResource.get, { id: 1 }], [UserResource.getList]]);
  expectTypeOf(user).toEqualTypeOf<User>();
  expectTypeOf(users).toEqualTypeOf<User[]>();
  expectTypeOf(
    useSuspenseAll([1, 2].map((id) => [UserResource.get, { id }] as const))[0]!,
  ).toEqualTypeOf<User>();
  // @ts-expect-error no such parameter
  useSuspenseAll([[UserResource.get, { name: 'Ada' }]]);
  // @ts-expect-error a mutation
  useSuspenseAll([[UserResource.delete, { id: 1 }]]);
});

test('useDLE is a union: after loading and error the data is complete', () => {
  const { data, loading, error } = useDLE(UserResource.get, { id: 1 });

  expectTypeOf(data).toEqualTypeOf<User | undefined>();
  if (!loading && !error) expectTypeOf(data).toEqualTypeOf<User>();
  expectTypeOf(useDLE(UserResource.get, null).data).toEqualTypeOf<User | undefined>();
  expectTypeOf(useDLE(UserResource.get, { id: 1 }).refetch).toEqualTypeOf<() => Promise<User>>();
  expectTypeOf(useDLE(UserResource.get, null).refetch).toEqualTypeOf<
    () => Promise<User | undefined> | undefined
  >();
  expectTypeOf(useIsFetching(UserResource.get)).toEqualTypeOf<number>();
  // @ts-expect-error a mutation is not read
  useIsFetching(UserResource.update);
  // @ts-expect-error a read is no mutation
  useIsMutating(UserResource.get);
});

test('mutations, missing and wrong arguments are refused in reading hooks', () => {
  // @ts-expect-error a mutation is not read
  useSuspense(UserResource.update, { id: 1 }, { name: 'Ada' });
  // @ts-expect-error a mutation is not read
  useDLE(UserResource.delete, { id: 1 });
  // @ts-expect-error a mutation is not read
  useFetch(UserResource.getList.push, { name: 'Ada' });
  // @ts-expect-error id is required
  useSuspense(UserResource.get);
  // @ts-expect-error no such parameter
  useSuspense(UserResource.get, { name: 1 });
  // @ts-expect-error the text is required
  useSuspense(search, {});
  // @ts-expect-error no such field
  useQuery(User, { age: 1 });
});

test('the other hooks keep the types of their arguments', () => {
  expectTypeOf(useDebounce('a', 100)).toEqualTypeOf<[settled: string, isPending: boolean]>();
  expectTypeOf(useCancelling(search, { text: 'a' })).toEqualTypeOf<typeof search>();
  const [run, isLoading, error, retry, pending] = useLoading(async (id: number) => String(id));
  expectTypeOf(retry).toEqualTypeOf<(() => void) | undefined>();
  expectTypeOf(pending).toEqualTypeOf<readonly [id: number][]>();
  expectTypeOf(run).toEqualTypeOf<(id: number) => Promise<string | undefined>>();
  expectTypeOf(isLoading).toEqualTypeOf<boolean>();
  expectTypeOf(error).toEqualTypeOf<Error | undefined>();
});

test('a custom hook passes an endpoint and its arguments on', () => {
  function useFirst<E extends AnyReadEndpoint>(endpoint: E, ...args: EndpointArgs<E>): ResolveType<E> {
    return useSuspense(endpoint, ...args);
  }
  function useNow<S extends Queryable>(queryable: S, ...args: SchemaArgs<S>) {
    return useQuery(queryable, ...args);
  }
  function useMaybe<E extends AnyReadEndpoint>(endpoint: E, ...args: MaybeArgs<E>) {
    useSubscription(endpoint, ...args);
    return [useSuspense(endpoint, ...args), useCache(endpoint, ...args)];
  }
  expectTypeOf(useNow(User, { id: 1 })).toEqualTypeOf<User | undefined>();
  expectTypeOf(useMaybe(UserResource.get, null)).toEqualTypeOf<(User | undefined)[]>();
  expectTypeOf(useFirst(UserResource.get, { id: 1 })).toEqualTypeOf<User>();
  expectTypeOf(useFirst(time, 'CET')).toEqualTypeOf<number>();
  // @ts-expect-error id is required
  useFirst(UserResource.get, {});
  // @ts-expect-error a mutation is not read
  useFirst(UserResource.delete, { id: 1 });
  // @ts-expect-error a function is no endpoint
  useFirst(async () => 5);
});

test('useMutation: the state is a union by `status`, and the functions take the arguments of controller.fetch', () => {
  const mutation = useMutation(UserResource.update, {
    onSuccess(data, [params, body]) {
      expectTypeOf(data).toEqualTypeOf<User>();
      expectTypeOf(params.id).toEqualTypeOf<string | number>();
      expectTypeOf(body).toExtend<object>();
    },
    onError: (error) => expectTypeOf(error).toEqualTypeOf<Error>(),
    onSettled(data, error) {
      expectTypeOf(data).toEqualTypeOf<User | undefined>();
      expectTypeOf(error).toEqualTypeOf<Error | undefined>();
    },
  });
  const { mutate, mutateAsync, data, error, status, isPending, isError, args, pending, retry, reset } =
    mutation;
  type Args = EndpointArgs<typeof UserResource.update>;
  expectTypeOf(mutate).toEqualTypeOf<(...args: Args) => void>();
  expectTypeOf(mutateAsync).toEqualTypeOf<(...args: Args) => Promise<User>>();
  expectTypeOf(retry).toEqualTypeOf<() => void>();
  expectTypeOf(reset).toEqualTypeOf<() => void>();
  expectTypeOf(isPending).toEqualTypeOf<boolean>();
  expectTypeOf(pending).toEqualTypeOf<readonly Args[]>();
  expectTypeOf(data).toEqualTypeOf<User | undefined>();
  if (status === 'success') expectTypeOf(data).toEqualTypeOf<User>();
  if (isError) expectTypeOf(error).toEqualTypeOf<Error>();
  if (status !== 'idle') expectTypeOf(args).toEqualTypeOf<Args>();
  expectTypeOf(useMutation(UserResource.getList.push).mutate).toBeCallableWith({ name: 'Ada' });
  const ping = new RestEndpoint({ path: '/ping', method: 'POST', body: undefined });
  expectTypeOf(useMutation(ping).mutate).toBeCallableWith();
});

test('useMutation refuses reads, missing arguments and options per call', () => {
  // @ts-expect-error a read
  useMutation(UserResource.get);
  // @ts-expect-error a schema
  useMutation(User);
  const { mutate } = useMutation(UserResource.delete);
  // @ts-expect-error id is required
  mutate({});
  // @ts-expect-error no options per call
  mutate({ id: 1 }, { onSuccess: () => undefined });
});

test('a custom hook passes a mutation on', () => {
  function useSave<E extends AnyMutation>(endpoint: E, ...args: EndpointArgs<E>): () => void {
    const { mutate } = useMutation(endpoint);
    return () => mutate(...args);
  }
  expectTypeOf(useSave(UserResource.delete, { id: 1 })).toEqualTypeOf<() => void>();
  // @ts-expect-error a read
  useSave(UserResource.get, { id: 1 });
});
