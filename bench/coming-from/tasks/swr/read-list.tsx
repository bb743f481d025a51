import useSWR from 'swr';
import { TaskRow } from './change-row.tsx';
import type { Task } from './request.ts';

export function TaskList() {
  const { data, isLoading, error } = useSWR<Task[], Error>('/api/tasks');
  if (isLoading) return <p>Loading</p>;
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <ul aria-label="Tasks">
      {data?.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </ul>
  );
}
