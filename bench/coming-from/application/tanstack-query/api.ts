import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';

export interface Task {
  id: string;
  title: string;
  done: boolean;
}
interface Events {
  events: { id: string; text: string }[];
  next: string | null;
}

async function request<T>(
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<T> {
  const response = await fetch(`/api${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  const data = await response.json();
  if (!response.ok) throw new Error(data.detail);
  return data as T;
}

export const tasksQuery = (done: boolean) =>
  queryOptions({
    queryKey: ['tasks', 'list', { done }],
    queryFn: () => request<Task[]>(`/tasks?done=${done}&sort=title`),
  });

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'detail', id],
    queryFn: () => request<Task>(`/tasks/${id}`),
  });

export const eventsQuery = infiniteQueryOptions({
  queryKey: ['events'],
  queryFn: ({ pageParam }) =>
    request<Events>(`/events${pageParam && `?cursor=${pageParam}`}`),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
});

/** A mutation of tasks. `show` applies it to the cached tasks. */
function useTaskMutation<V>(
  mutationFn: (variables: V) => Promise<unknown>,
  show: (tasks: Task[], variables: V) => Task[],
) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['tasks'],
    mutationFn,
    async onMutate(variables: V) {
      await client.cancelQueries({ queryKey: ['tasks'] });
      const before = client.getQueriesData({ queryKey: ['tasks'] });
      const open = client.getQueryData(tasksQuery(false).queryKey) ?? [];
      const done = client.getQueryData(tasksQuery(true).queryKey) ?? [];
      const shown = show([...open, ...done], variables).toSorted(
        (one, other) => one.title.localeCompare(other.title),
      );
      for (const state of [true, false])
        client.setQueryData(
          tasksQuery(state).queryKey,
          shown.filter((task) => task.done === state),
        );
      for (const task of shown)
        client.setQueryData(
          taskQuery(task.id).queryKey,
          (detail) => detail && task,
        );
      return { before };
    },
    onError(_error, _variables, context) {
      for (const [key, data] of context?.before ?? [])
        client.setQueryData(key, data);
    },
    onSettled() {
      // the last of several mutations reads the lists again
      if (client.isMutating({ mutationKey: ['tasks'] }) === 1)
        return client.invalidateQueries({ queryKey: ['tasks'] });
      return undefined;
    },
  });
}

export const useChangeTask = () =>
  useTaskMutation(
    ({ id, ...fields }: Partial<Task> & { id: string }) =>
      request<Task>(`/tasks/${id}`, 'PATCH', fields),
    (tasks, { id, ...fields }) =>
      tasks.map((task) => (task.id === id ? { ...task, ...fields } : task)),
  );

export const useCreateTask = () =>
  useTaskMutation(
    (title: string) => request<Task>('/tasks', 'POST', { title }),
    (tasks, title) => [
      ...tasks,
      { id: `new ${title}`, title, done: false },
    ],
  );

export const useDeleteTask = () =>
  useTaskMutation(
    (id: string) => request<unknown>(`/tasks/${id}`, 'DELETE'),
    (tasks, id) => tasks.filter((task) => task.id !== id),
  );
