// The fixed values of the domain, in the order in which the server sorts them, with their names.

export const STATUSES = ['backlog', 'todo', 'doing', 'review', 'done'] as const;
export const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'none'] as const;
export const LABELS = [
  'bug',
  'feature',
  'design',
  'docs',
  'performance',
  'security',
  'chore',
  'research',
] as const;

export type Status = (typeof STATUSES)[number];
export type Priority = (typeof PRIORITIES)[number];
export type Label = (typeof LABELS)[number];

export const STATUS_NAMES: Record<Status, string> = {
  backlog: 'Backlog',
  todo: 'To do',
  doing: 'Doing',
  review: 'In review',
  done: 'Done',
};

export const PRIORITY_NAMES: Record<Priority, string> = {
  urgent: 'Urgent',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'No priority',
};

/** Narrows a string from an address or a form to one of the values, or to undefined. */
export function pickValue<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}
