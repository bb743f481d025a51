import { gql, type TypedDocumentNode } from '@apollo/client';
import { useMutation } from '@apollo/client/react';

export interface Task {
  __typename: 'Task';
  id: string;
  title: string;
  done: boolean;
}

const CHANGE: TypedDocumentNode<
  { changeTask: Task },
  { id: string; done: boolean }
> = gql`
  mutation Change($id: ID!, $done: Boolean!) {
    changeTask(id: $id, done: $done) {
      id
      title
      done
    }
  }
`;

export function TaskRow({ task }: { task: Task }) {
  const { id, title, done } = task;
  const [change, { error }] = useMutation(CHANGE, {
    optimisticResponse: { changeTask: { ...task, done: !done } },
    onError() {}, // without it, the promise of a refused change rejects
  });
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={done}
          onChange={() => void change({ variables: { id, done: !done } })}
        />
        {title}
      </label>
      {error && <p role="alert">{error.message}</p>}
    </li>
  );
}
