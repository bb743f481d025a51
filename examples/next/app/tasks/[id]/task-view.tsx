'use client';
// One task: each part behind a boundary of its own, sent when its data is there.
import { AsyncBoundary, useMutation, useSuspense } from 'holdfast/react';
import type { ErrorFallbackProps } from 'holdfast/react';
import { BlockerResource, NoteResource, TaskResource } from '../../resources.ts';

export function TaskView({ id }: { id: string }) {
  return (
    <main>
      <AsyncBoundary fallback={<p>Loading the task</p>} errorComponent={Failure}>
        <Title id={id} />
      </AsyncBoundary>
      <AsyncBoundary fallback={<p>Loading the notes</p>} errorComponent={Failure}>
        <Notes taskId={id} />
      </AsyncBoundary>
      <AsyncBoundary fallback={<p>Loading what blocks it</p>} errorComponent={Failure}>
        <Blockers taskId={id} />
      </AsyncBoundary>
    </main>
  );
}

function Title({ id }: { id: string }) {
  const task = useSuspense(TaskResource.get, { id });
  const { mutate } = useMutation(TaskResource.partialUpdate);
  return (
    <>
      <h2>{task.title}</h2>
      <button onClick={() => mutate({ id }, { done: !task.done })}>{task.done ? 'Reopen' : 'Finish'}</button>
    </>
  );
}

function Notes({ taskId }: { taskId: string }) {
  const notes = useSuspense(NoteResource.getList, { taskId });
  return (
    <ul aria-label="Notes">
      {notes.map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
    </ul>
  );
}

function Blockers({ taskId }: { taskId: string }) {
  const tasks = useSuspense(BlockerResource.getList, { taskId });
  return <p>{`Blocked by: ${tasks.map(({ title }) => title).join(', ') || 'nothing'}`}</p>;
}

function Failure({ error, resetErrorBoundary }: ErrorFallbackProps) {
  const status = 'status' in error ? Number(error.status) : undefined;
  return (
    <p role="alert">
      {`${error.name} ${status ?? ''}: this part could not be loaded. `}
      <button onClick={resetErrorBoundary}>Try again</button>
    </p>
  );
}
