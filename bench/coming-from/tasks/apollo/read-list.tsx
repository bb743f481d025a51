import { gql, type TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { type Task, TaskRow } from './change-row.tsx';

const TASKS: TypedDocumentNode<{ tasks: Task[] }> = gql`
  query Tasks {
    tasks {
      id
      title
      done
    }
  }
`;

export function TaskList() {
  const { data, loading, error } = useQuery(TASKS);
  if (loading) return <p>Loading</p>;
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <ul aria-label="Tasks">
      {data?.tasks.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </ul>
  );
}
