// Native selects styled as their value: a status icon, a person, a priority. Native, because keyboards, screen readers and phones
// already support them.
import { useSuspense } from 'holdfast/react';
import type { ReactNode } from 'react';
import { UserResource } from '../resources/user.ts';
import type { Priority, Status } from '../resources/vocabulary.ts';
import { pickValue, PRIORITIES, PRIORITY_NAMES, STATUS_NAMES, STATUSES } from '../resources/vocabulary.ts';
import { Avatar } from './avatar.tsx';
import { PriorityIcon, StatusIcon } from './icons.tsx';

interface PickerProps<T> {
  value: T;
  label: string;
  onPick: (value: T) => void;
  /** Only the icon shows; the name is for assistive technology. */
  isCompact?: boolean;
}

interface PickerFrameProps {
  label: string;
  icon: ReactNode;
  text: string;
  value: string;
  isCompact: boolean;
  onPick: (value: string) => void;
  children: ReactNode;
}

function PickerFrame({ label, icon, text, value, isCompact, onPick, children }: PickerFrameProps): ReactNode {
  return (
    <span
      className={isCompact ? 'picker compact' : 'picker'}
      title={isCompact ? `${label}: ${text}` : undefined}
    >
      {icon}
      {!isCompact && <span className="picker-text">{text}</span>}
      <select aria-label={label} value={value} onChange={(event) => onPick(event.target.value)}>
        {children}
      </select>
    </span>
  );
}

export function StatusPicker({ value, label, onPick, isCompact = false }: PickerProps<Status>): ReactNode {
  return (
    <PickerFrame
      label={label}
      icon={<StatusIcon status={value} />}
      text={STATUS_NAMES[value]}
      value={value}
      isCompact={isCompact}
      onPick={(text) => onPick(pickValue(STATUSES, text) ?? value)}
    >
      {STATUSES.map((status) => (
        <option key={status} value={status}>
          {STATUS_NAMES[status]}
        </option>
      ))}
    </PickerFrame>
  );
}

export function PriorityPicker({
  value,
  label,
  onPick,
  isCompact = false,
}: PickerProps<Priority>): ReactNode {
  return (
    <PickerFrame
      label={label}
      icon={<PriorityIcon priority={value} />}
      text={PRIORITY_NAMES[value]}
      value={value}
      isCompact={isCompact}
      onPick={(text) => onPick(pickValue(PRIORITIES, text) ?? value)}
    >
      {PRIORITIES.map((priority) => (
        <option key={priority} value={priority}>
          {PRIORITY_NAMES[priority]}
        </option>
      ))}
    </PickerFrame>
  );
}

export function AssigneePicker({
  value,
  label,
  onPick,
  isCompact = false,
}: PickerProps<string | null>): ReactNode {
  const users = useSuspense(UserResource.getList);
  const user = users.find((candidate) => candidate.id === value);
  return (
    <PickerFrame
      label={label}
      icon={<Avatar user={user} isDecorative />}
      text={user?.name ?? 'Unassigned'}
      value={value ?? ''}
      isCompact={isCompact}
      onPick={(text) => onPick(text === '' ? null : text)}
    >
      <option value="">Unassigned</option>
      {users.map((candidate) => (
        <option key={candidate.id} value={candidate.id}>
          {candidate.name}
        </option>
      ))}
    </PickerFrame>
  );
}
