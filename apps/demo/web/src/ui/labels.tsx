// Small facts about an issue: its labels and its due day.
import type { ReactNode } from 'react';
import type { Label } from '../resources/vocabulary.ts';
import { formatDay, readDueState } from './dates.ts';
import { LineIcon } from './icons.tsx';

export function Labels({ labels }: { labels: readonly Label[] }): ReactNode {
  return labels.map((label) => (
    <span key={label} className={`label label-${label}`}>
      {label}
    </span>
  ));
}

export function DueDay({ day, isDone }: { day: string | null; isDone: boolean }): ReactNode {
  if (day === null) return null;
  const state = isDone ? 'later' : readDueState(day);
  return (
    <span className={`due ${state}`}>
      <LineIcon name="calendar" />
      <time dateTime={day}>{formatDay(day)}</time>
      {state === 'overdue' && <span className="visually-hidden">, overdue</span>}
    </span>
  );
}
