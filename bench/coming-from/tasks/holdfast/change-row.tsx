import { errorText } from 'holdfast';
import { useMutation } from 'holdfast/react';
import { type Task, TaskResource } from './api.ts';

export function TaskRow({ task }: { task: Task }) {
  const { id, title, done } = task;
  const { mutate, error } = useMutation(TaskResource.partialUpdate);
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={done}
          onChange={() => mutate({ id }, { done: !done })}
        />
        {title}
      </label>
      {error && <p role="alert">{errorText(error)}</p>}
    </li>
  );
}
