import { initialState } from '@data-client/core';
import {
  CacheProvider,
  Controller,
  getDefaultManagers,
  useCache,
  useController,
  useDLE,
} from '@data-client/react';
import { useState } from 'react';
import { doneTasks, getEvents, openTasks, TaskResource } from './api.ts';
import type { Task } from './api.ts';

type Open = (id: string) => void;

function TaskRow({ task, onOpen }: { task: Task; onOpen: Open }) {
  const { id, title, done } = task;
  const controller = useController();
  return (
    <li>
      <input
        type="checkbox"
        aria-label={title}
        checked={done}
        onChange={() =>
          void controller.fetch(
            TaskResource.partialUpdate,
            { id },
            { done: !done },
          )
        }
      />
      <button onClick={() => onOpen(id)}>{title}</button>
      <button
        aria-label={`Delete ${title}`}
        onClick={() => void controller.fetch(TaskResource.delete, { id })}
      >
        ×
      </button>
    </li>
  );
}

function TaskList({ done, onOpen }: { done: boolean; onOpen: Open }) {
  const { loading, error } = useDLE(TaskResource.getList);
  const tasks = useCache(done ? doneTasks : openTasks, {});
  if (loading || !tasks) return <p>Loading</p>;
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <section aria-label={done ? 'Done' : 'Open'}>
      <h2>{tasks.length} tasks</h2>
      <ul>
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
}

function NewTask() {
  const [title, setTitle] = useState('');
  const controller = useController();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void controller.fetch(TaskResource.getList.push, {
          title,
          done: false,
        });
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
  const [failure, setFailure] = useState('');
  const controller = useController();
  const { data, loading } = useDLE(TaskResource.get, { id });
  const rename = async () => {
    setFailure('');
    try {
      await controller.fetch(
        TaskResource.partialUpdate,
        { id },
        { title: draft },
      );
    } catch (error) {
      setFailure((error as Error).message);
    }
  };
  if (loading || !data) return <p>Loading</p>;
  return (
    <section aria-label="Task">
      <h2>{data.title}</h2>
      <input
        aria-label="Title"
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <button onClick={() => void rename()}>Rename</button>
      {failure && <p role="alert">{failure}</p>}
    </section>
  );
}

function Events() {
  const [isLoading, setLoading] = useState(false);
  const controller = useController();
  const { data } = useDLE(getEvents);
  const loadMore = async () => {
    setLoading(true);
    await controller.fetch(getEvents.getPage, { cursor: data.next ?? '' });
    setLoading(false);
  };
  return (
    <section aria-label="Events">
      {data.events?.map((event) => (
        <p key={event.id}>{event.text}</p>
      ))}
      {data.next && (
        <button disabled={isLoading} onClick={() => void loadMore()}>
          More
        </button>
      )}
    </section>
  );
}

const managers = getDefaultManagers();

export function App() {
  const [opened, setOpened] = useState<string>();
  return (
    <CacheProvider
      Controller={Controller}
      initialState={initialState}
      managers={managers}
      devButton={null}
    >
      <NewTask />
      <TaskList done={false} onOpen={setOpened} />
      <TaskList done onOpen={setOpened} />
      {opened !== undefined && <TaskDetail key={opened} id={opened} />}
      <Events />
    </CacheProvider>
  );
}
