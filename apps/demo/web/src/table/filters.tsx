// The row of controls above the table.
import { useSuspense } from 'holdfast/react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { IssueFilter } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import { UserResource } from '../resources/user.ts';
import { LABELS, PRIORITIES, PRIORITY_NAMES, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { LineIcon } from '../ui/icons.tsx';

interface FiltersProps {
  filter: IssueFilter;
  /** Names of parameters with their new values; an empty value removes the parameter. */
  onChange: (changes: Record<string, string>) => void;
}

const TYPING_PAUSE_MS = 250;

export function Filters({ filter, onChange }: FiltersProps): ReactNode {
  const projects = useSuspense(ProjectResource.getList);
  const users = useSuspense(UserResource.getList);
  const choose = (
    name: keyof IssueFilter,
    label: string,
    options: readonly (readonly [value: string, text: string])[],
  ): ReactNode => (
    <select
      className={filter[name] ? 'filter is-set' : 'filter'}
      aria-label={label}
      value={filter[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.target.value })}
    >
      <option value="">{label}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <div className="filters" role="search" aria-label="Filter issues">
      <SearchField text={filter.q ?? ''} onSearch={(q) => onChange({ q })} />
      {choose(
        'projectId',
        'Any project',
        projects.map((project) => [project.id, project.name]),
      )}
      {choose(
        'status',
        'Any status',
        STATUSES.map((status) => [status, STATUS_NAMES[status]]),
      )}
      {choose(
        'priority',
        'Any priority',
        PRIORITIES.map((priority) => [priority, PRIORITY_NAMES[priority]]),
      )}
      {choose(
        'assigneeId',
        'Anybody',
        users.map((user) => [user.id, user.name]),
      )}
      {choose(
        'label',
        'Any label',
        LABELS.map((label) => [label, label]),
      )}
    </div>
  );
}

function SearchField({ text, onSearch }: { text: string; onSearch: (text: string) => void }): ReactNode {
  const [draft, setDraft] = useState(text);
  const [known, setKnown] = useState(text);
  // the address was changed by something other than this field
  if (text !== known) {
    setKnown(text);
    setDraft(text);
  }
  useEffect(() => {
    if (draft === text) return undefined;
    const timer = setTimeout(() => onSearch(draft), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, text, onSearch]);
  return (
    <label className="search-field">
      <LineIcon name="search" />
      <input
        type="search"
        aria-label="Search issues"
        aria-keyshortcuts="/"
        placeholder="Search id or title"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
    </label>
  );
}
