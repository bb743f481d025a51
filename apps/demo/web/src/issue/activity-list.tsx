// The activity of the issue. This component sends no request for news: the response to every change contains the newest entries,
// and they enter this list because it has the same key.
import { useSuspense } from 'holdfast/react';
import type { ReactNode } from 'react';
import type { Activity } from '../resources/activity.ts';
import { readIssueActivity } from '../resources/activity.ts';
import { pickValue, PRIORITIES, PRIORITY_NAMES, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { Avatar } from '../ui/avatar.tsx';
import { formatAgo, formatFull } from '../ui/dates.ts';

export function ActivityList({ issueId }: { issueId: string }): ReactNode {
  const entries = useSuspense(readIssueActivity, { issueId });
  return (
    <section className="activity" aria-label="Activity">
      <h2>Activity</h2>
      <ol>
        {entries.map((entry) => (
          <li key={entry.id}>
            <Avatar user={entry.actor} isDecorative />
            <span>
              <strong>{entry.actor.name}</strong> {describe(entry)}
            </span>
            <time dateTime={entry.at.toISOString()} title={formatFull(entry.at)}>
              {formatAgo(entry.at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}

const FIELD_NAMES: Record<string, string> = { assigneeId: 'assignee', dueDate: 'due day' };

function describe({ kind, field, before, after }: Activity): string {
  if (kind === 'created') return 'created the issue';
  if (kind === 'commented') return 'commented';
  if (kind === 'deleted') return 'deleted the issue';
  if (kind === 'restored') return 'restored the issue';
  if (field === 'description') return 'edited the description';
  const name = FIELD_NAMES[field ?? ''] ?? field;
  if (!after) return `cleared the ${name}`;
  return before && field !== 'title'
    ? `changed the ${name} from ${formatValue(before)} to ${formatValue(after)}`
    : `set the ${name} to “${formatValue(after)}”`;
}

function formatValue(value: string): string {
  const status = pickValue(STATUSES, value);
  const priority = pickValue(PRIORITIES, value);
  return status ? STATUS_NAMES[status] : priority ? PRIORITY_NAMES[priority] : value.replaceAll(',', ', ');
}
