import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { request, type Task } from './request.ts';

export function TaskRow({ task }: { task: Task }) {
  const { id, title, done } = task;
  const { mutate } = useSWRConfig();
  const [error, setError] = useState<Error>();
  const change = () =>
    mutate<Task[]>(
      '/api/tasks',
      async (tasks = []) => {
        const changed = await request(`/api/tasks/${id}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ done: !done }),
        });
        return tasks.map((each) => (each.id === id ? changed : each));
      },
      {
        optimisticData: (tasks = []) =>
          tasks.map((each) =>
            each.id === id ? { ...each, done: !done } : each,
          ),
      },
    );
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={done}
          onChange={() => void change().catch(setError)}
        />
        {title}
      </label>
      {error && <p role="alert">{error.message}</p>}
    </li>
  );
}
