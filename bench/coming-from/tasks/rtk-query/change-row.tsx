import { type Task, useChangeTaskMutation } from './api.ts';

export function TaskRow({ task }: { task: Task }) {
  const { id, title, done } = task;
  const [change, { error }] = useChangeTaskMutation();
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={done}
          onChange={() => void change({ id, done: !done })}
        />
        {title}
      </label>
      {error && <p role="alert">The change was refused.</p>}
    </li>
  );
}
