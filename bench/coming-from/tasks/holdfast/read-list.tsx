import { errorText } from 'holdfast';
import { useDLE } from 'holdfast/react';
import { TaskResource } from './api.ts';
import { TaskRow } from './change-row.tsx';

export function TaskList() {
  const { data, loading, error } = useDLE(TaskResource.getList);
  if (loading) return <p>Loading</p>;
  if (error) return <p role="alert">{errorText(error)}</p>;
  return (
    <ul aria-label="Tasks">
      {data.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </ul>
  );
}
