import { useGetTasksQuery } from './api.ts';
import { TaskRow } from './change-row.tsx';

export function TaskList() {
  const { data, isLoading, error } = useGetTasksQuery();
  if (isLoading) return <p>Loading</p>;
  if (error) return <p role="alert">The tasks could not be loaded.</p>;
  return (
    <ul aria-label="Tasks">
      {data?.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </ul>
  );
}
