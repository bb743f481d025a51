'use client';
// Outside any boundary: in the first part of the page that the server sends.
import Link from 'next/link';
import { useSuspense } from 'holdfast/react';
import { TaskResource } from './resources.ts';

export function TaskList() {
  const tasks = useSuspense(TaskResource.getList);
  return (
    <nav aria-label="Tasks">
      {tasks.map(({ id, title, done }) => (
        <Link key={id} href={`/tasks/${id}`} prefetch={false}>{`${title}: ${done ? 'done' : 'open'} `}</Link>
      ))}
    </nav>
  );
}
