import { errorText, viewKey } from 'holdfast';
import {
  DataProvider,
  useDLE,
  useMutation,
  usePages,
} from 'holdfast/react';
import { useState } from 'react';
import { getEvents, TaskResource } from './api.ts';
import type { Task } from './api.ts';

type Open = (id: string) => void;

function TaskRow({ task, onOpen }: { task: Task; onOpen: Open }) {
  const { id, title, done } = task;
  const change = useMutation(TaskResource.partialUpdate);
  const remove = useMutation(TaskResource.delete);
  return (
    <li>
      <input
        type="checkbox"
        aria-label={title}
        checked={done}
        onChange={() => change.mutate({ id }, { done: !done })}
      />
      <button onClick={() => onOpen(id)}>{title}</button>
      <button
        aria-label={`Delete ${title}`}
        onClick={() => remove.mutate({ id })}
      >
        ×
      </button>
    </li>
  );
}

function TaskList({ done, onOpen }: { done: boolean; onOpen: Open }) {
  const { data, loading, error } = useDLE(TaskResource.getList, {
    done,
    sort: 'title',
  });
  if (loading) return <p>Loading</p>;
  if (error) return <p role="alert">{errorText(error)}</p>;
  return (
    <section aria-label={done ? 'Done' : 'Open'}>
      <h2>{data.length} tasks</h2>
      <ul>
        {data.map((task) => (
          <TaskRow key={viewKey(task)} task={task} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
}

function NewTask() {
  const [title, setTitle] = useState('');
  const create = useMutation(TaskResource.getList.push);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ title, done: false });
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
  const { data, loading } = useDLE(TaskResource.get, { id });
  const change = useMutation(TaskResource.partialUpdate);
  if (loading || !data) return <p>Loading</p>;
  return (
    <section aria-label="Task">
      <h2>{data.title}</h2>
      <input
        aria-label="Title"
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <button onClick={() => change.mutate({ id }, { title: draft })}>
        Rename
      </button>
      {change.error && <p role="alert">{errorText(change.error)}</p>}
    </section>
  );
}

function Events() {
  const { items, hasMore, isLoadingMore, loadMore } = usePages(getEvents);
  return (
    <section aria-label="Events">
      {items.map((event) => (
        <p key={event.id}>{event.text}</p>
      ))}
      {hasMore && (
        <button disabled={isLoadingMore} onClick={() => void loadMore()}>
          More
        </button>
      )}
    </section>
  );
}

export function App() {
  const [opened, setOpened] = useState<string>();
  return (
    <DataProvider>
      <NewTask />
      <TaskList done={false} onOpen={setOpened} />
      <TaskList done onOpen={setOpened} />
      {opened !== undefined && <TaskDetail key={opened} id={opened} />}
      <Events />
    </DataProvider>
  );
}
