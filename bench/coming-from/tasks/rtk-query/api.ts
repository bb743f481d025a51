import { configureStore } from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react';

export interface Task {
  id: string;
  title: string;
  done: boolean;
}
interface Events {
  events: { id: string; text: string }[];
  next: string | null;
}

export const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: '/api' }),
  tagTypes: ['Task'],
  endpoints: (build) => ({
    getTasks: build.query<Task[], void>({
      query: () => '/tasks',
      providesTags: ['Task'],
    }),
    changeTask: build.mutation<Task, Partial<Task> & { id: string }>({
      query: ({ id, ...body }) => ({
        url: `/tasks/${id}`,
        method: 'PATCH',
        body,
      }),
      async onQueryStarted(
        { id, ...fields },
        { dispatch, queryFulfilled },
      ) {
        const patch = dispatch(
          api.util.updateQueryData('getTasks', undefined, (tasks) => {
            const task = tasks.find((each) => each.id === id);
            if (task) Object.assign(task, fields);
          }),
        );
        queryFulfilled.catch(patch.undo);
      },
      invalidatesTags: ['Task'],
    }),
    getEvents: build.infiniteQuery<Events, void, string>({
      infiniteQueryOptions: {
        initialPageParam: '',
        getNextPageParam: ({ next }) => next ?? undefined,
      },
      query: ({ pageParam }) =>
        `/events${pageParam && `?cursor=${pageParam}`}`,
    }),
  }),
});

export const {
  useChangeTaskMutation,
  useGetEventsInfiniteQuery,
  useGetTasksQuery,
} = api;

export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
});
