import {
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useState } from 'react';
import {
  eventsQuery,
  taskQuery,
  tasksQuery,
  useChangeTask,
  useCreateTask,
  useDeleteTask,
} from './api.ts';
import type { Task } from './api.ts';

type Open = (id: string) => void;

function TaskRow({ task, onOpen }: { task: Task; onOpen: Open }) {
  const { id, title, done } = task;
  const change = useChangeTask();
  const remove = useDeleteTask();
  return (
    <li>
      <input
        type="checkbox"
        aria-label={title}
        checked={done}
        onChange={() => change.mutate({ id, done: !done })}
      />
      <button onClick={() => onOpen(id)}>{title}</button>
      <button
        aria-label={`Delete ${title}`}
        onClick={() => remove.mutate(id)}
      >
        ×
      </button>
    </li>
  );
}

function TaskList({ done, onOpen }: { done: boolean; onOpen: Open }) {
  const { data, isPending, error } = useQuery(tasksQuery(done));
  if (isPending) return <p>Loading</p>;
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <section aria-label={done ? 'Done' : 'Open'}>
      <h2>{data.length} tasks</h2>
      <ul>
        {data.map((task) => (
          <TaskRow key={task.id} task={task} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
}

function NewTask() {
  const [title, setTitle] = useState('');
  const create = useCreateTask();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(title);
        setTitle('');
      }}
    >
      <input
        aria-label="New task"
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <button>Add</button>
    </form>
  );
}

function TaskDetail({ id }: { id: string }) {
  const [draft, setDraft] = useState('');
  const { data, isPending } = useQuery(taskQuery(id));
  const change = useChangeTask();
  if (isPending || !data) return <p>Loading</p>;
  return (
    <section aria-label="Task">
      <h2>{data.title}</h2>
      <input
        aria-label="Title"
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <button onClick={() => change.mutate({ id, title: draft })}>
        Rename
      </button>
      {change.error && <p role="alert">{change.error.message}</p>}
    </section>
  );
}

function Events() {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(eventsQuery);
  return (
    <section aria-label="Events">
      {data?.pages
        .flatMap((page) => page.events)
        .map((event) => (
          <p key={event.id}>{event.text}</p>
        ))}
      {hasNextPage && (
        <button
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          More
        </button>
      )}
    </section>
  );
}

const client = new QueryClient();

export function App() {
  const [opened, setOpened] = useState<string>();
  return (
    <QueryClientProvider client={client}>
      <NewTask />
      <TaskList done={false} onOpen={setOpened} />
      <TaskList done onOpen={setOpened} />
      {opened !== undefined && <TaskDetail key={opened} id={opened} />}
      <Events />
    </QueryClientProvider>
  );
}
